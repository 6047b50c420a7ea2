/** Tests of the npm package in an empty folder. The quickstart must run in Node.js, and in a page that vite builds. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, it } from "node:test";

import { build as bundle } from "esbuild";
import { chromium } from "playwright-core";
import { build, preview } from "vite";

import { start } from "./stack.js";

const PACKAGE = join(import.meta.dirname, "../..");
const EXPECTED = ["sent 69 of 69 bytes", "ann a dot", "ann hello"];

let folder: string;

/** Returns the quickstart of the README, for the service at `url`. */
function quickstart(url: string): string {
  const code = /```ts\n(.*?)```/s.exec(readFileSync(join(PACKAGE, "README.md"), "utf8"))?.[1] ?? "";
  const { host, port } = new URL(url);
  return code.replace("127.0.0.1:3000", host).replace("port: 3000", `port: ${port}`);
}

function runs(program: string, ...options: string[]): string {
  return execFileSync(program, options, { cwd: folder, encoding: "utf8" });
}

before(() => {
  folder = mkdtempSync(join(tmpdir(), "social-client-"));
  writeFileSync(join(folder, "package.json"), '{ "name": "empty", "private": true, "type": "module" }');
  runs("npm", "pack", PACKAGE, "--ignore-scripts", "--silent");
  const packed = readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "";
  runs("npm", "install", "--prefer-offline", "--no-audit", "--no-fund", "--silent", `./${packed}`);
});
after(() => rmSync(folder, { recursive: true }));

it("the package contains the compiled client and its types, without tests", () => {
  const files = readdirSync(join(folder, "node_modules/social-client/dist"), { recursive: true, encoding: "utf8" });
  for (const file of ["src/index.js", "src/index.d.ts", "src/schema.d.ts", "src/events.d.ts"]) {
    assert.ok(files.includes(file), file);
  }
  assert.ok(files.every((file) => !file.includes("test")), files.join(" "));
});

it("the quickstart has no type errors", () => {
  writeFileSync(join(folder, "typed.ts"), quickstart("http://127.0.0.1:3000"));
  const options = ["--noEmit", "--strict", "--target", "es2022", "--lib", "es2022,dom", "--skipLibCheck"];
  for (const module of [["nodenext", "nodenext"], ["esnext", "bundler"]]) {
    const kind = ["--module", module[0] ?? "", "--moduleResolution", module[1] ?? ""];
    runs(join(PACKAGE, "node_modules/.bin/tsc"), ...options, ...kind, "typed.ts");
  }
});

it("the quickstart runs in Node.js", async () => {
  const stack = await start();
  try {
    writeFileSync(join(folder, "quickstart.ts"), quickstart(stack.url));
    await bundle({ entryPoints: [join(folder, "quickstart.ts")], outfile: join(folder, "quickstart.mjs") });
    assert.deepEqual(runs(process.execPath, "quickstart.mjs").trim().split("\n"), EXPECTED);
  } finally {
    await stack.stop();
  }
});

it("the quickstart runs in a page that vite builds", async () => {
  const stack = await start();
  const page = join(folder, "page");
  mkdirSync(page);
  writeFileSync(join(page, "index.html"), '<link rel="icon" href="data:,"><script type="module" src="/main.ts"></script>');
  writeFileSync(join(page, "main.ts"), quickstart(stack.url));
  await build({ root: page, logLevel: "error", build: { target: "es2022" } });
  const server = await preview({ root: page, logLevel: "error", preview: { port: 0, host: "127.0.0.1" } });
  const browser = await chromium.launch({ executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium" });
  try {
    const tab = await browser.newPage();
    const lines: string[] = [];
    const isDone = new Promise<void>((done) => {
      tab.on("console", (message) => void (lines.push(message.text()) === EXPECTED.length && done()));
      tab.on("pageerror", (error) => void (lines.push(String(error)), done()));
    });
    const { port } = server.httpServer.address() as AddressInfo;
    await tab.goto(`http://127.0.0.1:${port}/`);
    await isDone;
    assert.deepEqual(lines, EXPECTED);
  } finally {
    await browser.close();
    await server.close();
    await stack.stop();
  }
});
