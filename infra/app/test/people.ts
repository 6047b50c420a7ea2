/** Actions of users on the page. */

import type { Page, Route, WebSocket } from "playwright-core";

import type { Stack } from "../../clients/typescript/test/stack.js";

export const PASSWORD = "correct horse battery";

/** Registers a user in a tab. */
export async function signUp(page: Page, name: string): Promise<void> {
  await page.getByRole("link", { name: "Create an account" }).click();
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Username").fill(name.toLowerCase());
  await page.getByLabel("Email").fill(`${name.toLowerCase()}@example.com`);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Create the account" }).click();
  await page.getByRole("heading", { name: "Confirm your address" }).waitFor();
}

/** Signs a registered user in. */
export async function enterApp(page: Page, username: string): Promise<void> {
  await page.getByLabel("Username or email").fill(username);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
}

/** Opens the link in the mail that the page shows. */
export async function confirm(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Open the confirmation link" }).click();
  await page.getByRole("heading", { name: "Your address is confirmed" }).waitFor();
  await page.getByRole("link", { name: "Start reading" }).click();
  await page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
}

/** Opens a page of the navigation. */
export async function goTo(page: Page, place: string): Promise<void> {
  await page
    .getByRole("navigation", { name: "Main" })
    .getByRole("link", { name: new RegExp(`^${place}`) })
    .click();
  await page.getByRole("heading", { name: place, level: 1 }).waitFor();
}

/** Reloads the page and waits for its realtime connection. Returns the connection. */
export async function reloaded(page: Page): Promise<WebSocket> {
  const connected = page.waitForEvent("websocket").then(async (socket) => {
    await socket.waitForEvent("framereceived", ({ payload }) => payload.includes("subscription_succeeded"));
    return socket;
  });
  await page.reload();
  return connected;
}

/** Returns the first article with a text. */
export function article(page: Page, text: string) {
  return page.locator("main article").filter({ hasText: text }).first();
}

/** Returns a picture as a file to upload. */
export async function picture(page: Page): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const sheet = await page.context().newPage();
  await sheet.setViewportSize({ width: 900, height: 420 });
  await sheet.setContent(`<body style="margin:0;height:100vh;background:
    radial-gradient(circle at 72% 62%, #fff3d6 0 5%, transparent 5.4%),
    linear-gradient(172deg, transparent 62%, #173b4d 62.3%), linear-gradient(188deg, transparent 56%, #24566b 56.3%),
    linear-gradient(#27476e, #b8738a 45%, #f4b183 66%)">`);
  const buffer = await sheet.screenshot({ type: "png" });
  await sheet.close();
  return { name: "evening.png", mimeType: "image/png", buffer };
}

/** Registers a user without a window, who likes a post. */
export async function likedBy({ url }: Stack, name: string, publicId: string): Promise<void> {
  const post = async (path: string, body: object, token?: string) => {
    const headers = { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) };
    const response = await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    return (await response.json()) as { data: { accessToken: string } };
  };
  const username = name.toLowerCase();
  const { data } = await post("/auth/register", {
    name,
    username,
    email: `${username}@example.com`,
    password: PASSWORD,
  });
  await post(`/posts/${publicId}/like`, { isLiked: true }, data.accessToken);
}

/** Intercepts the next request to a path. */
export async function inPlaceOf(page: Page, path: string, handle: (route: Route) => Promise<void>): Promise<void> {
  await page.route(path, handle, { times: 1 });
}

/** Returns a promise that the test resolves. */
export function promised(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}
