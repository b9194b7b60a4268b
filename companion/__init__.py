"""The referee: rules, senses and the table of the tabletop companion."""

import os

from companion.core.version import VERSION

# numpy's OpenBLAS reads this when it is loaded. The products here are small: a second thread waits for the
# first one in a loop, which doubles the processor time of a picture, and makes it later on a busy machine.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

__version__ = VERSION
