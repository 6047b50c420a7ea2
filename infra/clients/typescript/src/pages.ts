/** Lists, row by row. */

import type { Client, FetchOptions } from "openapi-fetch";

import { answer } from "./errors.js";
import type { components, paths } from "./schema.js";

type Get<P extends keyof paths> = paths[P] extends { get: infer Operation } ? Operation : never;
type Body<P extends keyof paths> =
  Get<P> extends { responses: { 200: { content: { "application/json": infer Answer } } } } ? Answer : never;

/** The paths that return a list. */
export type ListPath = {
  [P in keyof paths]: Body<P> extends { pagination: components["schemas"]["Pagination"] } ? P : never;
}[keyof paths];

/** A row of the list at a path. */
export type RowOf<P extends ListPath> = Body<P> extends { data: (infer Row)[] } ? Row : never;

/** Options of a list, without its cursor. */
export type ListOptions<P extends ListPath> = FetchOptions<Get<P>>;

interface List<Row> {
  data: Row[];
  pagination: components["schemas"]["Pagination"];
}
type GetList<Row> = (path: string, options: object) => Promise<{ data?: List<Row>; response: Response }>;

/** Returns each row of a list once. Reads a page when its first row is requested. */
export async function* rows<P extends ListPath>(
  api: Client<paths>,
  path: P,
  options: ListOptions<P>,
): AsyncGenerator<RowOf<P>, void, undefined> {
  const get = api.GET as unknown as GetList<RowOf<P>>;
  const { params } = options as { params?: { query?: object } };
  for (let after: string | null | undefined; after !== null; ) {
    const query = after === undefined ? params?.query : { ...params?.query, after };
    const page = await answer(get(path, { ...options, params: { ...params, query } }));
    yield* page.data;
    after = page.pagination.hasMore ? (page.pagination.after ?? null) : null;
  }
}
