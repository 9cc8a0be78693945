// Elements in few words.

const SVG = 'http://www.w3.org/2000/svg';

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) {
      element.addEventListener(name.slice(2), value);
    } else {
      element.setAttribute(name, value === true ? '' : value);
    }
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** An HTML element; attributes that begin with "on" are listeners. Children: nodes or texts. */
export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** Says what went wrong at the foot of the page; '' takes it away. */
export function report(text) {
  document.getElementById('message').textContent = text;
}

export function percent(share, digits = 0) {
  return `${(100 * share).toFixed(digits)}\u00a0%`;
}

/** Three shares as a bar: the first player's wins, draws, the second player's wins. */
export function resultBar(win, draw, loss, label) {
  const sum = win + draw + loss;
  const part = (name, share) => {
    const span = el('span', {class: name});
    span.style.width = `${sum > 0 ? (100 * share) / sum : 0}%`;
    return span;
  };
  return el('div', {class: 'bar', role: 'img', 'aria-label': label, title: label},
      part('win', win), part('tie', draw), part('loss', loss));
}
