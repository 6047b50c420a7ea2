/** Waits for the result of a worker. */

const PAUSE_MS = 300;
const TRIES = 100;

/**
 * Calls `read` until `isDone` accepts its result, for at most 30 seconds. Returns the last result.
 * @template T
 * @param {() => Promise<T>} read
 * @param {(result: T) => unknown} isDone
 */
export async function until(read, isDone) {
  let found = await read();
  for (let tried = 1; tried < TRIES && !isDone(found); tried++) {
    await new Promise((done) => setTimeout(done, PAUSE_MS));
    found = await read();
  }
  return found;
}
