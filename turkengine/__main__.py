"""`python -m turkengine` is the command `turkengine`."""

import sys

from turkengine.cli import main

if __name__ == "__main__":
    sys.exit(main())
