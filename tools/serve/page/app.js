// The page: views by the part of the address behind '#', one at a time.
import {get} from './api.js';
import {el, report} from './dom.js';
import {showGames} from './games.js';
import {showOpenings} from './openings.js';
import {showPlay} from './play.js';
import {showTraining} from './training.js';

/** Each fills the view and gives back what ends it. */
const VIEWS = {
  training: showTraining,
  openings: showOpenings,
  games: showGames,
  play: showPlay,
};

const view = document.getElementById('view');
let end = () => {};
let shown = 0;

function wanted(overview) {
  const [name, argument] = location.hash.slice(1).split('/');
  if (Object.hasOwn(VIEWS, name)) return [name, argument];
  return [overview.run ? 'training' : 'play', undefined];
}

async function show() {
  const number = ++shown;
  end();
  end = () => {};
  report('');
  try {
    const overview = await get('/api/overview');
    if (number !== shown) return;
    const [name, argument] = wanted(overview);
    document.getElementById('run-line').textContent = overview.run ?
      `${overview.run.folder}, ${overview.run.variant}` : 'no run';
    for (const link of document.querySelectorAll('nav a')) {
      if (link.hash === `#${name}`) {
        link.setAttribute('aria-current', 'page');
      } else {
        link.removeAttribute('aria-current');
      }
    }
    // Of its own, so that one that is slow to load fills nothing that is shown after it.
    const place = el('div');
    view.replaceChildren(place);
    const ended = await VIEWS[name](place, overview, argument);
    if (number === shown) {
      end = ended;
    } else {
      ended();
    }
  } catch (error) {
    if (number !== shown) return;
    report(error.message);
    view.replaceChildren(el('p', {class: 'panel'}, error.message, ' ',
        el('button', {type: 'button', onclick: show}, 'Try again')));
  }
}

window.addEventListener('hashchange', show);
show();
