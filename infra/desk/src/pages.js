/** Reads the queue page by page. */

import { network } from "../shared/network.js";
import { entryOf } from "./entries.js";

const PAGE = 50;

/**
 * Returns a reader that adds the next cases to `entries`.
 * @param {Record<string, string>} filter
 * @param {import("./entries.js").Entry[]} entries
 * @param {(entry: import("./entries.js").Entry) => void} added
 */
export function caseReader(filter, entries, added) {
  const rows = network.rows("/admin/cases", { params: { query: { ...filter, take: PAGE } } });
  const reader = { isAll: false, isReading: false, read };

  async function read() {
    reader.isReading = true;
    try {
      for (let count = 0; count < PAGE && !reader.isAll; count++) {
        const { value, done } = await rows.next();
        reader.isAll = done === true;
        // A case that was reopened after a page was read can also be on a later page.
        if (value && !entries.some(({ found }) => found.id === value.id)) {
          const entry = entryOf(value);
          entries.push(entry);
          added(entry);
        }
      }
    } finally {
      reader.isReading = false;
    }
  }
  return reader;
}
