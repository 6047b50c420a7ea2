/** Waits for the result of a worker. */

const PAUSE_MS = 300;
const MAX_READS = 100;

/**
 * Calls `read` until `isDone` accepts its result, for at most 30 seconds. Returns the last result.
 * @template T
 * @param {() => Promise<T>} read
 * @param {(result: T) => unknown} isDone
 */
export async function until(read, isDone) {
  let result = await read();
  for (let reads = 1; reads < MAX_READS && !isDone(result); reads++) {
    await new Promise((done) => setTimeout(done, PAUSE_MS));
    result = await read();
  }
  return result;
}
