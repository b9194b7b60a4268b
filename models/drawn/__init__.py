"""Drawn photographs: cards laid into pictures, hands, rooms, invented games, and the camera that takes them.

The bench measures with them, and the triangle network learns from them. The other networks of models.vision
learn from pictures that share no code with these.
"""
