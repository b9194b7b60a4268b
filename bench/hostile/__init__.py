"""Hostile requests, crowds, pictures, damage and kills against a service of its own."""
