// Games of the run, stepped through with what the search thought.
import {get, variantOf} from './api.js';
import {Board} from './board.js';
import {chart} from './charts.js';
import {el, percent, report, resultBar} from './dom.js';
import {parseFen, parseMove} from './position.js';

const PAGE = 100;
const MOST = 1000; // of the newest games
const ARROWS = 3;
const WINNERS = {first: 'first', second: 'second', draw: 'draw', none: '–'};

/** The mover's chances as the first player's. */
function forFirst(wdl, side) {
  return side === 'first' ? wdl : [wdl[2], wdl[1], wdl[0]];
}

function opinionRow(name, wdl, side) {
  if (!wdl) return [];
  const [win, draw, loss] = forFirst(wdl, side);
  const text = `first ${percent(win)}, draw ${percent(draw)}, second ${percent(loss)}`;
  return [el('span', {}, name), el('div', {}, resultBar(win, draw, loss, text),
      el('span', {class: 'faint'}, text))];
}

/** What is known of the move at `ply`. */
function opinion(game, ply) {
  const move = game.moves[ply];
  if (!move) return [el('p', {}, `The end: ${WINNERS[game.winner]}, ${game.end}.`)];
  const {side} = parseFen(game.fens[ply]);
  const searched = move.visits ? `${move.visits} visits, ${move.full ? 'full' : 'cheap'} search` :
    'no search';
  const by = move.checkpoint >= 0 ? `, checkpoint ${move.checkpoint}` : '';
  const policy = move.policy.map(([text, share]) => el('tr', {},
      el('td', {}, text), el('td', {class: 'number'}, percent(share, 1))));
  return [
    el('p', {}, el('strong', {}, `${ply + 1}. ${move.text}`), ` – ${searched}${by}`),
    el('div', {class: 'opinion'}, ...opinionRow('Search', move.search, side),
        ...opinionRow('Network', move.network, side)),
    policy.length ? el('table', {}, el('thead', {}, el('tr', {}, el('th', {}, 'Search’s choice'),
        el('th', {class: 'number'}, 'Share'))), el('tbody', {}, ...policy)) : '',
  ];
}

/** Expected scores of the first player along the game. */
function scoreCurve(game, ply, onPick) {
  const points = (name) => game.moves.flatMap((move, index) => {
    if (!move[name]) return [];
    const [win, draw] = forFirst(move[name], parseFen(game.fens[index]).side);
    return [[index, win + draw / 2]];
  });
  return chart({title: 'First player’s expected score', range: [0, 1], here: ply, onPick,
    curves: [{name: 'search', points: points('search')},
      {name: 'network', points: points('network')}]});
}

class Replayer {
  constructor(variant) {
    this.board = new Board(variant);
    this.game = null;
    this.ply = 0;
    this.slider = el('input', {'type': 'range', 'min': 0, 'aria-label': 'Ply',
      'oninput': () => this.show(Number(this.slider.value))});
    this.moves = el('div', {class: 'moves'});
    this.opinion = el('div');
    this.curve = el('div');
    const step = (text, label, to) => el('button', {'type': 'button', 'aria-label': label,
      'title': label, 'onclick': () => this.game && this.show(to())}, text);
    this.controls = el('div', {class: 'row'},
        step('|◀', 'First (Home)', () => 0), step('◀', 'Back (left arrow)', () => this.ply - 1),
        step('▶', 'On (right arrow)', () => this.ply + 1),
        step('▶|', 'Last (End)', () => this.game.moves.length),
        el('button', {type: 'button', onclick: () => this.board.flip()}, 'Turn the board'));
  }

  open(game) {
    this.game = game;
    this.slider.max = game.moves.length;
    this.moves.replaceChildren(...game.moves.map((move, index) => el('button',
        {type: 'button', onclick: () => this.show(index + 1)}, `${index + 1}. ${move.text}`)));
    this.show(0);
  }

  show(ply) {
    const {game} = this;
    if (!game) return;
    this.ply = Math.min(Math.max(ply, 0), game.moves.length);
    const next = game.moves[this.ply];
    const arrows = next ? next.policy.slice(0, ARROWS).map(([text, share]) =>
      ({...parseMove(text), weight: share})) : [];
    this.board.show({fen: game.fens[this.ply], last: game.moves[this.ply - 1] || null, arrows});
    this.slider.value = this.ply;
    [...this.moves.children].forEach((button, index) => {
      if (index === this.ply - 1) {
        button.setAttribute('aria-current', 'true');
        this.moves.scrollTop = button.offsetTop - this.moves.offsetTop - 40;
      } else {
        button.removeAttribute('aria-current');
      }
    });
    this.opinion.replaceChildren(...opinion(game, this.ply));
    this.curve.replaceChildren(scoreCurve(game, this.ply, (to) => this.show(to)));
  }

  onKey(event) {
    if (event.target.tagName === 'INPUT' || event.target.tagName === 'SELECT') return;
    if (event.altKey || event.ctrlKey || event.metaKey) return; // the browser's own
    const to = {ArrowLeft: this.ply - 1, ArrowRight: this.ply + 1, Home: 0,
      End: this.game ? this.game.moves.length : 0}[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.show(to);
  }
}

function gameRow(game, open) {
  return el('tr', {'class': 'pick', 'data-game': game.id, 'onclick': () => open(game.id)},
      el('td', {}, el('button', {type: 'button'}, game.id)),
      el('td', {class: 'number'}, String(game.generation)),
      el('td', {class: 'number'}, String(game.plies)),
      el('td', {}, WINNERS[game.winner]), el('td', {}, game.end),
      el('td', {class: 'wide-only'}, game.start));
}

export async function showGames(view, overview, wanted) {
  if (!overview.run) {
    view.replaceChildren(el('p', {class: 'panel'}, 'No run is being shown: there are no games.'));
    return () => {};
  }
  const variant = await variantOf(overview.run.variant);
  const replayer = new Replayer(variant);
  const rows = el('tbody');
  const title = el('h2', {}, 'Choose a game');
  let count = PAGE;
  let asked = 0;
  let ended = false;
  const more = el('button', {type: 'button', onclick: () => {
    count = Math.min(2 * count, MOST);
    list();
  }}, 'More');
  const number = el('input', {'type': 'number', 'min': 1, 'aria-label': 'Number of a game',
    'placeholder': 'number', 'onchange': () => number.value && open(number.value)});

  function mark() {
    for (const row of rows.children) {
      const shown = replayer.game && row.getAttribute('data-game') === replayer.game.id;
      row.setAttribute('aria-selected', String(Boolean(shown)));
    }
  }

  async function open(id) {
    const question = ++asked;
    try {
      const game = await get(`/api/games/${encodeURIComponent(id)}`);
      if (ended || question !== asked) return;
      const other = game.variant === overview.run.variant ? '' : ` (${game.variant})`;
      title.textContent = `Game ${game.id}${other}: ${WINNERS[game.winner]}, ${game.end}; start: ${game.start}`;
      replayer.open(game);
      mark();
      history.replaceState(null, '', `#games/${game.id}`);
      report('');
    } catch (error) {
      if (!ended && question === asked) report(error.message);
    }
  }

  async function list() {
    try {
      const games = await get(`/api/games?count=${count}`);
      if (ended) return;
      rows.replaceChildren(...games.map((game) => gameRow(game, open)));
      mark();
      more.hidden = games.length < count || count === MOST;
      if (games.length === 0) title.textContent = 'No games yet';
      if (!replayer.game && (wanted || games.length)) await open(wanted || games[0].id);
    } catch (error) {
      if (!ended) report(error.message);
    }
  }

  const heads = [['Game', ''], ['Generation', 'number'], ['Plies', 'number'], ['Won by', ''],
    ['End', ''], ['Start', 'wide-only']];
  const onKey = (event) => replayer.onKey(event);
  document.addEventListener('keydown', onKey);
  view.replaceChildren(el('div', {class: 'two'},
      el('section', {class: 'panel'}, title, replayer.board.element, replayer.controls,
          replayer.slider),
      el('div', {class: 'side'},
          el('section', {class: 'panel'}, replayer.opinion, replayer.moves), replayer.curve,
          el('section', {class: 'panel'}, el('div', {class: 'row'}, el('h2', {}, 'Newest games'),
              number, more),
          el('div', {class: 'scroll'}, el('table', {}, el('thead', {}, el('tr', {},
              ...heads.map(([text, kind]) => el('th', {class: kind}, text)))), rows))))));
  list();
  return () => {
    ended = true;
    document.removeEventListener('keydown', onKey);
  };
}
