"""The opening book that an engine has at hand: opened when it is first needed, and named once if it cannot be used."""

from __future__ import annotations

from turkengine.engine import book
from turkengine.engine.book import Book
from turkengine.engine.kernel_types import Kernel
from turkengine.engine.options import Options
from turkengine.errors import BookError
from turkengine.rules.variant import Variant


class BookShelf:
    """The book for the options and the variant asked about last."""

    def __init__(self, shipped: bool) -> None:
        """`shipped`: whether the books that come with the engine are for the kernels in use."""
        self._shipped = shipped
        self._asked: tuple[str, str] | None = None  # variant and file
        self._book: Book | None = None
        self._complaints: list[str] = []

    def book(self, options: Options, variant: Variant, kernel: Kernel) -> Book | None:
        """The book for a game, None where there is none or none is wanted."""
        if not options.book:
            return None
        asked = variant.name, options.book_file
        if asked != self._asked:
            self._asked, self._book = asked, self._opened(options.book_file, variant, kernel)
        return self._book

    def complaints(self) -> list[str]:
        """What has been wrong with books since the last time: a line for each."""
        told, self._complaints = self._complaints, []
        return told

    def _opened(self, file: str, variant: Variant, kernel: Kernel) -> Book | None:
        path = book.named(file) if file else book.path_of(variant)
        if not file and not (self._shipped and path.exists()):
            return None
        try:
            return book.read(path, variant, kernel.Position.start().key)
        except BookError as error:
            self._complaints.append(f"option book{'-file' if file else ''}: {error}; it is not used")
            return None
