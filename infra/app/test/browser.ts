/** A real browser that records errors of its pages. */

import assert from "node:assert/strict";

import { type BrowserContext, type Page, chromium } from "playwright-core";

/** Expected console errors: rejected input, and an expired token. */
const EXPECTED = /status of (400|401) /;
const TIMEOUT_MS = 15_000;

/** A browser with its own profile. */
export interface Browser {
  /** Opens a tab. */
  open(url: string): Promise<Page>;
  /** Fails if a page logged an error. */
  assertQuiet(): void;
  stop(): Promise<void>;
}

/** Starts the installed Chromium. Console errors that match `expected` do not fail a test. */
export async function startBrowser(expected = EXPECTED): Promise<Browser> {
  const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
  const browser = await chromium.launch({ executablePath, args: ["--disable-quic", "--disable-gpu"] });
  const context: BrowserContext = await browser.newContext({
    viewport: { width: 1200, height: 900 },
    reducedMotion: "reduce",
  });
  context.setDefaultTimeout(TIMEOUT_MS);
  const errors: string[] = [];
  context.on("weberror", (error) => void errors.push(error.error().stack ?? error.error().message));
  context.on("console", (message) => {
    if (message.type() === "error" && !expected.test(message.text())) {
      errors.push(`${message.text()} ${message.location().url}`);
    }
  });
  return {
    async open(url) {
      const page = await context.newPage();
      await page.goto(url);
      return page;
    },
    assertQuiet: () => assert.deepEqual(errors, []),
    stop: () => browser.close(),
  };
}
