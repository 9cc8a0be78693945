// How the board of any variant is drawn: levels side by side, hands above and below.
import {el, svg} from './dom.js';

const CELL = 48;
const GAP = 34; // between levels
const LABEL = 28;
const SIDE_NAMES = {first: 'First player', second: 'Second player'};

/** A piece around 0, 0. `facing`: -1 looks up the screen, 1 down. */
function drawPiece(piece, facing) {
  const letter = piece.kind.slice(-1);
  const prefix = piece.kind.slice(0, -1);
  const tip = `M -7 ${facing * 17} L 0 ${facing * 22.5} L 7 ${facing * 17} Z`;
  return svg('g', {class: `piece ${piece.side}${prefix ? ' changed' : ''}`},
      svg('path', {class: 'disc', d: tip}),
      svg('circle', {class: 'disc', r: 18}),
      svg('text', {y: 7, 'font-size': prefix ? 17 : 21}, prefix + letter));
}

/** What a board looks like; board.js says what happens on it. */
export class BoardPicture {
  constructor(variant) {
    this.variant = variant;
    this.flipped = false;
    this.state = null;
    this.onMove = null;
    this.picked = null; // {from} or {drop}
    this.cursor = null; // a cell's name, while the keyboard is used
    this.resume = variant.cells[0].name; // where the keyboard goes on
    this.above = null; // the cell whose neighbours on other levels are marked
    this.byName = new Map(variant.cells.map((cell) => [cell.name, cell]));
    this.picture = svg('svg', {tabindex: 0, role: 'application'});
    this.marks = svg('g');
    this.trays = {first: el('div', {class: 'hand'}), second: el('div', {class: 'hand'})};
  }

  // Where things are.

  left(cell) {
    const {files} = this.variant;
    const file = this.flipped ? files - 1 - cell.file : cell.file;
    return LABEL + cell.level * (files * CELL + GAP) + file * CELL;
  }

  top(cell) {
    const rank = this.flipped ? cell.rank : this.variant.ranks - 1 - cell.rank;
    return this.captionHeight() + rank * CELL;
  }

  captionHeight() {
    return this.variant.levels > 1 ? LABEL : 4;
  }

  /** The cells at the same place of the other levels. */
  matesOf(cell) {
    return this.variant.cells.filter((other) => other !== cell && other.file === cell.file &&
        other.rank === cell.rank);
  }

  // For people who can't see the board.

  title() {
    return `Board of ${this.variant.name}; arrow keys move, Enter picks up and puts down`;
  }

  describe(name) {
    const piece = this.position.cells.get(name);
    if (!piece) return `${name}, empty`;
    const kind = this.variant.kinds[piece.kind];
    return `${name}, ${kind ? kind.name : piece.kind}, ${SIDE_NAMES[piece.side].toLowerCase()}`;
  }

  movesOf(picked) {
    return this.state.moves.filter((move) => picked.drop !== undefined ?
      move.drop === picked.drop : move.from === picked.from);
  }

  isOwn(name) {
    return this.state.moves.some((move) => move.from === name);
  }

  /** Cells that the piece that is picked up can reach. */
  targets() {
    return new Set(this.picked ? this.movesOf(this.picked).map((move) => move.to) : []);
  }

  // Drawing. All of it each time: it is a hundred cells.

  draw() {
    const {levels, files, ranks} = this.variant;
    const width = LABEL + levels * files * CELL + (levels - 1) * GAP + 6;
    const height = this.captionHeight() + ranks * CELL + LABEL;
    this.picture.setAttribute('viewBox', `0 0 ${width} ${height}`);
    this.picture.setAttribute('aria-label', this.cursor ? this.describe(this.cursor) : this.title());
    this.picture.setAttribute('class', this.onMove && this.state.moves.length ? 'live' : '');
    const targets = this.targets();
    this.drawMarks();
    this.picture.replaceChildren(
        ...this.variant.cells.map((cell) => this.drawCell(cell, targets)), ...this.drawLabels(),
        ...this.drawArrows(), ...this.drawPieces(), this.marks);
    for (const side of ['first', 'second']) this.drawHand(side);
  }

  drawCell(cell, targets) {
    const {last, check} = this.state;
    const classes = ['cell'];
    if (cell.tinted) classes.push('tinted');
    if (last && (last.to === cell.name || last.from === cell.name)) classes.push('last');
    if (check === cell.name) classes.push('check');
    if (targets.has(cell.name)) classes.push('lit');
    if (this.picked && this.picked.from === cell.name) classes.push('from');
    if (this.isOwn(cell.name)) classes.push('own');
    return svg('rect', {class: classes.join(' '), 'data-cell': cell.name, x: this.left(cell),
      y: this.top(cell), width: CELL, height: CELL},
    svg('title', {}, this.describe(cell.name)));
  }

  drawLabels() {
    const {levels, files, ranks, cells} = this.variant;
    const labels = [];
    const bottom = this.captionHeight() + ranks * CELL;
    for (const cell of cells) {
      if (cell.rank !== 0) continue;
      const letter = cell.name.replace(/\d+$/, '');
      labels.push(svg('text', {class: 'label', x: this.left(cell) + CELL / 2, y: bottom + 19}, letter));
    }
    for (let rank = 0; rank < ranks; ++rank) {
      const y = this.top({rank}) + CELL / 2 + 5;
      labels.push(svg('text', {class: 'label', x: LABEL / 2, y}, String(rank + 1)));
    }
    for (let level = 0; level < levels; ++level) {
      const x = LABEL + level * (files * CELL + GAP);
      labels.push(svg('rect', {class: 'frame', x, y: this.captionHeight(), width: files * CELL,
        height: ranks * CELL}));
      if (levels === 1) continue;
      const where = level === 0 ? ' (top)' : level === levels - 1 ? ' (bottom)' : '';
      labels.push(svg('text', {class: 'label', x: x + files * CELL / 2, y: 18},
          `Level ${level + 1}${where}`));
    }
    return labels;
  }

  drawPieces() {
    return [...this.position.cells].map(([name, piece]) => {
      const cell = this.byName.get(name);
      const up = (piece.side === 'first') !== this.flipped;
      const drawn = drawPiece(piece, up ? -1 : 1);
      drawn.setAttribute('transform',
          `translate(${this.left(cell) + CELL / 2} ${this.top(cell) + CELL / 2})`);
      return drawn;
    });
  }

  outline(name, kind, inset) {
    const cell = this.byName.get(name);
    return svg('rect', {class: `mark ${kind}`, x: this.left(cell) + inset, y: this.top(cell) + inset,
      width: CELL - 2 * inset, height: CELL - 2 * inset, rx: 6});
  }

  /** Marks alone change while the pointer moves: what lies under it must stay to be clicked. */
  drawMarks() {
    const marks = [];
    for (const name of this.targets()) {
      const cell = this.byName.get(name);
      const at = {cx: this.left(cell) + CELL / 2, cy: this.top(cell) + CELL / 2};
      const taken = this.position.cells.has(name);
      marks.push(svg('circle', {class: taken ? 'mark ring' : 'mark dot', ...at, r: taken ? 21 : 7}));
    }
    const pointed = this.above || this.cursor;
    if (this.variant.levels > 1 && pointed) {
      for (const mate of this.matesOf(this.byName.get(pointed))) {
        marks.push(this.outline(mate.name, 'above', 3));
      }
    }
    if (this.cursor) marks.push(this.outline(this.cursor, 'cursor', 2));
    this.marks.replaceChildren(...marks);
  }

  drawArrows() {
    return this.state.arrows.map(({from, to, weight}) => {
      const target = this.byName.get(to);
      const x2 = this.left(target) + CELL / 2;
      const y2 = this.top(target) + CELL / 2;
      const width = 2 + 8 * weight;
      const source = from && this.byName.get(from);
      if (!source) {
        return svg('circle', {class: 'arrow', cx: x2, cy: y2, r: 22, 'stroke-width': width});
      }
      const x1 = this.left(source) + CELL / 2;
      const y1 = this.top(source) + CELL / 2;
      const turn = Math.atan2(y2 - y1, x2 - x1);
      const barb = (angle) => `L ${x2 - 14 * Math.cos(turn + angle)} ${y2 - 14 * Math.sin(turn + angle)}`;
      return svg('path', {class: 'arrow', 'stroke-width': width,
        d: `M ${x1} ${y1} L ${x2} ${y2} ${barb(0.5)} M ${x2} ${y2} ${barb(-0.5)}`});
    });
  }

  drawHand(side) {
    const tray = this.trays[side];
    const hand = this.position.hands[side];
    const facing = (side === 'first') !== this.flipped ? -1 : 1;
    const pieces = this.variant.hand.filter((kind) => hand.has(kind)).map((kind) => {
      const can = this.onMove && this.position.side === side &&
          this.state.moves.some((move) => move.drop === kind);
      const name = this.variant.kinds[kind] ? this.variant.kinds[kind].name : kind;
      const pressed = this.picked !== null && this.picked.drop === kind && this.position.side === side;
      return el('button', {
        'type': 'button', 'data-hand': kind, 'disabled': !can, 'title': name,
        'aria-label': `${name}, ${hand.get(kind)} in hand`, 'aria-pressed': String(pressed),
        'onclick': () => this.pick(pressed ? null : {drop: kind}),
      }, svg('svg', {viewBox: '-24 -24 48 48'}, drawPiece({kind, side}, facing)),
      `×${hand.get(kind)}`);
    });
    const focused = tray.contains(document.activeElement) ?
      document.activeElement.getAttribute('data-hand') : null;
    tray.replaceChildren(el('span', {class: 'who'}, `${SIDE_NAMES[side].split(' ')[0]}’s hand`),
        ...(pieces.length ? pieces : [el('span', {class: 'faint'}, 'empty')]));
    if (focused) tray.querySelector(`[data-hand="${focused}"]`)?.focus();
  }
}
