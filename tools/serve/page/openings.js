// The openings that a run plays: a position, what was played there, and how it went.
import {post, variantOf} from './api.js';
import {Board} from './board.js';
import {el, percent, report, resultBar} from './dom.js';

const ARROWS = 4;

function checkpoints({first, last}) {
  if (first === null) return '';
  return first === last ? String(first) : `${first}–${last}`;
}

/** The mover's score of the results, and where it lies with 95 %. */
function score({score: mean, low, high}) {
  if (mean === null) return ['–'];
  const range = low === null || high === null ? '' :
    ` ${(100 * low).toFixed(0)}–${(100 * high).toFixed(0)}`;
  return [percent(mean), el('span', {class: 'faint'}, range)];
}

function rowOf(move, total, play) {
  const {games, first_wins: wins, draws, second_wins: losses} = move;
  const label = `first player ${wins}, draws ${draws}, second player ${losses}`;
  return el('tr', {'class': 'pick', 'data-move': move.text, 'onclick': () => play(move)},
      el('td', {}, el('button', {type: 'button'}, move.text)),
      el('td', {class: 'number'}, String(games)),
      el('td', {class: 'number wide-only'}, percent(games / total)),
      el('td', {}, resultBar(wins, draws, losses, label)),
      el('td', {class: 'number'}, ...score(move)),
      el('td', {class: 'number'}, move.value === null ? '–' : percent(move.value)),
      el('td', {class: 'number wide-only'}, move.visits ? move.visits.toFixed(0) : '–'),
      el('td', {class: 'wide-only'}, checkpoints(move)));
}

function table(answer, play) {
  const heads = [['Move', ''], ['Games', 'number'], ['Share', 'number wide-only'],
    ['First – draw – second', ''], ['Score', 'number'], ['Value', 'number'],
    ['Visits', 'number wide-only'], ['Checkpoints', 'wide-only']];
  return el('table', {}, el('thead', {}, el('tr', {}, ...heads.map(([text, kind]) =>
    el('th', {class: kind}, text)))),
  el('tbody', {}, ...answer.played.map((move) => rowOf(move, answer.games, play))));
}

export async function showOpenings(view, overview) {
  if (!overview.run) {
    view.replaceChildren(el('p', {class: 'panel'}, 'No run is being shown: there are no openings.'));
    return () => {};
  }
  const variant = await variantOf(overview.run.variant);
  const line = []; // moves from the start
  let ended = false;
  let asked = 0;
  const board = new Board(variant, {onMove: (move) => go([...line, move])});
  const path = el('div', {class: 'moves', 'aria-label': 'Line'});
  const list = el('div', {class: 'scroll'});
  const note = el('p', {class: 'faint'});
  const back = el('button', {type: 'button', onclick: () => go(line.slice(0, -1))}, 'Back');
  const flip = el('button', {type: 'button', onclick: () => board.flip()}, 'Turn the board');

  async function go(moves) {
    const number = ++asked;
    try {
      const answer = await post('/api/openings',
          {variant: variant.id, moves: moves.map((move) => move.text)});
      if (ended || number !== asked) return;
      line.splice(0, line.length, ...moves);
      draw(answer);
      report('');
    } catch (error) {
      if (!ended && number === asked) report(error.message);
    }
  }

  function draw(answer) {
    const {position, played, games} = answer;
    const arrows = played.slice(0, ARROWS).map((move) =>
      ({from: move.from, to: move.to, weight: move.games / games}));
    board.show({fen: position.fen, moves: position.moves, last: line.at(-1), arrows,
      check: position.in_check ? position.royal : null});
    path.replaceChildren(
        el('button', {'type': 'button', 'onclick': () => go([])}, 'Start'),
        ...line.map((move, index) => el('button', {'type': 'button',
          'aria-current': index === line.length - 1 ? 'true' : null,
          'onclick': () => go(line.slice(0, index + 1))}, `${index + 1}. ${move.text}`)));
    back.disabled = line.length === 0;
    list.replaceChildren(played.length ? table(answer, (move) => go([...line, move])) :
      el('p', {}, 'No game of these went on from here.'));
    note.textContent = games === 0 ? `${answer.note}.` :
      `${games} games came here and went on. Of ${answer.note}. Score: that of the side to move, ` +
        'with its 95 % interval. Value: what the network expects for it. ' +
        'Arrows: the moves played most.';
  }

  const onKey = (event) => {
    if (event.key === 'Backspace' && event.target.tagName !== 'INPUT' && line.length) {
      event.preventDefault();
      go(line.slice(0, -1));
    }
  };
  document.addEventListener('keydown', onKey);
  view.replaceChildren(el('div', {class: 'two'},
      el('section', {class: 'panel'}, board.element),
      el('section', {class: 'side panel'}, el('div', {class: 'row'}, back, flip), path, list, note)));
  go([]);
  return () => {
    ended = true;
    document.removeEventListener('keydown', onKey);
  };
}
