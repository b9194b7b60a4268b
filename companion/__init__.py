"""The referee: rules, senses and the table of the tabletop companion."""

from companion.core.version import VERSION

__version__ = VERSION
