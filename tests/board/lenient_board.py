"""A board that lets one address do more than people do: `lenient_board.py FILE [PORT [HASH]]`."""

from __future__ import annotations

import sys
from pathlib import Path

from turkengine.board.app import Setting
from turkengine.board.guard import Allowance
from turkengine.board.serving import serve, sockets_at

sockets = sockets_at(int(sys.argv[2]) if len(sys.argv) > 2 else 0, lan=False)
port = sockets[0].getsockname()[1]
allowance = Allowance(messages=100_000, sockets=2_000, games=100_000, under_way=100_000)
hash_size = int(sys.argv[3]) if len(sys.argv) > 3 else 64
setting = Setting(port, path=Path(sys.argv[1]), allowance=allowance, hash_size=hash_size)
serve(setting, sockets, lambda end: print(f"the board is at http://127.0.0.1:{port}/", flush=True))
