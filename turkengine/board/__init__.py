"""Games in a browser: one page, its server, and everything that people do on it together.

`wire` reads what a page says, `contest` is one game between any two players, `rooms` are the games with whoever is in
them, `app` is what HTTP sees. Who may do what is in `seats` and `guard`, what outlives the program in `store`. The
contract with the page is protocol/board.md.
"""
