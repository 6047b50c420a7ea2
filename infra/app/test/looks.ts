/** Checks for every view. */

import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";

import type axe from "axe-core";
import type { Page } from "playwright-core";

const [PHONE, DESKTOP] = [400, 1200];
const SCHEMES = ["light", "dark"] as const;
const HEIGHT = 900;

const source = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const shots = process.env["SHOTS"];

/** Checks that axe finds nothing and that nothing overflows, light and dark, on a phone and a desktop. */
export async function assertLooksRight(page: Page, name: string, desktop = DESKTOP): Promise<void> {
  await page.locator("main:not([aria-busy])").waitFor();
  for (const scheme of SCHEMES) {
    for (const width of [PHONE, desktop]) {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
      await page.setViewportSize({ width, height: HEIGHT });
      const where = `${name}, ${scheme}, ${width} px`;
      assert.deepEqual(await violations(page), [], where);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `${where}: ${wide} px wide`);
      await shoot(page, `${name}-${width}-${scheme}`);
    }
  }
  await page.emulateMedia({ colorScheme: "light" });
}

async function violations(page: Page): Promise<string[]> {
  // Uses the debugger, because the content security policy forbids running a script from text.
  const session = await page.context().newCDPSession(page);
  const evaluate = async (expression: string) => {
    const { result, exceptionDetails } = await session.send("Runtime.evaluate", {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    assert.equal(exceptionDetails, undefined, exceptionDetails?.exception?.description);
    return result.value as unknown;
  };
  await evaluate(`window.axe === undefined && (0, function () { ${source} }).call(window)`);
  const found = (await evaluate("axe.run().then(({ violations }) => violations)")) as axe.Result[];
  await session.detach();
  return found.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`));
}

async function shoot(page: Page, name: string): Promise<void> {
  if (shots !== undefined) {
    await mkdir(shots, { recursive: true });
    await page.screenshot({ path: `${shots}/${name}.png` });
  }
}
