"""Who may come in, how often, and with how much: every entry is refused in one line, and the board goes on."""

from __future__ import annotations

import contextlib
import json
import socket
from pathlib import Path

import pytest
from board.serving import Board, Browser, Socket, board
from websockets.exceptions import ConnectionClosed, InvalidStatus

from turkengine.board.guard import Counter

HERE = {"kind": "here"}
A_GAME = {"variant": "turkish", "white": HERE, "black": HERE}


ORIGINS = [
    None,
    "null",
    "",
    "http://evil.example",
    "http://127.0.0.1",
    "https://127.0.0.1:{port}",
    "http://127.0.0.1:{port}/",
    "http://127.0.0.1:{port}.evil.example",
    "http://evil.example@127.0.0.1:{port}",
    "http://localhost:{port}",
]
HOSTS = ["127.0.0.1.evil", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "", "[::2]:{port}"]


@pytest.mark.parametrize("origin", ORIGINS)
def test_a_post_and_a_socket_of_a_foreign_page_are_refused(browser: Browser, origin: str | None) -> None:
    said = origin.format(port=browser.port) if origin is not None else None
    status, answer = browser.ask("POST", "/api/games", A_GAME, Origin=said)
    assert (status, answer["error"]["code"]) == (403, "bad-origin")
    made = browser.new_game()
    with pytest.raises(InvalidStatus) as caught:
        browser.connect(made["address"], Origin=said)
    assert caught.value.response.status_code == 403


@pytest.mark.parametrize("host", HOSTS)
def test_another_name_of_this_address_is_refused(browser: Browser, host: str) -> None:
    said = host.format(port=browser.port)
    for method, path in (("GET", "/api/games"), ("POST", "/api/games")):
        status, answer = browser.ask(method, path, A_GAME, Host=said, Origin=f"http://{said}")
        assert (status, answer["error"]["code"]) == (403, "bad-host")


@pytest.mark.parametrize("host", ["127.0.0.1:{port}", "localhost:{port}", "LOCALHOST:{port}", "[::1]:{port}"])
def test_every_name_of_this_machine_is_known(browser: Browser, host: str) -> None:
    said = host.format(port=browser.port)
    origin = f"http://{said}"
    assert browser.ask("GET", "/api/games", Host=said)[0] == 200
    assert browser.ask("POST", "/api/games", A_GAME, Host=said, Origin=origin)[0] == 201


def test_two_hosts_and_two_origins_are_one_too_many(running: Board) -> None:
    name = f"127.0.0.1:{running.port}"
    for head in (f"Host: {name}\r\nHost: {name}", f"Host: {name}\r\nOrigin: http://{name}\r\nOrigin: http://{name}"):
        with socket.create_connection(("127.0.0.1", running.port), 10) as raw:
            raw.sendall(f"POST /api/games HTTP/1.1\r\n{head}\r\nContent-Length: 0\r\n\r\n".encode())
            assert raw.recv(100).split()[1] in (b"400", b"403")


def test_the_answers_forbid_what_no_page_of_ours_needs(running: Board, browser: Browser) -> None:
    with socket.create_connection(("127.0.0.1", running.port), 10) as raw:
        raw.sendall(f"GET /api/games HTTP/1.1\r\nHost: localhost:{running.port}\r\nConnection: close\r\n\r\n".encode())
        head = b"".join(iter(lambda: raw.recv(4096), b"")).decode().lower()
    assert "content-security-policy: default-src 'none'; script-src 'self'" in head
    assert "x-content-type-options: nosniff" in head
    assert "referrer-policy: no-referrer" in head
    assert "server:" not in head
    assert "unsafe" not in head


def test_the_cookie_of_a_seat_is_read_by_no_script_and_sent_by_no_other_site(running: Board) -> None:
    name = f"127.0.0.1:{running.port}"
    body = json.dumps(A_GAME)
    with socket.create_connection(("127.0.0.1", running.port), 10) as raw:
        head = f"POST /api/games HTTP/1.1\r\nHost: {name}\r\nOrigin: http://{name}\r\nConnection: close\r\n"
        raw.sendall(f"{head}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode())
        answer = b"".join(iter(lambda: raw.recv(4096), b"")).decode()
    cookie = next(line for line in answer.splitlines() if line.lower().startswith("set-cookie"))
    assert {"HttpOnly", "SameSite=Strict"} <= set(cookie.split("; "))


def test_no_key_is_kept(tmp_path: Path) -> None:
    with board(tmp_path, "--db", "g.db") as running:
        browser = running.browser()
        made = browser.new_game(black={"kind": "link"})
        keys = [made["links"]["B"].partition("#")[2], browser.cookies[made["address"]].partition("=")[2]]
        held = b"".join(path.read_bytes() for path in tmp_path.glob("g.db*"))
        assert made["game"].encode() in held
        assert not any(key.encode() in held for key in keys)


@pytest.mark.parametrize(
    "body", [b"", b"hello", b"[]", b"null", b"\xff\xfe", b"[" * 4000, b'{"variant": "' + b"x" * 5000 + b'"}']
)
def test_a_body_that_is_no_game_is_refused(browser: Browser, body: bytes) -> None:
    status, answer = browser.ask("POST", "/api/games", body)
    assert status in (400, 413)
    assert "\n" not in answer["error"]["text"]


def test_half_a_letter_is_no_text(browser: Browser) -> None:
    here = b'"white": {"kind": "here"}, "black": {"kind": "here"}'
    status, answer = browser.ask("POST", "/api/games", b'{"variant": "turkish", "time": "\\ud800", ' + here + b"}")
    assert (status, answer["error"]["code"]) == (400, "bad-json")
    status, answer = browser.ask("POST", "/api/trees", b'{"pdn": "[White \\"\\ud800\\"] 1. 32-28 *"}')
    assert (status, answer["error"]["code"]) == (400, "bad-json")
    talker = browser.connect(browser.new_game()["address"])
    talker.raw.send('{"type": "talk", "text": "\\ud800"}')
    assert talker.next("error")["code"] == "bad-json"
    assert talker.say("talk", text="whole")["type"] == "ok"


def test_a_body_of_another_kind_is_refused(browser: Browser) -> None:
    assert browser.ask("POST", "/api/games", A_GAME, Content_Type="text/plain")[0] == 400


@pytest.mark.parametrize("data", ["[]", "hello", "{", "[" * 3000, "x" * 5000, b"\x00\x01", b"{}", '{"type":"fly"}'])
def test_what_is_no_message_is_answered_and_the_game_goes_on(browser: Browser, data: str | bytes) -> None:
    socket = browser.connect(browser.new_game()["address"])
    socket.raw.send(data)
    assert socket.next("error")["code"] in ("bad-json", "bad-message", "too-long")
    assert socket.say("move", ply=0, move="a3-a4")["type"] == "ok"


def test_a_frame_beyond_all_measure_ends_its_own_connection_only(browser: Browser) -> None:
    made = browser.new_game()
    socket, other = browser.connect(made["address"]), browser.connect(made["address"])
    socket.raw.send("x" * 1_000_000)
    with pytest.raises(ConnectionClosed):
        socket.next("nothing")
    assert other.say("move", ply=0, move="a3-a4")["type"] == "ok"


def test_half_a_handshake_holds_nobody_up(running: Board, browser: Browser) -> None:
    made = browser.new_game()
    halves = [socket.create_connection(("127.0.0.1", running.port), 10) for _ in range(20)]
    for half in halves:
        half.sendall(f"GET {made['address']}/ws HTTP/1.1\r\nHost: 127.0.0.1:{running.port}\r\nUpgrade: webs".encode())
    assert browser.connect(made["address"]).say("ping")["type"] == "ok"
    for half in halves:
        half.close()


def test_a_thousand_connections_of_one_address_leave_room_for_others(tmp_path: Path) -> None:
    with board(tmp_path) as running:
        browser = running.browser()
        made = browser.new_game()
        playing = browser.connect(made["address"])
        opened, held = [], 0
        for _ in range(1000):
            opened.append(socket.create_connection(("127.0.0.1", running.port), 10))
        assert playing.say("move", ply=0, move="a3-a4")["type"] == "ok"
        for one in opened:
            one.settimeout(0.01 if held else 2)
            try:
                held += one.recv(1) != b""
            except TimeoutError:
                held += 1
            except ConnectionResetError:
                pass
        assert held <= 100
        for one in opened:
            one.close()
        assert Browser(running.port).ask("GET", "/api/games")[0] == 200


def test_a_connection_without_a_request_is_closed(tmp_path: Path, running: Board, browser: Browser) -> None:
    made = browser.new_game()
    waiting = browser.connect(made["address"])
    halves = [socket.create_connection(("127.0.0.1", running.port), 30) for _ in range(2)]
    halves[1].sendall(b"GET / HTTP/1.1\r\nHost: ")
    for half in halves:
        with contextlib.suppress(ConnectionResetError):
            assert half.recv(1) == b""
        half.close()
    assert waiting.say("move", ply=0, move="a3-a4")["type"] == "ok"  # a socket may be silent as long as it likes


@pytest.fixture
def strict(tmp_path: Path) -> Browser:
    with board(tmp_path) as running:
        yield running.browser()


def test_what_one_address_may_do_has_an_end(strict: Browser) -> None:
    made = [strict.ask("POST", "/api/games", A_GAME) for _ in range(21)]
    assert [status for status, _ in made] == [201] * 20 + [429]
    address = made[0][1]["address"]
    sockets = [strict.connect(address) for _ in range(50)]
    surplus = strict.connect(address)
    assert surplus.next("error")["code"] == "too-many"
    with pytest.raises(ConnectionClosed) as caught:
        surplus.raw.recv(10)
    assert caught.value.rcvd is not None
    assert caught.value.rcvd.code == 4429
    codes = flood(sockets[0], 60)
    assert codes.count("too-often") >= 20
    for one in sockets:
        one.close()


def flood(socket: Socket, count: int) -> list[str]:
    for _ in range(count):
        socket.raw.send('{"type":"ping"}')
    return [socket.next("ok", "error").get("code", "") for _ in range(count)]


def test_who_goes_on_flooding_is_disconnected(strict: Browser) -> None:
    socket = strict.connect(strict.ask("POST", "/api/games", A_GAME)[1]["address"])
    with pytest.raises(ConnectionClosed) as caught:
        flood(socket, 400)
    assert caught.value.rcvd is not None
    assert caught.value.rcvd.code == 4429


def test_a_counter_forgets_what_is_long_ago() -> None:
    moment = [0.0]
    counter = Counter(2, 1.0, lambda: moment[0])
    assert [counter.more("a") for _ in range(3)] == [True, True, False]
    assert counter.more("b")
    moment[0] = 1.1
    assert counter.more("a")
