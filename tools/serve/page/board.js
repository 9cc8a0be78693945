// A board that shows positions and is played on, by pointer and by keyboard.
import {BoardPicture} from './board_picture.js';
import {el} from './dom.js';
import {parseFen} from './position.js';

export class Board extends BoardPicture {
  /**
   * `variant`: as /api/variants has it. `onMove(move)` is called with one of the moves given to
   * show() that the person has chosen.
   */
  constructor(variant, {onMove = null} = {}) {
    super(variant);
    this.onMove = onMove;
    this.chooser = el('div', {class: 'chooser'});
    this.element = el('div', {class: 'board'});
    this.listen();
    this.arrange();
  }

  /**
   * Shows a position: {fen, moves: those that may be played, last: {from, to} to mark,
   * check: a cell in check, arrows: [{from, to, weight}]}.
   */
  show(state) {
    this.state = {moves: [], last: null, check: null, arrows: [], ...state};
    this.position = parseFen(state.fen);
    this.picked = null;
    this.chooser.replaceChildren();
    this.draw();
  }

  flip() {
    this.flipped = !this.flipped;
    this.arrange();
    if (this.state) this.draw();
  }

  arrange() {
    const hasHands = this.variant.drops;
    const [top, bottom] = this.flipped ? ['first', 'second'] : ['second', 'first'];
    this.element.replaceChildren();
    if (hasHands) this.element.append(this.trays[top]);
    this.element.append(this.picture);
    if (hasHands) this.element.append(this.trays[bottom]);
    this.element.append(this.chooser);
  }

  // What may be done.

  pick(picked) {
    this.picked = picked;
    this.chooser.replaceChildren();
    this.draw();
  }

  /** What a click or Enter on a cell does. */
  choose(name) {
    if (!this.onMove || !this.state) return;
    const moves = this.picked ? this.movesOf(this.picked).filter((move) => move.to === name) : [];
    if (moves.length === 1) {
      this.play(moves[0]);
    } else if (moves.length > 1) {
      this.askPromotion(moves);
    } else if (this.isOwn(name) && !(this.picked && this.picked.from === name)) {
      this.pick({from: name});
    } else {
      this.pick(null);
    }
  }

  play(move) {
    this.pick(null);
    this.onMove(move);
  }

  askPromotion(moves) {
    // The buttons go, and the keyboard is back on the board.
    const button = (text, act) => el('button', {type: 'button', onclick: () => {
      this.picture.focus({preventScroll: true});
      act();
    }}, text);
    const buttons = moves.map((move) =>
      button(move.promotes ? 'Promote' : 'Stay as it is', () => this.play(move)));
    this.chooser.replaceChildren('Promote?', ...buttons, button('Cancel', () => this.pick(null)));
    buttons[0].focus();
  }

  listen() {
    const cellOf = (event) => event.target.closest('[data-cell]')?.getAttribute('data-cell');
    this.picture.addEventListener('click', (event) => {
      const name = cellOf(event);
      this.cursor = null;
      if (name) this.choose(name);
    });
    this.picture.addEventListener('pointerover', (event) => this.markAbove(cellOf(event)));
    this.picture.addEventListener('pointerleave', () => this.markAbove(null));
    this.picture.addEventListener('keydown', (event) => this.onKey(event));
    this.picture.addEventListener('blur', () => this.moveCursor(null));
    this.element.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && this.picked) {
        if (this.chooser.contains(event.target)) this.picture.focus({preventScroll: true});
        this.pick(null);
        event.stopPropagation();
      }
    });
  }

  onKey(event) {
    const steps = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]};
    const step = steps[event.key];
    if (!this.onMove || !this.state || event.altKey || event.ctrlKey || event.metaKey ||
        !(step || event.key === 'Enter' || event.key === ' ')) return;
    event.preventDefault();
    event.stopPropagation();
    if (!step) {
      if (this.cursor) this.choose(this.cursor);
      return;
    }
    const turn = this.flipped ? -1 : 1;
    this.moveCursor(this.cursor ? this.stepFrom(this.cursor, step[0], step[1] * turn) : this.resume);
  }

  /** The cell beside `name` on the screen; over the edge of a level to the next level. */
  stepFrom(name, right, up) {
    const {levels, files, ranks, cells} = this.variant;
    const cell = this.byName.get(name);
    const shown = this.flipped ? files - 1 - cell.file : cell.file;
    const column = Math.min(Math.max(cell.level * files + shown + right, 0), levels * files - 1);
    const file = this.flipped ? files - 1 - column % files : column % files;
    const level = Math.floor(column / files);
    const rank = Math.min(Math.max(cell.rank + up, 0), ranks - 1);
    return cells.find((one) => one.level === level && one.file === file && one.rank === rank).name;
  }

  moveCursor(name) {
    if (this.cursor === name) return;
    this.cursor = name;
    this.resume = name || this.resume;
    this.picture.setAttribute('aria-label', name ? this.describe(name) : this.title());
    if (this.state) this.drawMarks();
  }

  markAbove(name) {
    if (this.variant.levels === 1 || this.above === name) return;
    this.above = name;
    if (this.state) this.drawMarks();
  }
}
