/** Generated types and schemas fit all recorded answers of the API reference. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";

import { createClient } from "@hey-api/openapi-ts";
import { build } from "esbuild";
import type { ZodType } from "zod";

type Step = { text: string; method: string; target: string; status: number; answer: unknown };
type Operation = { operationId: string };
type Recorded = Step & { path: string; operation: Operation };

const PACKAGE = join(import.meta.dirname, "../..");
const DOCUMENT = join(PACKAGE, "../../../functions/docs-api/openapi.json");
const STORY = join(PACKAGE, "../../documents/src/story/recorded.json");
const FIRST_ERROR = 400;

const { paths } = JSON.parse(readFileSync(DOCUMENT, "utf8")) as { paths: Record<string, Record<string, Operation>> };
const steps = JSON.parse(readFileSync(STORY, "utf8")) as Step[];
const recorded = steps.flatMap((step) => {
  const path = step.answer === null ? undefined : pathOf(step);
  const operation = path === undefined ? undefined : paths[path]?.[step.method.toLowerCase()];
  return path === undefined || operation === undefined ? [] : [{ ...step, path, operation }];
});

/** Returns the path of the operation. If several paths match, returns the path with the fewest parameters. */
function pathOf({ method, target }: Step): string | undefined {
  const [path = ""] = target.split("?");
  const matches = (template: string) => new RegExp(`^${template.replace(/\{[^}]+\}/g, "[^/]+")}$`).test(path);
  const found = Object.keys(paths).filter((template) => paths[template]?.[method.toLowerCase()] && matches(template));
  return found.sort((left, right) => left.split("{").length - right.split("{").length)[0];
}

it("the types of this client fit every recorded answer", () => {
  const lines = recorded.map(({ path, method, status, answer, text }, index) => {
    const type = `Answer<${JSON.stringify(path)}, "${method.toLowerCase()}", ${status}>`;
    return `// ${text}\nexport const answer${index}: ${type} = ${JSON.stringify(answer)};`;
  });
  const head = `import type { paths } from "../src/schema.js";
type Body<R> = R extends { content: { "application/json": infer B } } ? B : never;
type Of<O, S> = O extends { responses: infer R } ? S extends keyof R ? Body<R[S]> : never : never;
type Answer<P extends keyof paths, M extends keyof paths[P], S> = Of<paths[P][M], S>;
`;
  const file = join(PACKAGE, "test/answers.generated.ts");
  writeFileSync(file, `${head}${lines.join("\n")}\n`);
  try {
    const checked = spawnSync(join(PACKAGE, "node_modules/.bin/tsc"), ["--noEmit", "-p", PACKAGE], { encoding: "utf8" });
    assert.equal(checked.stdout, "");
  } finally {
    rmSync(file);
  }
  assert.ok(recorded.length > 200, String(recorded.length));
});

it("the schemas of @hey-api/openapi-ts read every recorded answer", async () => {
  const folder = mkdtempSync(join(tmpdir(), "hey-api-"));
  const output = join(folder, "generated");
  await createClient({ input: DOCUMENT, output, plugins: ["zod"], logs: { level: "silent" } });
  const outfile = join(folder, "zod.mjs");
  const nodePaths = [join(PACKAGE, "node_modules")];
  await build({ entryPoints: [join(output, "zod.gen.ts")], outfile, bundle: true, format: "esm", nodePaths });
  const schemas = (await import(outfile)) as Record<string, ZodType>;
  rmSync(folder, { recursive: true });
  const refused = recorded.flatMap((step) => {
    const read = schemaOf(schemas, step)?.safeParse(step.answer);
    return read?.success ? [] : [`${step.text}: ${read?.error ?? "no schema"}`];
  });
  assert.deepEqual(refused, []);
});

/** Returns the schema of an answer. All errors have the same schema. */
function schemaOf(schemas: Record<string, ZodType>, { operation, status }: Recorded): ZodType | undefined {
  const name = operation.operationId;
  return schemas[status < FIRST_ERROR ? `z${name[0]?.toUpperCase()}${name.slice(1)}Response` : "zFailure"];
}
