# Positions for Python: the kernel's counterpart of `rules.Position`, with the same methods.

import cython

from turkengine.rules.move import Move as RulesMove
from turkengine.rules.outcome import outcome as rules_outcome
from turkengine.rules.position import check, material_limit as rules_material_limit
from turkengine.rules.position import Position as RulesPosition
from turkengine.rules.variant import Side
from turkengine.games import variant_named

VARIANT_NAME = GAME.decode("ascii")
VARIANT = variant_named(VARIANT_NAME)
WHITE_SIDE, BLACK_SIDE = Side.WHITE, Side.BLACK
NOTHING_CAPTURED = frozenset()
cdef object NAMES = VARIANT.board.own_names

cdef dict quiet_moves = {}  # by 64 * origin + target; they are few and asked for all the time


cdef object rules_move(const Move* move):
    """A move for Python. The path is left out where it takes a search to find one."""
    cdef int origin = SQUARE_OF_BIT[move.origin], target = SQUARE_OF_BIT[move.target]
    cdef u64 captured = move.captured
    cdef list victims
    if captured == 0:
        known = quiet_moves.get(64 * origin + target)
        if known is None:
            path = origin, target
            known = quiet_moves[64 * origin + target] = RulesMove(origin, target, NOTHING_CAPTURED, path, NAMES)
        return known
    victims = []
    while captured:
        victims.append(SQUARE_OF_BIT[lowest_bit(captured)])
        captured &= captured - 1
    return RulesMove(origin, target, frozenset(victims), (origin, target) if len(victims) == 1 else (), NAMES)


cdef Move kernel_move(object move) except *:
    cdef Move result
    result.origin = bit_of(move.origin)
    result.target = bit_of(move.target)
    result.heading = NO_HEADING
    result.order = 0
    result.captured = 0
    for square in move.captured:
        result.captured |= bit(bit_of(square))
    return result


cdef uint8_t bit_of(int square) except 255:
    if not 0 <= square < SQUARES:
        raise ValueError(f"square index {square} is not on the board of {VARIANT_NAME}")
    return BIT_OF_SQUARE[square]


@cython.final
@cython.trashcan(True)
cdef class Position:
    """A position of this variant's game, with what the draw rules have counted; it never changes.

    Equal positions have the same board, side to move and counts; the game before does not matter.
    """

    cdef Node node
    cdef Position previous  # as long as it can come back
    cdef readonly bint follows_a_move  # whether one has led here; not so where the position was set up
    cdef str letters  # of `cells`, once asked for

    @staticmethod
    def start():
        """The position in which a game begins."""
        return Position.from_cells(START_CELLS, VARIANT.begins)

    @staticmethod
    def from_cells(str cells not None, side, int no_progress=0, int material_plies=0):
        """A position set up: one letter a square in index order, w b men, W B kings, e empty; counts in plies.

        Raises:
            PositionError: the rules do not accept it.
        """
        cdef Position position
        cdef u64 white = 0, black = 0, kings = 0, here
        cdef int square
        check(VARIANT, cells)
        for square in range(SQUARES):
            here = bit(BIT_OF_SQUARE[square])
            letter = cells[square]
            if letter == "w" or letter == "W":
                white |= here
            elif letter == "b" or letter == "B":
                black |= here
            if letter == "W" or letter == "B":
                kings |= here
        position = Position.__new__(Position)
        position.node.black = side is BLACK_SIDE
        position.node.board.own = black if side is BLACK_SIDE else white
        position.node.board.enemy = white if side is BLACK_SIDE else black
        position.node.board.kings = kings
        position.node.no_progress = no_progress
        position.node.material_plies = material_plies
        complete(&position.node)
        position.letters = cells
        return position

    @property
    def variant(self):
        """The rules it is played by."""
        return VARIANT

    @property
    def side(self):
        """The side to move."""
        return BLACK_SIDE if self.node.black else WHITE_SIDE

    @property
    def cells(self):
        """One letter a square in index order: w b (men), W B (kings), e (empty)."""
        cdef u64 white = self.node.board.enemy if self.node.black else self.node.board.own
        cdef u64 black = self.node.board.own if self.node.black else self.node.board.enemy
        cdef u64 here
        cdef char[SQUARES] letters
        cdef int square
        if self.letters is None:
            for square in range(SQUARES):
                here = bit(BIT_OF_SQUARE[square])
                if white & here:
                    letters[square] = c"W" if self.node.board.kings & here else c"w"
                elif black & here:
                    letters[square] = c"B" if self.node.board.kings & here else c"b"
                else:
                    letters[square] = c"e"
            self.letters = letters[:SQUARES].decode("ascii")
        return self.letters

    @property
    def key(self):
        """The Zobrist key: equal for equal boards with the same side to move."""
        return self.node.key

    @property
    def no_progress(self):
        """Plies since the last capture or other move that makes progress."""
        return self.node.no_progress

    @property
    def material_plies(self):
        """Plies played since the balance of `material_limit` arose."""
        return self.node.material_plies

    @property
    def material_limit(self):
        """The rule that counts the plies of this balance of material, None where no rule does."""
        return rules_material_limit(VARIANT, self.cells) if self.node.material_limit else None

    @property
    def occurrences(self):
        """How often this board with this side to move has been in the game, this time included."""
        cdef Position earlier = self
        cdef int count = 1
        while earlier.previous is not None:
            earlier = earlier.previous
            count += earlier.node.key == self.node.key
        return count

    def count(self, side):
        """(kings, men) of `side`."""
        cdef u64 pieces = self.node.board.own if (side is BLACK_SIDE) == self.node.black else self.node.board.enemy
        return count_bits(pieces & self.node.board.kings), count_bits(pieces & ~self.node.board.kings)

    def legal_moves(self):
        """Every legal move once, as `rules.Move`; the order means nothing."""
        cdef Arena arena
        cdef int i
        if not arena_open(&arena):
            raise MemoryError("no memory for a list of moves")
        try:
            generate_moves(&self.node, &arena)
            return [rules_move(&arena.moves[i]) for i in range(arena.used)]
        finally:
            arena_close(&arena)

    def play(self, move):
        """The position after `move`, which must be legal."""
        cdef Position next = Position.__new__(Position)
        cdef Move made = kernel_move(move)
        play(&self.node, &made, &next.node)
        next.follows_a_move = True
        if next.node.no_progress:
            next.previous = self
        return next

    def outcome(self, no_progress=None):
        """The result if the game is over, else None; `no_progress` replaces the plies of an optional rule."""
        return rules_outcome(self, no_progress)

    def evaluate(self):
        """The static evaluation in hundredths of a man, from the side to move."""
        return evaluate(&self.node)

    def evaluation_terms(self):
        """What `evaluate` is made of: (name, White's part, Black's part) in hundredths of a man for each term.

        Their differences add up to the score from White's side, but for rounding and before it is cut off at the largest
        static score. What the network says of how the pieces stand is counted for the side that it favours.
        """
        cdef u64 white = self.node.board.enemy if self.node.black else self.node.board.own
        cdef u64 black = self.node.board.own if self.node.black else self.node.board.enemy
        cdef u64 kings = self.node.board.kings
        cdef int squares = 0, black_squares = 0, standing
        cdef Sums sums
        for square in range(64):
            if white >> square & 1:
                squares += PIECE_SQUARE[WHITE_KING if kings >> square & 1 else WHITE_MAN][square].value
            elif black >> square & 1:
                black_squares -= PIECE_SQUARE[BLACK_KING if kings >> square & 1 else BLACK_MAN][square].value
        sum_up(&self.node, &sums)
        standing = network_value(&sums, self.node.black, count_bits(white | black))
        if self.node.black:
            standing = -standing
        parts = [
            ("pieces", squares, black_squares),
            ("how they stand", max(standing, 0), max(-standing, 0)),
        ]
        return [(name, ours >> VALUE_SHIFT, theirs >> VALUE_SHIFT) for name, ours, theirs in parts]

    def perft(self, int depth, bint every_leaf=False):
        """The number of sequences of `depth` legal moves; the interpreter is free meanwhile.

        `every_leaf` makes the last move of each too, instead of adding up how many there are.
        """
        cdef Walk walk
        cdef u64 leaves
        if depth <= 0:
            return 1
        if not arena_open(&walk.arena):
            raise MemoryError("no memory for a list of moves")
        walk.checksum = 0
        with nogil:
            leaves = count_leaves(&self.node, &walk, depth, every_leaf)
        arena_close(&walk.arena)
        return leaves

    def __eq__(self, other):
        cdef Position position
        if type(other) is not Position:
            return NotImplemented
        position = other
        return (self.node.key == position.node.key and self.cells == position.cells
                and self.node.no_progress == position.node.no_progress
                and self.node.material_plies == position.node.material_plies)

    def __hash__(self):
        return hash(self.node.key)

    def __repr__(self):
        return (f"Position({VARIANT_NAME!r}, {self.cells!r}, {self.side}, no_progress={self.no_progress}, "
                f"material_plies={self.material_plies})")


START_CELLS = RulesPosition.start(VARIANT).cells
