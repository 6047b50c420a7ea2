// Replaces each reference in an API document by its target. OpenAPI Explorer could do this itself, but then the first
// operation is visible only after almost twice the time (infra/bench/RESULTS.md).

export function resolveReferences(api) {
  const resolved = new Map();
  const seen = new Set();

  function resolve(value, within) {
    if (typeof value !== "object" || value === null || seen.has(value)) return value;
    if (value.$ref) return resolveReference(value, within);
    seen.add(value);
    for (const name of Object.keys(value)) value[name] = resolve(value[name], within);
    return value;
  }

  function resolveReference({ $ref, ...own }, within) {
    const name = $ref.split("/").at(-1);
    // OpenAPI Explorer shows a circular reference as a link to the schema.
    if (within.includes($ref)) return { ...own, circularReference: { $ref, name, id: name } };
    if (!resolved.has($ref)) resolved.set($ref, resolve(targetOf(api, $ref), [...within, $ref]));
    return { title: name, ...resolved.get($ref), ...own };
  }

  for (const part of ["paths", "components"]) {
    resolve(api[part], []);
    // OpenAPI Explorer searches only enumerable properties for references.
    Object.defineProperty(api, part, { enumerable: false });
  }
}

function targetOf(api, reference) {
  const names = reference.slice(2).split("/").map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
  return names.reduce((part, name) => part[name], api);
}
