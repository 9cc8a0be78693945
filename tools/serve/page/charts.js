// Curves over generations, and of one game over its plies.
import {el, svg} from './dom.js';

const WIDTH = 420;
const HEIGHT = 220;
const LEFT = 46;
const RIGHT = 8;
const TOP = 8;
const BOTTOM = 24;

/** About `count` round numbers between two. */
function ticks(low, high, count) {
  const rough = (high - low) / count;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * unit).find((size) => size >= rough);
  const values = [];
  for (let value = Math.ceil(low / step) * step; value <= high + step / 1e6; value += step) {
    values.push(Number(value.toPrecision(12)));
  }
  return values;
}

function shortNumber(value) {
  return Math.abs(value) >= 10000 ? `${Number((value / 1000).toPrecision(3))}k` :
    String(Number(value.toPrecision(4)));
}

function rangeOf(values, fixed) {
  if (fixed) return fixed;
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low === Infinity) return [0, 1];
  // What differs by rounding alone is one value: there are no ticks in between.
  const size = Math.max(Math.abs(low), Math.abs(high));
  const room = high - low > 1e-9 * size ? (high - low) * 0.06 : size * 0.1 || 1;
  return [low - room, high + room];
}

function legend(curves) {
  return el('ul', {class: 'legend'}, ...curves.map((curve, index) => {
    const last = curve.points.at(-1);
    return el('li', {}, svg('svg', {viewBox: '0 0 20 10'},
        svg('path', {class: `curve curve-${index}`, d: 'M 0 5 H 20'})),
    `${curve.name}${last ? ` ${shortNumber(last[1])}` : ''}`);
  }));
}

/**
 * A chart of {title, curves: [{name, points: [[x, y]]}], band: [[x, low, high]] behind the first
 * curve, range: [low, high] or null, here: an x to mark, onPick(x)}.
 */
export function chart({title, curves, band = [], range = null, here = null, onPick = null}) {
  const points = curves.flatMap((curve) => curve.points);
  const [low, high] = rangeOf(
      [...points.map(([, y]) => y), ...band.flatMap(([, from, to]) => [from, to])], range);
  const xs = points.map(([x]) => x);
  const first = xs.length ? xs.reduce((a, b) => Math.min(a, b)) : 0;
  const last = xs.length ? xs.reduce((a, b) => Math.max(a, b)) : 1;
  const spread = Math.max(last - first, 1);
  const toX = (x) => LEFT + ((x - first) / spread) * (WIDTH - LEFT - RIGHT);
  const toY = (y) => TOP + ((high - y) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  const picture = svg('svg', {viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': title});
  for (const value of ticks(low, high, 4)) {
    picture.append(svg('path', {class: 'grid', d: `M ${LEFT} ${toY(value)} H ${WIDTH - RIGHT}`}),
        svg('text', {'x': LEFT - 5, 'y': toY(value) + 4, 'text-anchor': 'end'}, shortNumber(value)));
  }
  if (points.length === 0) {
    picture.append(svg('text', {'x': WIDTH / 2, 'y': HEIGHT / 2, 'text-anchor': 'middle'},
        'nothing yet'));
  } else {
    for (const value of ticks(first, first + spread, 5).filter(Number.isInteger)) {
      picture.append(svg('text', {'x': toX(value), 'y': HEIGHT - 6, 'text-anchor': 'middle'},
          String(value)));
    }
  }
  if (band.length > 1) {
    const upper = band.map(([x, , top]) => `${toX(x)} ${toY(top)}`);
    const lower = band.map(([x, bottom]) => `${toX(x)} ${toY(bottom)}`).reverse();
    picture.append(svg('path', {class: 'band', d: `M ${[...upper, ...lower].join(' L ')} Z`}));
  }
  curves.forEach((curve, index) => {
    const line = curve.points.map(([x, y]) => `${toX(x)} ${toY(y)}`);
    if (line.length > 1) {
      picture.append(svg('path', {class: `curve curve-${index}`, d: `M ${line.join(' L ')}`}));
    }
    if (line.length > 40) return;
    for (const [x, y] of curve.points) {
      picture.append(svg('circle', {class: `curve-${index}`, cx: toX(x), cy: toY(y), r: 2.5},
          svg('title', {}, `${curve.name}, ${x}: ${shortNumber(y)}`)));
    }
  });
  if (here !== null) {
    const x = toX(Math.min(Math.max(here, first), last));
    picture.append(svg('path', {class: 'here', d: `M ${x} ${TOP} V ${HEIGHT - BOTTOM}`}));
  }
  if (onPick) {
    picture.addEventListener('click', (event) => {
      const box = picture.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * WIDTH;
      const at = first + ((x - LEFT) / (WIDTH - LEFT - RIGHT)) * spread;
      onPick(Math.round(Math.min(Math.max(at, first), last)));
    });
  }
  return el('section', {class: 'panel chart'}, el('h2', {}, title), picture, legend(curves));
}
