"""Vector drawings, their colours and patterns, and how they become SVG and pixels."""
