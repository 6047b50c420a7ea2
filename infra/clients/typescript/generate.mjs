// Writes src/schema.ts: the types of the API, and the operations with an idempotency key. Writes src/events.ts: the types
// of pushed events by name.

import { readFile, writeFile } from "node:fs/promises";
import openapi, { astToString } from "openapi-typescript";

const document = new URL("../../../functions/docs-api/openapi.json", import.meta.url);
const api = JSON.parse(await readFile(document, "utf8"));

const takesKey = ({ parameters = [] }) => parameters.some(({ $ref }) => $ref?.endsWith("/Idempotency-Key"));
const repeatable = Object.entries(api.paths).flatMap(([path, methods]) =>
  ["post", "delete"].filter((method) => methods[method] && takesKey(methods[method]))
    .map((method) => `${method.toUpperCase()} ${path}`));

const types = astToString(await openapi(api, { defaultNonNullable: false }));
const paths = `/** The operations that take an \`Idempotency-Key\`. */
export const REPEATABLE: ReadonlySet<string> = new Set(${JSON.stringify(repeatable, null, 2)});
`;
await writeFile(new URL("src/schema.ts", import.meta.url), `${types}\n${paths}`);

const pushed = JSON.parse(await readFile(new URL("asyncapi.json", document), "utf8")).components;
const messages = Object.values(pushed.messages);
// An OpenAPI document with schemas only, for the generator of types.
const events = {
  type: "object",
  description: "The events by name. An event may arrive twice, with the same `eventId`.",
  properties: Object.fromEntries(messages.map(({ name, payload, summary }) => [name, { ...payload, description: summary }])),
  required: messages.map(({ name }) => name),
};
const schemas = { openapi: "3.1.0", info: {}, paths: {}, components: { schemas: { ...pushed.schemas, Events: events } } };
const declared = astToString(await openapi(schemas, { defaultNonNullable: false }));
const exported = '/** The events by name. An event may arrive twice, with the same `eventId`. */\n' +
  'export type Events = components["schemas"]["Events"];\n';
await writeFile(new URL("src/events.ts", import.meta.url), `${declared}\n${exported}`);
