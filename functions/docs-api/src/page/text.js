// Converts a part of Markdown to elements: headings, paragraphs, lists, tables, code, links and emphasis.

const BLOCKS = [
  [/^```/, code],
  [/^#{1,3} /, heading],
  [/^\|/, table],
  [/^- /, (lines) => list("ul", lines)],
  [/^\d+\. /, (lines) => list("ol", lines)],
];

export function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

// Returns the elements of a text whose blocks are separated by empty lines. Code can contain empty lines.
export function blocks(text = "") {
  const parts = text.match(/```[^]*?\n```|[^\n](?:(?!\n\n)[^])*/g) ?? [];
  return parts.map((part) => block(part.trim()));
}

export function spans(text) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*|\*[^*]+\*|\[[^\]]+\]\([^)]+\))/).map((part) => {
    const link = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(part);
    if (link) return element("a", { href: link[2] }, link[1]);
    if (part.startsWith("`")) return element("code", {}, part.slice(1, -1));
    if (part.startsWith("**")) return element("strong", {}, part.slice(2, -2));
    return /^\*.+\*$/.test(part) ? element("em", {}, part.slice(1, -1)) : part;
  });
}

// Returns the name of a heading in links: `post-with-a-photo`.
export function anchor(title) {
  return title.toLowerCase().replace(/[^a-z0-9]+/g, "-");
}

function block(text) {
  const [, convert] = BLOCKS.find(([start]) => start.test(text)) ?? [];
  return convert ? convert(text.split("\n")) : element("p", {}, ...spans(text.replaceAll("\n", " ")));
}

function code(lines) {
  return element("pre", { tabIndex: 0 }, element("code", {}, lines.slice(1, -1).join("\n")));
}

function heading([line]) {
  const [marks, ...words] = line.split(" ");
  const title = words.join(" ");
  return element(`h${marks.length + 1}`, { id: anchor(title) }, ...spans(title));
}

// An ordered list starts at its first number, because a code block can interrupt the list.
function list(tag, lines) {
  const start = tag === "ol" ? { start: Number.parseInt(lines[0], 10) } : {};
  const items = lines.map((line) => element("li", {}, ...spans(line.replace(/^(-|\d+\.) /, ""))));
  return element(tag, start, ...items);
}

function table([head, , ...lines]) {
  const row = (line, tag) => element("tr", {}, ...cells(line).map((cell) => element(tag, {}, ...spans(cell))));
  return element("table", {}, row(head, "th"), ...lines.map((line) => row(line, "td")));
}

function cells(line) {
  return line.split("|").slice(1, -1).map((cell) => cell.trim());
}
