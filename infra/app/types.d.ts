/** The schemas of the API document: `Schemas["Post"]`. */
type Schemas = import("../clients/typescript/src/index.js").components["schemas"];

/** The arguments of a view. `signal` is aborted when the user leaves it. */
interface Visit {
  params: string[];
  query: URLSearchParams;
  signal: AbortSignal;
}
