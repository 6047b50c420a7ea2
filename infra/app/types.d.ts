/** The API's shapes, by the names of its document: `Schemas["PostView"]`. */
type Schemas = import("../clients/typescript/src/index.js").components["schemas"];

/** What a view is opened with. `signal` is aborted when it is left. */
interface Visit {
  params: string[];
  query: URLSearchParams;
  signal: AbortSignal;
}
