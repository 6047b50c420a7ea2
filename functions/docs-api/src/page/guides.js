// Shows the guides, with an index of their titles.
import { anchor, blocks, element } from "/docs/text.js";

const text = await (await fetch("/docs/guides.md")).text();
const titles = [...text.matchAll(/^# (.+)$/gm)].map(([, title]) => title);
const links = titles.map((title) => element("li", {}, element("a", { href: `#${anchor(title)}` }, title)));
document.getElementById("index").append(element("ul", {}, ...links));
document.getElementById("guides").append(element("h1", {}, "Guides"), ...blocks(text));
// The browser could not scroll to the linked heading before the heading existed.
document.getElementById(location.hash.slice(1))?.scrollIntoView();
