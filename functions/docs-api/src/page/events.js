// Shows the AsyncAPI document: channels, events, fields and examples.
import { blocks, element, spans } from "/docs/text.js";

const api = await (await fetch("/asyncapi.json")).json();

function resolve(value) {
  if (!value?.$ref) return value ?? {};
  const names = value.$ref.slice(2).split("/").map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
  return resolve(names.reduce((part, name) => part[name], api));
}

// Returns the fields of a schema and its nested fields. A nested field's name begins with its parents: `user.name`.
function fieldsOf(schema, prefix = "", depth = 0) {
  const { allOf = [], oneOf = [], anyOf = [], properties = {}, required = [], items } = resolve(schema);
  const own = Object.entries(properties).flatMap(([name, field]) => {
    const row = { name: prefix + name, field: resolve(field), required: required.includes(name) };
    return depth < 4 ? [row, ...fieldsOf(field, `${prefix}${name}.`, depth + 1)] : [row];
  });
  const parts = [...allOf, ...oneOf, ...anyOf].flatMap((part) => fieldsOf(part, prefix, depth));
  return [...own, ...parts, ...(items ? fieldsOf(items, prefix, depth) : [])];
}

function typeOf(schema) {
  const { type, format, enum: values, const: constant, oneOf, anyOf, items } = resolve(schema);
  if (constant !== undefined) return JSON.stringify(constant);
  if (values) return values.map((value) => JSON.stringify(value)).join(" | ");
  if (oneOf ?? anyOf) return [...new Set((oneOf ?? anyOf).map(typeOf))].join(" | ");
  if (items) return `array of ${typeOf(items)}`;
  return [[type ?? "object"].flat().join(" | "), format && `(${format})`].filter(Boolean).join(" ");
}

function tableOf(rows) {
  const head = element("tr", {}, ...["field", "type", "meaning"].map((name) => element("th", {}, name)));
  const lines = rows.map(({ name, field, required }) =>
    element(
      "tr",
      {},
      element("td", {}, element("code", {}, name), required ? "" : " (optional)"),
      element("td", {}, typeOf(field)),
      element("td", {}, ...spans(field.description ?? "")),
    ),
  );
  return element("table", {}, head, ...lines);
}

function viewOfEvent(channel, id, message) {
  const rows = fieldsOf(message.payload);
  const section = element("section", { id: `${channel}-${id}`, className: "event" });
  const text = element("div", {}, element("h3", {}, element("code", {}, message.name)));
  text.append(...blocks(message.description ?? message.summary), ...(rows.length ? [tableOf(rows)] : []));
  const examples = (message.examples ?? []).map(({ payload }) =>
    element("pre", {}, JSON.stringify(payload, null, 2)),
  );
  section.append(text, element("div", {}, ...examples));
  return section;
}

function viewOfChannel([id, channel]) {
  const heading = element("h2", {}, `${channel.title}: `, element("code", {}, channel.address));
  const parameters = Object.entries(channel.parameters ?? {}).map(([name, parameter]) => {
    const { description } = resolve(parameter);
    return element("p", {}, element("code", {}, `{${name}}`), `: ${description ?? ""}`);
  });
  const events = messagesOf(channel).map(([name, message]) => viewOfEvent(id, name, message));
  return element("section", { id }, heading, ...blocks(channel.description), ...parameters, ...events);
}

function indexOf([id, channel]) {
  const links = messagesOf(channel).map(([name, message]) =>
    element("li", {}, element("a", { href: `#${id}-${name}` }, message.name)),
  );
  const heading = element("h2", {}, element("a", { href: `#${id}` }, channel.title));
  return element("div", {}, heading, element("ul", {}, ...links));
}

function messagesOf(channel) {
  return Object.entries(channel.messages).map(([name, message]) => [name, resolve(message)]);
}

const channels = Object.entries(api.channels);
document.getElementById("index").append(...channels.map(indexOf));
const title = element("h1", {}, `${api.info.title} ${api.info.version}`);
document.getElementById("events").append(title, ...blocks(api.info.description), ...channels.map(viewOfChannel));
// When the browser opened the link, the page did not contain the linked event yet.
document.getElementById(location.hash.slice(1))?.scrollIntoView();
