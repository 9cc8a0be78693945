// Questions to the server. All of them throw an Error that people can read.

async function answerOf(response) {
  let answer;
  try {
    answer = await response.json();
  } catch {
    throw new Error('the server gave no answer that can be read');
  }
  if (!response.ok) throw new Error(answer.error || `the server answered ${response.status}`);
  return answer;
}

async function ask(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Error('the server does not answer: is crossriver serve still running?');
  }
  return answerOf(response);
}

export function get(path) {
  return ask(path, {});
}

export function post(path, body) {
  return ask(path, {
    method: 'POST',
    headers: {'Content-Type': 'application/json'},
    body: JSON.stringify(body),
  });
}

const variants = new Map();

/** A variant's board, pieces and start; asked for once. */
export async function variantOf(id) {
  if (!variants.has(id)) variants.set(id, await get(`/api/variants/${encodeURIComponent(id)}`));
  return variants.get(id);
}
