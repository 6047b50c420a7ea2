// Writes dist/social-client.js: the client and its dependencies as one module for browsers, with their licenses.

import { readFile, readdir } from "node:fs/promises";
import { build } from "esbuild";

const here = (path) => new URL(path, import.meta.url);

async function license(name) {
  const folder = here(`node_modules/${name}/`);
  const file = (await readdir(folder)).find((name) => /^licen[cs]e/i.test(name));
  return `${name}\n\n${(await readFile(new URL(file, folder), "utf8")).trim()}`;
}

const licenses = await Promise.all(["openapi-fetch", "pusher-js"].map(license));
await build({
  entryPoints: [here("dist/src/index.js").pathname],
  outfile: here("dist/social-client.js").pathname,
  bundle: true,
  format: "esm",
  platform: "browser",
  target: "es2022",
  minify: true,
  charset: "utf8",
  legalComments: "inline",
  banner: { js: `/*! Made by \`make client\` from infra/clients/typescript. It contains:\n\n${licenses.join("\n\n")}\n*/` },
});
