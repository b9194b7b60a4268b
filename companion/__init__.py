"""The referee: rules, senses and the table of the tabletop companion."""

__version__ = "0.2.0"
