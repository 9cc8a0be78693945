// How training goes: figures and curves, live.
import {get} from './api.js';
import {chart} from './charts.js';
import {el, report} from './dom.js';

const REFRESH_MS = 5000;

/** Charts by the names of a run's metrics (selfplay/run_observer.cc); those without any stay away. */
const CHARTS = [
  {title: 'Loss', curves: {'loss/total': 'total', 'loss/policy': 'policy', 'loss/value': 'value'}},
  {title: 'Elo over the untrained network', curves: {'eval/rating': 'Elo'},
    low: 'eval/elo_low', high: 'eval/elo_high', middle: 'eval/elo'},
  {title: 'Length of games, plies', curves: {'selfplay/plies': 'plies'}},
  {title: 'Results', range: [0, 1], curves: {'selfplay/draws': 'draws',
    'selfplay/first_score': 'first player’s score', 'selfplay/truncated': 'cut short',
    'selfplay/resigned': 'resigned'}},
  {title: 'Policy, nats', curves: {'policy/entropy': 'entropy', 'policy/surprise': 'surprise'}},
  {title: 'Agreement with the search', range: [0, 1], curves: {'policy/agreement': 'first choice'}},
  {title: 'Value', curves: {'value/squared_error': 'squared error',
    'value/calibration_error': 'calibration error'}},
  {title: 'Speed, evaluations a second', curves: {'selfplay/evaluations_per_second': 'self-play'}},
];

function namesOf(description) {
  const {curves, low, high, middle} = description;
  return [...Object.keys(curves), low, high, middle].filter((name) => name);
}

/** The interval of each match around the sum of all so far. */
function bandOf({curves, low, high, middle}, values) {
  if (!low) return [];
  const at = (name) => new Map(values[name] || []);
  const [lows, highs, middles] = [at(low), at(high), at(middle)];
  return (values[Object.keys(curves)[0]] || [])
      .filter(([x]) => lows.has(x) && highs.has(x) && middles.has(x))
      .map(([x, y]) => [x, y + lows.get(x) - middles.get(x), y + highs.get(x) - middles.get(x)]);
}

function tiles(run) {
  const kept = run.checkpoints.filter((checkpoint) => checkpoint.kept);
  const newest = run.checkpoints.at(-1);
  const figures = [
    ['State', run.training ? 'at work' : 'at rest'],
    ['Variant', run.variant],
    ['Games', run.games.toLocaleString('en')],
    ['Rows', run.rows.toLocaleString('en')],
    ['Checkpoint', newest ? String(newest.number) : 'none'],
    ['Checkpoints kept', String(kept.length)],
  ];
  return el('dl', {class: 'tiles'}, ...figures.map(([name, value]) =>
    el('div', {}, el('dt', {}, name), el('dd', {}, value))));
}

async function load() {
  const {run} = await get('/api/overview');
  const known = new Set(run.metrics);
  const shown = CHARTS.filter((one) => Object.keys(one.curves).some((name) => known.has(name)));
  const names = shown.flatMap(namesOf).filter((name) => known.has(name));
  const values = names.length ? await get(`/api/curves?names=${names.join(',')}`) : {};
  return {run, shown, values};
}

/** Fills `view`; gives back what ends it. */
export function showTraining(view, overview) {
  if (!overview.run) {
    view.replaceChildren(el('p', {class: 'panel'}, 'No run is being shown. ',
        el('code', {}, 'crossriver serve RUN'), ' shows its curves, openings and games; ',
        el('a', {href: '#play'}, 'playing'), ' needs none.'));
    return () => {};
  }
  let ended = false;
  let timer = 0;
  let before = '';
  const refresh = async () => {
    clearTimeout(timer);
    try {
      if (!document.hidden) {
        const loaded = await load();
        if (ended) return;
        const now = JSON.stringify(loaded);
        if (now !== before) draw(view, loaded);
        before = now;
        report('');
      }
    } catch (error) {
      if (!ended) report(error.message);
    }
    if (ended) return;
    clearTimeout(timer); // of another call, where they overlap
    timer = setTimeout(refresh, REFRESH_MS);
  };
  document.addEventListener('visibilitychange', refresh);
  refresh();
  return () => {
    ended = true;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', refresh);
  };
}

function draw(view, {run, shown, values}) {
  const charts = shown.map((one) => chart({
    title: one.title,
    range: one.range || null,
    band: bandOf(one, values),
    curves: Object.entries(one.curves).filter(([name]) => values[name])
        .map(([name, text]) => ({name: text, points: values[name]})),
  }));
  view.replaceChildren(tiles(run), charts.length ?
    el('div', {class: 'charts'}, ...charts) :
    el('p', {class: 'panel'}, 'The first generation is still being played: no figures yet.'));
}
