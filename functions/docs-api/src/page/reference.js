// Shows the API document, with the status, the scopes and code samples of each operation.
import { resolveReferences } from "/docs/resolve.js";
import { samples } from "/docs/samples.js";

// The console of the local stack stores an access token under this key of `localStorage`.
const TOKEN = "reference-token";

function annotate(path, method, operation) {
  const scopes = operation["x-scopes"]?.map((scope) => `\`${scope}\``).join(", ");
  const facts = [`**Status:** ${operation["x-status"]}`];
  facts.push(scopes ? `**Scopes:** ${scopes}` : "**Scopes:** none");
  facts.push(`**Operation ID:** \`${operation.operationId}\``);
  operation.description = `${facts.join(" · ")}\n\n${operation.description ?? ""}`;
  operation["x-code-samples"] = samples(requestOf(path, method, operation));
}

// Returns the first example of a parameter or a body.
function exampleOf({ example, examples }) {
  return example ?? Object.values(examples ?? {})[0]?.value;
}

// Builds a request from the examples of the document.
function requestOf(path, method, operation) {
  const required = (operation.parameters ?? []).filter(({ required }) => required);
  const filled = required
    .filter((parameter) => parameter.in === "path")
    .reduce((url, part) => url.replace(`{${part.name}}`, encodeURIComponent(exampleOf(part) ?? part.name)), path);
  const query = required.filter((parameter) => parameter.in === "query").map((part) => [part.name, exampleOf(part)]);
  const headers = required.filter((parameter) => parameter.in === "header").map((part) => [part.name, exampleOf(part)]);
  if (operation.security?.length) headers.push(["authorization", "Bearer ACCESS_TOKEN"]);
  const body = exampleOf(operation.requestBody?.content["application/json"] ?? {});
  if (body !== undefined) headers.push(["content-type", "application/json"]);
  const search = query.length ? `?${new URLSearchParams(query)}` : "";
  return { method: method.toUpperCase(), url: location.origin + filled + search, headers, body };
}

// Makes OpenAPI Explorer link to an operation by its operation ID, instead of its method and path.
function linkByOperationId({ detail }) {
  for (const tag of detail.tags) {
    for (const path of tag.paths) path.elementId = path.operationId;
  }
}

// Converts a link such as `/docs#createPost` to the form of OpenAPI Explorer. Returns the linked operation.
function expandShortLink() {
  const id = location.hash.slice(1);
  if (/^[a-zA-Z]+$/.test(id)) history.replaceState(null, "", `#?route=${id}`);
  return new URLSearchParams(location.hash.split("?")[1]).get("route");
}

function followLink() {
  const linked = expandShortLink();
  if (linked) reader.scrollTo(linked);
}

// Moves the code samples beside the request. By default, OpenAPI Explorer shows them above the request.
function addThirdColumn(reader) {
  const style = new CSSStyleSheet();
  style.replaceSync(`@media (min-width: 1200px) {
    .expanded-endpoint-body:has(> section syntax-highlighter) { position: relative; padding-right: 42%; }
    .expanded-endpoint-body > section:has(syntax-highlighter) { position: absolute; right: 0; top: 48px; width: 39%; }
  }`);
  reader.shadowRoot.adoptedStyleSheets = [...reader.shadowRoot.adoptedStyleSheets, style];
}

async function useToken(reader) {
  const token = localStorage.getItem(TOKEN);
  if (token) await reader.setAuthenticationConfiguration("bearer", { token });
}

const api = await (await fetch("/openapi.json")).json();
resolveReferences(api);
for (const [path, item] of Object.entries(api.paths)) {
  for (const [method, operation] of Object.entries(item)) {
    if (operation.operationId) annotate(path, method, operation);
  }
}

const reader = document.querySelector("openapi-explorer");
window.addEventListener("hashchange", followLink);
window.addEventListener("storage", ({ key }) => key === TOKEN && useToken(reader));
reader.addEventListener("spec-loaded", linkByOperationId);
const linked = expandShortLink();
if (linked) reader.setAttribute("explorer-location", linked);
addThirdColumn(reader);
await reader.loadSpec(api);
await useToken(reader);
