"""How well cards are recognised: real photographs, retaken ones and rendered ones."""
