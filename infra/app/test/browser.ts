/** A real browser, whose every page is watched for errors. */

import assert from "node:assert/strict";

import { type BrowserContext, type Page, chromium } from "playwright-core";

/** What a page says of answers that are part of its promise: refused input, and a token that is to be renewed. */
const EXPECTED = /status of (400|401) /;
const TIMEOUT_MS = 15_000;

/** A browser with a profile of its own. */
export interface Browser {
  /** Opens a tab. */
  open(url: string): Promise<Page>;
  /** Fails when a page has told of an error. */
  assertQuiet(): void;
  stop(): Promise<void>;
}

/** Starts the Chromium that is installed. */
export async function startBrowser(): Promise<Browser> {
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
    if (message.type() === "error" && !EXPECTED.test(message.text())) {
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
