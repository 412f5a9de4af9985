// Which moves are meant by the squares that were tapped. No page, no board: values in, values out.
//
// `legal` are the Choices of the server: {move, from, to, captured, routes}. The taps begin with the piece. A move is possible
// while one of its routes has the taps in their order; a circular one ends with a tap on the piece itself.

/** How far each route is by these taps: the place of the last tap in it, or -1 where they do not lie on it. */
function reach(route, taps) {
  if (route[0] !== taps[0]) return -1;
  let place = 0;
  for (const tap of taps.slice(1)) {
    place = route.indexOf(tap, place + 1);
    if (place < 0) return -1;
  }
  return place;
}

/** The moves that are possible by these taps, each with what is left of its routes. */
export function possible(legal, taps) {
  if (!taps.length) return [];
  const found = [];
  for (const choice of legal) {
    if (choice.from !== taps[0]) continue;
    const ways = choice.routes.map((route) => [route, reach(route, taps)]).filter(([, place]) => place >= 0);
    if (ways.length) found.push({ ...choice, ways });
  }
  return found;
}

/**
 * What a tap means.
 *
 * Returns `{play}` (the one move that is left), `{taps}` (what is chosen now), `{wrong: [from, square]}` (a step against the
 * rules), or `{stuck: square}` (a piece of `side` that has no move). `incomplete`: routes are missing, so the end counts, too.
 */
export function tap(legal, taps, square, { cells, side, incomplete = false }) {
  const movable = legal.some((choice) => choice.from === square);
  const own = cells[square].toUpperCase() === side && cells[square] !== 'e';
  if (!taps.length) {
    if (movable) return { taps: [square] };
    return own ? { stuck: square } : { taps: [] };
  }
  let further = possible(legal, [...taps, square]);
  if (!further.length && incomplete) further = possible(legal, taps).filter((choice) => choice.to === square);
  if (further.length === 1) return { play: further[0] };
  if (further.length) return { taps: [...taps, square] };
  const last = taps[taps.length - 1];
  if (taps.length > 1 && square === last) {
    const ending = possible(legal, taps).filter((choice) => choice.to === square);
    return ending.length === 1 ? { play: ending[0] } : { taps };
  }
  if (square === taps[0]) return { taps: [] };
  if (movable) return { taps: [square] };
  if (own) return { stuck: square };
  return taps.length > 1 || cells[square] !== 'e' ? { taps } : { wrong: [taps[0], square] };
}

/** Where the next tap may go. */
export function targets(left) {
  const found = new Set();
  for (const { ways } of left) for (const [route, place] of ways) for (const square of route.slice(place + 1)) found.add(square);
  return [...found];
}

/** Whether several moves are to be offered by name: more than the piece is tapped, or its routes are not all known. */
export const isChoice = (left, taps, complete) =>
  left.length > 1 && (taps.length > 1 || (!complete && left.some((choice) => choice.captured.length)));

/** The moves that are offered by name: those that end where the last tap was, where there are several; they come first else. */
export function offered(left, taps) {
  const last = taps[taps.length - 1];
  const ends = left.filter(({ to }) => taps.length > 1 && to === last);
  return ends.length > 1 ? ends : [...ends, ...left.filter((choice) => !ends.includes(choice))];
}

/** The pieces that every possible move has jumped so far. */
export function jumped(left, variant) {
  let common = null;
  for (const { ways, captured } of left) {
    for (const [route, place] of ways) {
      const here = new Set(captured.filter((victim) => isBetween(variant, victim, route.slice(0, place + 1))));
      common = common === null ? here : new Set([...common].filter((square) => here.has(square)));
    }
  }
  return [...(common ?? [])];
}

function isBetween(variant, victim, route) {
  const { file, rank } = variant.squares[victim];
  return route.slice(1).some((square, n) => {
    const [a, b] = [variant.squares[route[n]], variant.squares[square]];
    const inside = (x, from, to) => x >= Math.min(from, to) && x <= Math.max(from, to);
    const straight = (b.file - a.file) * (rank - a.rank) === (b.rank - a.rank) * (file - a.file);
    return straight && inside(file, a.file, b.file) && inside(rank, a.rank, b.rank);
  });
}

/** The position after a move as far as the page can know it; the server says whether a man is crowned. */
export function after(cells, choice) {
  const letters = [...cells];
  letters[choice.from] = 'e';
  for (const square of choice.captured) letters[square] = 'e';
  letters[choice.to] = cells[choice.from];
  return letters.join('');
}
