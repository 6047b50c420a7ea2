/** Waiting for what a worker does. */

const PAUSE_MS = 300;
const TRIES = 100;

/**
 * Asks again until it is done, for half a minute at most. Returns what was answered last.
 * @template T
 * @param {() => Promise<T>} ask
 * @param {(answer: T) => unknown} isDone
 */
export async function until(ask, isDone) {
  let found = await ask();
  for (let tried = 1; tried < TRIES && !isDone(found); tried++) {
    await new Promise((done) => setTimeout(done, PAUSE_MS));
    found = await ask();
  }
  return found;
}
