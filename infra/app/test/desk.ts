/** What moderators do on the page at /desk. */

import type { Page } from "playwright-core";

import { PASSWORD } from "./people.js";

/** The number of requests of the page, and of keys and clicks of the moderator. */
export interface Effort {
  requests: number;
  keys: number;
  clicks: number;
}

/** Counts the page's requests to the API, and the moderator's keys and clicks, from now on. */
export async function effortOf(page: Page): Promise<Effort> {
  const effort = { requests: 0, keys: 0, clicks: 0 };
  page.on("request", (request) => {
    effort.requests += Number(request.resourceType() === "fetch");
  });
  await page.exposeFunction("countKey", () => void (effort.keys += 1));
  await page.exposeFunction("countClick", () => void (effort.clicks += 1));
  await page.evaluate(() => {
    const { countKey, countClick } = window as unknown as Record<string, () => void>;
    addEventListener("keydown", () => countKey?.());
    addEventListener("pointerdown", () => countClick?.());
  });
  return effort;
}

/** Signs in on the page. */
export async function enter(page: Page, username: string): Promise<void> {
  await page.getByLabel("Username or email").fill(username);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.locator("#nav a").first().waitFor();
}

/** Opens a view by its name in the navigation. */
export async function openView(page: Page, name: string): Promise<void> {
  await page.locator("#nav").getByRole("link", { name, exact: true }).click();
  await page.getByRole("heading", { name, level: 1 }).waitFor();
}

/** Returns the row of the selected case. */
export const selected = (page: Page) => page.locator(".case-row:has([aria-current=true])");

/** Returns the row of a case. */
export const row = (page: Page, id: string) => page.locator(`.case-row[data-case="${id}"]`);

/** Waits until the selected case shows its context, and returns its ID. */
export async function read(page: Page): Promise<string> {
  const id = (await selected(page).getAttribute("data-case")) ?? "";
  await page.locator(`.case[data-case="${id}"] .context`).waitFor();
  return id;
}

/** Moves the clock of the page forward, so that the page's copies of cases are outdated. */
export async function age(page: Page, seconds: number): Promise<void> {
  await page.evaluate((milliseconds) => {
    const now = Date.now;
    Date.now = () => now() + milliseconds;
  }, seconds * 1000);
}
