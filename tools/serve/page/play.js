// A game against a network or a player without one.
import {post, variantOf} from './api.js';
import {Board} from './board.js';
import {el, percent, report, resultBar} from './dom.js';

/** Kinds without a network, with what their strength counts. */
const BASELINES = [
  {kind: 'alphabeta', text: 'Alpha-beta', unit: 'nodes', strength: 20000},
  {kind: 'mcts', text: 'Search with random games', unit: 'visits', strength: 400},
  {kind: 'random', text: 'Random moves', unit: null, strength: 0},
];
const NETWORK_VISITS = 100;
const MOST_SEED = 2 ** 31;

/** Opponents that can play `variant`: the run's networks where it is of their family. */
function opponentsFor(overview, variant) {
  const {run, networks, variants} = overview;
  const own = run && variants.find(({id}) => id === run.variant);
  const nets = own && networks && own.family === variant.family ?
    run.checkpoints.filter((checkpoint) => checkpoint.kept).reverse().map(({number}) => ({
      kind: 'net', checkpoint: number, text: `Checkpoint ${number}`, unit: 'visits',
      strength: NETWORK_VISITS})) : [];
  const shipped = networks && variant.trained ?
    [{kind: 'shipped', text: 'Trained network', unit: 'visits', strength: NETWORK_VISITS}] : [];
  return [...nets, ...shipped, ...BASELINES];
}

function endText(position) {
  const who = {first: 'The first player wins', second: 'The second player wins', draw: 'A draw'};
  return `${who[position.winner]}: ${position.reason.replace('_', ' ')}.`;
}

/** One game: its moves, whose turn it is, who thinks. */
class PlayedGame {
  constructor(variant, opponent, side, fen, view) {
    this.variant = variant;
    this.opponent = opponent;
    this.side = side; // the person's
    this.fen = fen;
    this.view = view;
    this.moves = [];
    this.position = null;
    this.thinking = false;
    this.ended = false; // nobody looks at it any more
    this.seed = Math.floor(Math.random() * MOST_SEED);
  }

  question() {
    return {variant: this.variant.id, fen: this.fen, moves: this.moves.map((move) => move.text)};
  }

  /** Runs `work` alone; what goes wrong is said, and leaves the game as it was. */
  async alone(work) {
    if (this.thinking) return;
    this.thinking = true;
    if (!this.ended) this.view.update();
    try {
      await work();
      if (!this.ended) report('');
    } catch (error) {
      if (!this.ended) report(error.message);
    }
    this.thinking = false;
    if (!this.ended) this.view.update();
  }

  async start() {
    await this.alone(async () => {
      this.position = await post('/api/position', this.question());
    });
    await this.reply();
  }

  /** The opponent's move, where it is its turn. */
  async reply() {
    if (this.ended || !this.position || this.position.winner) return;
    if (this.position.side === this.side) return;
    await this.alone(async () => {
      const answer = await post('/api/reply', {...this.question(), opponent: this.opponent,
        seed: this.seed + this.moves.length});
      this.moves.push(answer.move);
      this.position = answer.position;
      if (!this.ended) this.view.say(answer);
    });
  }

  async play(move) {
    await this.alone(async () => {
      this.moves.push(move);
      try {
        this.position = await post('/api/position', this.question());
      } catch (error) {
        this.moves.pop();
        throw error;
      }
    });
    await this.reply();
  }

  /** Back to the person's move before. */
  async undo() {
    await this.alone(async () => {
      const kept = this.moves;
      const back = this.position.side === this.side ? 2 : 1;
      this.moves = kept.slice(0, Math.max(kept.length - back, 0));
      try {
        this.position = await post('/api/position', this.question());
      } catch (error) {
        this.moves = kept;
        throw error;
      }
    });
    await this.reply();
  }

  /** What the opponent would play in the person's place. */
  async hint() {
    await this.alone(async () => {
      const answer = await post('/api/reply',
          {...this.question(), opponent: this.opponent, seed: this.seed});
      if (this.ended) return;
      this.view.say(answer, 'Hint: ');
      this.view.hinted = answer.move;
    });
  }
}

class PlayView {
  constructor(view, overview) {
    this.view = view;
    this.overview = overview;
    this.game = null;
    this.board = null;
    this.hinted = null;
    const start = overview.run ? overview.run.variant : overview.variants[0].id;
    this.variants = el('select', {'id': 'variant', 'aria-label': 'Variant',
      'onchange': () => this.newVariant()},
    ...overview.variants.map(({id, name}) =>
      el('option', {value: id, selected: id === start}, name)));
    this.opponents = el('select', {'id': 'opponent', 'aria-label': 'Opponent',
      'onchange': () => this.newOpponent()});
    this.strength = el('input', {'type': 'number', 'id': 'strength', 'min': 0, 'aria-label': 'Strength'});
    this.unit = el('span', {class: 'faint'});
    this.side = el('select', {'id': 'side', 'aria-label': 'Your side'},
        el('option', {value: 'first'}, 'You move first'),
        el('option', {value: 'second'}, 'You move second'),
        el('option', {value: 'random'}, 'Either side'));
    this.fen = el('input', {'id': 'fen', 'aria-label': 'Start position', 'spellcheck': 'false',
      'placeholder': 'FEN; empty: the start position'});
    this.status = el('p', {'id': 'status', 'role': 'status', 'aria-live': 'polite'});
    this.opinion = el('div');
    this.moves = el('div', {class: 'moves'});
    this.begun = 0;
    const button = (id, text, act) => el('button', {type: 'button', id, onclick: act}, text);
    this.undo = button('undo', 'Take back', () => this.game.undo());
    this.hint = button('hint', 'Hint', () => this.game.hint());
    this.newGame = button('new-game', 'New game', () => this.begin());
    this.flip = button('flip', 'Turn the board', () => this.board?.flip());
    this.place = el('section', {class: 'panel'});
  }

  arrange() {
    this.view.replaceChildren(el('div', {class: 'two'}, this.place,
        el('div', {class: 'side'},
            el('section', {class: 'panel'},
                el('div', {class: 'row'}, this.variants, this.opponents, this.strength, this.unit,
                    this.side),
                el('details', {}, el('summary', {}, 'Another start'), this.fen),
                el('div', {class: 'row'}, this.newGame, this.undo, this.hint, this.flip)),
            el('section', {class: 'panel'}, this.status, this.opinion, this.moves))));
  }

  async newVariant() {
    const chosen = this.overview.variants.find(({id}) => id === this.variants.value);
    this.choices = opponentsFor(this.overview, chosen);
    this.opponents.replaceChildren(...this.choices.map((choice, index) =>
      el('option', {value: index}, choice.text)));
    this.fen.value = '';
    this.newOpponent();
    await this.begin();
  }

  newOpponent() {
    const choice = this.choices[this.opponents.value];
    this.strength.value = choice.strength;
    this.strength.hidden = choice.unit === null;
    this.unit.textContent = choice.unit || '';
  }

  /** A new game as the fields have it, in place of the one there is. */
  async begin() {
    const number = ++this.begun;
    this.end();
    this.status.textContent = 'One moment …';
    try {
      const variant = await variantOf(this.variants.value);
      if (number !== this.begun) return;
      const choice = this.choices[this.opponents.value];
      const opponent = {kind: choice.kind, checkpoint: choice.checkpoint || 0,
        strength: Math.round(Number(this.strength.value))};
      const sides = ['first', 'second'];
      const side = this.side.value === 'random' ? sides[Math.floor(2 * Math.random())] : this.side.value;
      this.board = new Board(variant, {onMove: (move) => this.game.play(move)});
      if (side === 'second') this.board.flip();
      this.place.replaceChildren(this.board.element);
      this.opinion.replaceChildren();
      this.moves.replaceChildren();
      this.hinted = null;
      this.game = new PlayedGame(variant, opponent, side, this.fen.value.trim(), this);
      await this.game.start();
    } catch (error) {
      if (number !== this.begun) return;
      this.status.textContent = 'There is no game.';
      report(error.message);
    }
  }

  /** The game goes on no more. */
  end() {
    if (this.game) this.game.ended = true;
    this.undo.disabled = true;
    this.hint.disabled = true;
  }

  /** What a player thinks of the position it moved in. */
  say({move, wdl, visits, position}, before = '') {
    const text = `${before}${move.text}${visits ? `, ${visits} visits or nodes` : ''}`;
    if (!wdl) {
      this.opinion.replaceChildren(el('p', {class: 'faint'}, text));
      return;
    }
    // The mover was the other side of the position after the move.
    const [win, draw, loss] = position.side === 'second' ? wdl : [...wdl].reverse();
    const label = `first ${percent(win)}, draw ${percent(draw)}, second ${percent(loss)}`;
    this.opinion.replaceChildren(el('p', {class: 'faint'}, `${text}: ${label}`),
        resultBar(win, draw, loss, label));
  }

  update() {
    const {game, board} = this;
    const {position, moves, thinking} = game;
    if (!position) {
      this.status.textContent = thinking ? 'One moment …' : 'There is no game.';
      return;
    }
    const yours = !thinking && !position.winner && position.side === game.side;
    const hinted = yours && this.hinted;
    this.hinted = null;
    board.show({fen: position.fen, moves: yours ? position.moves : [], last: moves.at(-1) || null,
      check: position.in_check ? position.royal : null,
      arrows: hinted ? [{from: hinted.from, to: hinted.to, weight: 0.5}] : []});
    this.moves.replaceChildren(...moves.map((move, index) =>
      el('span', {}, `${index + 1}. ${move.text}\u00a0\u00a0`)));
    this.moves.scrollTop = this.moves.scrollHeight;
    // Where the opponent had no answer to give, it asks again, also for the first move.
    this.undo.disabled = thinking || (moves.length === 0 && position.side === game.side);
    this.hint.disabled = !yours;
    const check = position.in_check ? ' Check.' : '';
    if (position.winner) {
      this.status.textContent = endText(position);
    } else if (yours) {
      this.status.textContent = `Your move, as the ${game.side} player.${check}`;
    } else {
      this.status.textContent = thinking ? 'Thinking …' : 'Its move. Take back goes on.';
    }
  }
}

export function showPlay(view, overview) {
  const play = new PlayView(view, overview);
  play.arrange();
  play.newVariant();
  return () => {
    ++play.begun;
    play.end();
  };
}
