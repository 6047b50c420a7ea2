// Writes src/schema.ts: the types of the API, and which operations may be repeated with a key.

import { readFile, writeFile } from "node:fs/promises";
import openapi, { astToString } from "openapi-typescript";

const document = new URL("../../../functions/docs/openapi.json", import.meta.url);
const api = JSON.parse(await readFile(document, "utf8"));

const takesKey = ({ parameters = [] }) => parameters.some((it) => it.$ref?.endsWith("/Idempotency-Key"));
const repeatable = Object.entries(api.paths)
  .filter(([, methods]) => methods.post !== undefined && takesKey(methods.post))
  .map(([path]) => path);

const types = astToString(await openapi(api, { defaultNonNullable: false }));
const paths = `/** The paths whose POST takes an \`Idempotency-Key\`. */
export const REPEATABLE: ReadonlySet<string> = new Set(${JSON.stringify(repeatable, null, 2)});
`;
await writeFile(new URL("src/schema.ts", import.meta.url), `${types}\n${paths}`);
