/** How the local stack serves the pages. */

import assert from "node:assert/strict";
import { get } from "node:http";
import { after, before, describe, it } from "node:test";

import { type Stack, start } from "../../clients/typescript/test/stack.js";

let stack: Stack;

before(async () => {
  stack = await start();
});
after(() => stack.stop());

/** Sends the path and host as written. `fetch` would normalize the path and set the host. */
function ask(path: string, host?: string): Promise<{ status: number; headers: NodeJS.Dict<string | string[]> }> {
  const { hostname, port } = new URL(stack.url);
  return new Promise((done, fail) => {
    const request = get({ hostname, port, path, ...(host !== undefined && { headers: { host } }) }, (response) => {
      response.resume();
      done({ status: response.statusCode ?? 0, headers: response.headers });
    });
    request.on("error", fail);
  });
}

describe("a page", () => {
  it("is served with its scripts, styles and client", async () => {
    for (const path of ["/app", "/app/src/main.js", "/app/shared/base.css", "/app/vendor/social-client.js"]) {
      assert.equal((await ask(path)).status, 200, path);
    }
    for (const path of ["/desk", "/desk/texts/vi.js", "/desk/shared/base.css", "/desk/vendor/social-client.js"]) {
      assert.equal((await ask(path)).status, 200, path);
    }
    assert.equal((await ask("/app/")).headers["location"], "/app");
    assert.equal((await ask("/desk/")).headers["location"], "/desk");
  });

  it("is served for local host names only", async () => {
    assert.equal((await ask("/app", "elsewhere.example")).status, 403);
    assert.equal((await ask("/desk", "elsewhere.example")).status, 403);
    assert.equal((await ask("/app", "localhost:3000")).status, 200);
  });

  it("is served without other files", async () => {
    const paths = [
      "/app/src/..%2findex.html",
      "/app/src/..%2f..%2fREADME.md",
      "/app/test/browser.ts",
      "/desk/src/..%2findex.html",
      "/desk/tsconfig.json",
      "/app/src/.js%00",
    ];
    for (const path of [...paths, "/app/vendor/social-client.d.ts", "/app/src/nothing.js"]) {
      assert.equal((await ask(path)).status, 404, path);
    }
  });

  it("has a policy without inline scripts and other origins", async () => {
    for (const path of ["/app", "/desk"]) {
      const policy = String((await ask(path)).headers["content-security-policy"]);
      assert.match(policy, /require-trusted-types-for 'script'/);
      assert.match(policy, /script-src 'self';/);
      assert.doesNotMatch(policy, /unsafe|\*|https:/);
    }
  });
});
