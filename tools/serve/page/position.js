// A position read from extended FEN (core/notation.h). Knows no variant.

function pieceOf(prefix, letter) {
  const upper = letter.toUpperCase();
  return {kind: prefix + upper, side: letter === upper ? 'first' : 'second'};
}

/**
 * {cells: Map from a cell's name to {kind, side}, hands: {first, second} as Maps from kind to
 * count, side}. Kinds are the first player's letters.
 */
export function parseFen(fen) {
  const [placement, side] = fen.split(' ');
  const [board, held = ''] = placement.replace(']', '').split('[');
  const cells = new Map();
  const rows = board.split('/');
  rows.forEach((row, index) => {
    let column = 0;
    for (const [, empty, prefix, letter] of row.matchAll(/(\d+)|([^A-Za-z\d]*)([A-Za-z])/g)) {
      if (empty !== undefined) {
        column += Number(empty);
      } else {
        const name = String.fromCharCode(97 + column) + (rows.length - index);
        cells.set(name, pieceOf(prefix, letter));
        ++column;
      }
    }
  });
  const hands = {first: new Map(), second: new Map()};
  for (const [, prefix, letter] of held.matchAll(/([^A-Za-z-]*)([A-Za-z])/g)) {
    const piece = pieceOf(prefix, letter);
    const hand = hands[piece.side];
    hand.set(piece.kind, (hand.get(piece.kind) || 0) + 1);
  }
  return {cells, hands, side: side === 'w' ? 'first' : 'second'};
}

/** A move's text as the page's moves have it, for marking: {from or drop, to}. */
export function parseMove(text) {
  const [, from, to] = text.match(/^(.*?)([a-z]+\d+)\+?$/) || [null, '', ''];
  return from.endsWith('@') ? {drop: from.slice(0, -1), to} : {from, to};
}
