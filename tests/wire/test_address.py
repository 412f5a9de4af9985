"""Addresses as text."""

from __future__ import annotations

import pytest

from turkengine.wire.address import Address, AddressError, address


class TestAddress:
    @pytest.mark.parametrize(
        ("text", "host", "port"),
        [
            ("27531", "127.0.0.1", 27531),
            ("0", "127.0.0.1", 0),
            ("0.0.0.0:27531", "0.0.0.0", 27531),
            ("example.org:80", "example.org", 80),
            ("[::1]:27531", "::1", 27531),
        ],
    )
    def test_is_read(self, text: str, host: str, port: int) -> None:
        assert address(text, "127.0.0.1") == Address(host, port)

    @pytest.mark.parametrize(
        "text", ["", ":", ":80", "host:", "host:x", "host:65536", "host:-1", "::1:80", "host", "x"]
    )
    def test_that_is_none_is_named(self, text: str) -> None:
        with pytest.raises(AddressError, match="write PORT or HOST:PORT"):
            address(text, "127.0.0.1")

    def test_needs_a_host_where_there_is_no_default(self) -> None:
        with pytest.raises(AddressError, match="'27531' is not an address; write HOST:PORT"):
            address("27531")

    def test_is_written_as_it_is_read(self) -> None:
        assert str(Address("127.0.0.1", 1)) == "127.0.0.1:1"
        assert str(Address("::1", 1)) == "[::1]:1"
