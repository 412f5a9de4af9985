"""A tree of nodes as a flat list and back, so that games of any length can be pickled and copied.

Nodes know each other in both directions, and going from one to the next would take a level of recursion for each move.
A list does not; and a position that follows from the move before it is left out, since playing it again is quick.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from turkengine.api.position import Position
from turkengine.rules.move import Move

if TYPE_CHECKING:
    from turkengine.api.game import Node

ROOT = -1  # in place of a parent
LINKS = ("parent", "children", "position", "move")  # these follow from the list itself


class FlatNode(NamedTuple):
    """One node.

    Attributes:
        kind: its class.
        parent: where its parent stands in the list, always before it.
        move: the move that has led there.
        position: None where it follows from the move.
        held: all other attributes by name.
    """

    kind: type[Node]
    parent: int
    move: Move | None
    position: Position | None
    held: dict[str, Any]


def flat(root: Node) -> list[FlatNode]:
    """A node and all that follows it."""
    entries: list[FlatNode] = []
    waiting = [(root, ROOT)]
    while waiting:
        node, parent = waiting.pop()
        above = node.parent.position if parent != ROOT and node.parent is not None else None
        position = node.position
        follows = above is not None and position.previous is above and position.move == node.move
        own = {name: value for name, value in held(node).items() if name not in LINKS}
        entries.append(FlatNode(type(node), parent, node.move, None if follows else position, own))
        index = len(entries) - 1
        waiting += [(child, index) for child in reversed(node.children)]
    return entries


def grow(root: Node, entries: Sequence[FlatNode]) -> None:
    """Make a node that is still empty what the list says, with all that follows it."""
    nodes: list[Node] = []
    for entry in entries:
        node = root if entry.parent == ROOT else fresh(entry.kind)
        node.parent = None if entry.parent == ROOT else nodes[entry.parent]
        node.children, node.move = [], entry.move
        for name, value in entry.held.items():
            setattr(node, name, value)
        if entry.position is not None:
            node.position = entry.position
        if node.parent is not None:
            if entry.position is None and entry.move is not None:
                node.position = node.parent.position.play(entry.move)
            node.parent.children.append(node)
        nodes.append(node)


def fresh(kind: type[Node]) -> Node:
    """A node to be filled by `grow`."""
    return kind.__new__(kind)


def way_to(node: Node) -> tuple[Node, list[int]]:
    """The root of a game, and which child to take at each node from there to `node`."""
    path: list[int] = []
    while node.parent is not None:
        path.append(node.parent.children.index(node))
        node = node.parent
    return node, path[::-1]


def at_end_of(root: Node, path: Sequence[int]) -> Node:
    """The node that `way_to` has described."""
    node = root
    for number in path:
        node = node.children[number]
    return node


def held(node: Node) -> dict[str, Any]:
    """The attributes of a node, of whatever class."""
    attributes, slots = cast("tuple[dict[str, Any] | None, dict[str, Any]]", object.__getstate__(node))
    return {**(attributes or {}), **slots}
