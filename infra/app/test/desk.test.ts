/** Tests of the page at /desk, with moderators and administrators. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";

import type { Page } from "playwright-core";

import { type Stack, freePort, start } from "../../clients/typescript/test/stack.js";
import { type Browser, startBrowser } from "./browser.js";
import { type Effort, age, effortOf, enter, openView, read, row, selected } from "./desk.js";
import { assertLooksRight } from "./looks.js";
import { type User, addPasskey, appointed, registered, reported, secondFactor, signedIn, withRole } from "./moderation.js";
import { enterApp, inPlaceOf } from "./people.js";

const DESKTOP = 1280;
const TARGETS = 25;
const REPORTERS = 8;
/** Page size of `GET /admin/reports`. */
const REPORTS_PER_PAGE = 20;
const ACTIONS = ["Dismiss", "Hide", "Delete", "Warn", "Label sensitive", "Lock replies"];
const STATUSES = ["Dismissed", "Hidden", "Deleted", "Resolved", "Resolved", "Resolved"];
/** Expected console errors: requests that the API refuses, and requests that a test aborts. */
const EXPECTED = /status of (400|401|403|404|429) |ERR_INTERNET_DISCONNECTED/;

let stack: Stack;
let browser: Browser;
let root: User;
let author: User;
let reporters: User[];
let late: User[];
let mod: Page;
let admin: Page;
let effort: Effort;

const looksRight = (page: Page, name: string) => assertLooksRight(page, `desk-${name}`, DESKTOP);

before(async () => {
  [stack, browser] = await Promise.all([freePort().then(start), startBrowser(EXPECTED)]);
  root = await appointed(stack, "root");
  await withRole(stack, root, "minh", "MODERATOR");
  await withRole(stack, root, "thea", "MODERATOR");
  await withRole(stack, root, "ada", "ADMIN");
  author = await registered(stack, "marco");
  const readers = Array.from({ length: REPORTERS + 2 }, (_, place) => registered(stack, `reader_${place}`));
  [late, reporters] = await Promise.all([Promise.all(readers.slice(0, 2)), Promise.all(readers.slice(2))]);
  mod = await browser.open(`${stack.url}/desk`);
});
after(async () => {
  await browser.stop();
  await stack.stop();
});

describe("the desk", () => {
  it("refuses a wrong password and a user without a role", async () => {
    await looksRight(mod, "sign-in");
    await mod.getByLabel("Username or email").fill("marco");
    await mod.getByLabel("Password").fill("wrong password");
    await mod.getByRole("button", { name: "Sign in" }).click();
    await mod.locator("form .wrong:not(:empty)").waitFor();
    await mod.getByLabel("Password").fill("correct horse battery");
    await mod.getByRole("button", { name: "Sign in" }).click();
    await mod.getByText("This account cannot use this page.").waitFor();
  });

  it("shows a moderator the queue and appeals, but no bans", async () => {
    await enter(mod, "minh");
    await mod.getByText("The queue is empty.").waitFor();
    await looksRight(mod, "queue-empty");
    await reported(author, texts(TARGETS, "Post"), reporters);
    await stack.advance(1);
    effort = await effortOf(mod);
    await mod.keyboard.press("R");
    await mod.getByText("25 open cases").waitFor();
    await read(mod);
    assert.deepEqual(await mod.locator("#nav a").allInnerTexts(), ["Queue", "Appeals"]);
    assert.equal(await mod.getByRole("button", { name: "Ban" }).count(), 0);
    await mod.keyboard.press("8");
    effort.keys -= 1;
    assert.equal(await mod.getByRole("dialog").count(), 0);
    await looksRight(mod, "queue");
  });

  it("decides 25 cases with the keyboard, and undoes one decision", async () => {
    for (let place = 0; place < TARGETS; place++) {
      const id = await read(mod);
      await mod.keyboard.press(String((place % ACTIONS.length) + 1));
      await row(mod, id)
        .getByText(STATUSES[place % STATUSES.length] ?? "", { exact: true })
        .waitFor();
      if (place === 12) {
        await mod.keyboard.press("u");
        await mod.getByText(`Undone: ${ACTIONS[0]}, @marco`).waitFor();
        assert.equal(await read(mod), id);
        assert.equal(await row(mod, id).getAttribute("class"), "case-row open");
        await mod.keyboard.press("2");
        await row(mod, id).getByText("Hidden", { exact: true }).waitFor();
      }
    }
    await mod.getByText("All cases on this page are decided.").waitFor();
    await stack.advance(1);
    const open = await root.ask<unknown[]>("GET", "/admin/reports?status=PENDING");
    assert.equal(open.length, 0);
    const reports = TARGETS * REPORTERS;
    const before = reports + Math.ceil(reports / REPORTS_PER_PAGE);
    console.log(`# ${reports} reports, one by one: ${before} requests`);
    console.log(`# the same as 25 cases: ${effort.requests} requests, ${effort.keys} keys, ${effort.clicks} clicks`);
    assert.ok(effort.requests <= 3 * TARGETS, `${effort.requests} requests`);
    assert.deepEqual([effort.keys, effort.clicks], [TARGETS + 3, 0]);
    await looksRight(mod, "queue-done");
  });

  it("decides several cases at once, and undoes all of them", async () => {
    const ids = await reported(author, texts(5, "Again"), late);
    await stack.advance(1);
    Object.assign(effort, { requests: 0, keys: 0, clicks: 0 });
    await mod.keyboard.press("R");
    await mod.getByText("5 open cases").waitFor();
    await mod.keyboard.press("x");
    await mod.keyboard.press("j");
    await mod.keyboard.press("x");
    await mod.getByText("2 cases selected.").waitFor();
    await looksRight(mod, "queue-selected");
    await mod.keyboard.press("*");
    await mod.getByText("5 cases selected.").waitFor();
    await mod.keyboard.press("2");
    await mod.getByText("Hide: 5 cases").waitFor();
    console.log(`# 5 cases at once: ${effort.requests} requests, ${effort.keys} keys`);
    await mod.keyboard.press("u");
    await mod.getByText("Undone: Hide, 5 cases").waitFor();
    for (const id of ids) {
      assert.equal(await row(mod, id).getAttribute("class"), "case-row open");
    }
  });

  it("takes several actions with a reason from the dialog", async () => {
    await read(mod);
    await mod.keyboard.press("r");
    await mod.keyboard.type("It repeats an advertisement.");
    await mod.keyboard.press("Escape");
    await mod.keyboard.press("d");
    const dialog = mod.getByRole("dialog");
    await dialog.getByLabel("Hide").check();
    await dialog.getByRole("checkbox", { name: "Warn" }).check();
    await dialog.getByLabel("Warning to the author").fill("Please stop.");
    await dialog.getByLabel("Note").fill("Third time");
    await looksRight(mod, "dialog");
    const id = (await selected(mod).getAttribute("data-case")) ?? "";
    await dialog.getByRole("button", { name: "Decide" }).click();
    await row(mod, id).getByText("Hidden", { exact: true }).waitFor();
    const { outcome } = await root.ask<{ outcome: Record<string, unknown> }>("GET", `/admin/cases/${id}`);
    assert.deepEqual(outcome["actions"], ["hide", "warn"]);
    assert.equal(outcome["reason"], "It repeats an advertisement.");
    assert.equal(outcome["warning"], "Please stop.");
    await author.ask("POST", `/me/moderation/${id}/appeal`, { text: "It was a joke about advertising." });
  });

  it("shows the thread of a reported reply", async () => {
    const { publicId } = await late[0]!.ask<{ publicId: string }>("POST", "/posts", { content: "Who sells lamps?" });
    const body = { content: "I do, every hour" };
    const reply = await author.ask<{ publicId: string }>("POST", `/posts/${publicId}/reply`, body);
    await late[0]!.ask("POST", `/posts/${reply.publicId}/report`, { type: "post", reason: "An advertisement" });
    await stack.advance(1);
    await mod.keyboard.press("R");
    await row(mod, reply.publicId).getByRole("button").click();
    await mod.locator(".context").getByText("Who sells lamps?").waitFor();
    await read(mod);
    await mod.keyboard.press("1");
    await row(mod, reply.publicId).getByText("Dismissed", { exact: true }).waitFor();
  });

  it("assigns a case, adds a note, and escalates the case", async () => {
    const id = await read(mod);
    await mod.keyboard.press("a");
    await mod.locator(".facts").getByText("@minh").waitFor();
    await mod.keyboard.press("n");
    await mod.getByRole("dialog").getByLabel("Note").fill("I asked the author.");
    await mod.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await mod.locator(".context").getByText("I asked the author.").waitFor();
    await mod.keyboard.press("o");
    await mod.locator(".context details li").first().waitFor();
    await looksRight(mod, "case");
    await mod.keyboard.press("e");
    await mod.getByText("Only administrators can decide it.").waitFor();
    await mod.keyboard.press("1");
    assert.equal(await row(mod, id).getAttribute("class"), "case-row open");
  });

  it("shows a decision that another moderator made meanwhile", async () => {
    await mod.keyboard.press("j");
    const id = await read(mod);
    const thea = await signedIn(stack, "thea");
    await thea.ask("POST", `/admin/cases/${id}/decisions`, { actions: ["dismiss"], reason: "It breaks no rule." });
    await age(mod, 60);
    await mod.keyboard.press("3");
    await mod.locator("#alerts").getByText("Decided meanwhile by another moderator: Dismiss.").waitFor();
    await row(mod, id).getByText("Changed meanwhile").waitFor();
    await looksRight(mod, "conflict");
    const { status } = await root.ask<{ status: string }>("GET", `/admin/cases/${id}`);
    assert.equal(status, "DISMISSED");
    await row(mod, id).getByRole("button").click();
    await read(mod);
    await mod.keyboard.press("3");
    await row(mod, id).getByText("Deleted", { exact: true }).waitFor();
    await mod.getByRole("button", { name: "Dismiss the message" }).click();
  });

  it("retries a decision after a short failure, and reports a long failure", async () => {
    const id = await read(mod);
    await inPlaceOf(mod, "**/decisions", (route) => route.abort("internetdisconnected"));
    await mod.keyboard.press("2");
    await row(mod, id).getByText("Hidden", { exact: true }).waitFor();
    const other = await read(mod);
    await mod.route("**/decisions", (route) => route.abort("internetdisconnected"));
    await mod.keyboard.press("2");
    await row(mod, other).getByText("Not saved").waitFor();
    await mod.locator("#alerts").getByText("The service cannot be reached.").waitFor();
    await mod.unroute("**/decisions");
    await row(mod, other).getByRole("button").click();
    await mod.keyboard.press("2");
    await row(mod, other).getByText("Hidden", { exact: true }).waitFor();
    await mod.getByRole("button", { name: "Dismiss the message" }).click();
  });

  it("shows the case in front of the queue on a phone", async () => {
    const [id = ""] = await reported(author, ["On a phone"], late);
    await mod.keyboard.press("R");
    await row(mod, id).waitFor();
    await mod.setViewportSize({ width: 400, height: 800 });
    await row(mod, id).getByRole("button").click();
    await read(mod);
    await mod.locator(".case").getByRole("heading", { name: "As reported" }).waitFor();
    await looksRight(mod, "phone");
    await mod.setViewportSize({ width: 400, height: 800 });
    await mod.getByRole("button", { name: "Dismiss" }).click();
    await mod.getByRole("button", { name: "Back to the queue" }).click();
    await row(mod, id).getByText("Dismissed", { exact: true }).waitFor();
    await mod.setViewportSize({ width: DESKTOP, height: 900 });
  });

  it("locks replies, so that readers get no reply box", async () => {
    const [id = ""] = await reported(author, ["A heated thread"], late.slice(0, 1));
    await mod.keyboard.press("R");
    await row(mod, id).getByRole("button").click();
    await read(mod);
    await mod.keyboard.press("6");
    await row(mod, id).getByText("Resolved", { exact: true }).waitFor();
    const reader = await browser.open(`${stack.url}/app`);
    await enterApp(reader, "reader_0");
    await reader.goto(`${stack.url}/app#/post/${id}`);
    await reader.getByText("Moderators locked the replies to this post.").waitFor();
    assert.equal(await reader.getByLabel(/^Reply to/).count(), 0);
    await reader.close();
  });

  it("reports that a decision failed because the session ended, and signs in again", async () => {
    const [id = ""] = await reported(author, ["Once more"], late);
    await mod.keyboard.press("R");
    await row(mod, id).getByRole("button").click();
    await read(mod);
    await root.ask("PATCH", "/admin/users/minh/lock", {});
    await root.ask("PATCH", "/admin/users/minh/unlock", {});
    await mod.keyboard.press("2");
    await mod.getByRole("heading", { name: "Sign in" }).waitFor();
    await mod.locator("#alerts").getByText("was not saved").waitFor();
    await looksRight(mod, "session-ended");
    await enter(mod, "minh");
    await row(mod, id).waitFor();
    assert.equal(await row(mod, id).getAttribute("class"), "case-row open");
  });

  it("shows how long to wait, and what a role does not allow", async () => {
    const headers = { "retry-after": "30", "x-error-code": "TOO_MANY_REQUESTS" };
    const body = JSON.stringify({ success: false, message: "Too many requests" });
    await inPlaceOf(mod, "**/admin/appeals?*", (route) =>
      route.fulfill({ status: 429, contentType: "application/json", headers, body }),
    );
    await mod.locator("#nav").getByRole("link", { name: "Appeals" }).click();
    await mod.getByText(/Try again in (30|29) seconds/).waitFor();
    assert.ok(await mod.getByRole("button", { name: "Try again" }).isDisabled());
    await looksRight(mod, "wait");
    await mod.goto(`${stack.url}/desk#/people`);
    await mod.getByText("Your role does not allow this.").waitFor();
  });
});

describe("an administrator at the desk", () => {
  it("signs in with a second factor", async () => {
    const [code = ""] = await secondFactor(root);
    const page = await browser.open(`${stack.url}/desk`);
    await page.getByLabel("Username or email").fill("root");
    await page.getByLabel("Password").fill("correct horse battery");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("Enter the code of your second factor.").waitFor();
    await page.getByLabel("Code of the second factor").fill(code);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Queue" }).waitFor();
    await page.close();
  });

  it("signs in with a passkey, and changes roles", async () => {
    // Browsers allow no passkeys on pages at an IP address.
    const page = await browser.open(`${stack.url.replace("127.0.0.1", "localhost")}/desk`);
    await looksRight(page, "sign-in-passkey");
    await addPasskey(page, root);
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByRole("heading", { name: "Queue" }).waitFor();
    await openView(page, "People");
    await page.getByLabel("Username, email, name or ID").fill("thea");
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("link", { name: "@thea" }).click();
    const roles = page.getByRole("group", { name: "Roles" });
    await roles.getByLabel("Administrator", { exact: true }).check();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved").waitFor();
    const found = await root.ask<{ roles: string[] }[]>("GET", "/admin/users?q=thea");
    assert.ok(found[0]?.roles.includes("ADMIN"));
    await page.close();
  });

  it("upholds the decision that an author appealed", async () => {
    admin = await browser.open(`${stack.url}/desk`);
    await enter(admin, "ada");
    await openView(admin, "Appeals");
    const appeal = admin.locator("[data-appeal]", { hasText: "a joke about advertising" });
    await appeal.getByText("Post", { exact: true }).click();
    await appeal.locator("blockquote", { hasText: "Again" }).waitFor();
    await appeal.getByLabel("Note for administrators").fill("It still advertises.");
    await looksRight(admin, "appeals");
    await appeal.getByRole("button", { name: "Uphold the decision" }).click();
    await appeal.getByText("Upheld", { exact: true }).waitFor();
    const [own] = await author.ask<{ appeal: { status: string } | null }[]>("GET", "/me/moderation");
    const upheld = await author.ask<{ appeal?: { status: string } | null }[]>("GET", "/me/moderation?take=50");
    assert.ok(own !== undefined && upheld.some((decision) => decision.appeal?.status === "UPHELD"));
  });

  it("decides the escalated case with a ban, and lifts the ban", async () => {
    await openView(admin, "Queue");
    await admin.locator(".case-row", { hasText: "Escalated" }).getByRole("button").click();
    const id = await read(admin);
    await admin.keyboard.press("7");
    await admin.getByRole("dialog").getByRole("button", { name: "Decide" }).click();
    await row(admin, id).getByText("Resolved", { exact: true }).waitFor();
    await openView(admin, "People");
    await admin.getByLabel("Username, email, name or ID").fill("marco");
    await admin.getByRole("button", { name: "Search" }).click();
    await admin.locator(".entry", { hasText: "Banned" }).waitFor();
    await looksRight(admin, "people");
    await admin.getByRole("link", { name: "@marco" }).click();
    await admin.getByRole("heading", { name: "@marco" }).waitFor();
    await looksRight(admin, "person");
    assert.equal(await admin.getByRole("group", { name: "Roles" }).count(), 0);
    await admin.getByRole("button", { name: "Lift the sanction" }).click();
    await admin.getByRole("dialog").getByLabel("Reason").fill("Served");
    await admin.getByRole("dialog").getByRole("button", { name: "Lift the sanction" }).click();
    await admin.getByText("Active", { exact: true }).waitFor();
  });

  it("changes quests and webhooks", async () => {
    await openView(admin, "Quests");
    await admin.getByLabel("Required number").fill("3");
    await admin.getByLabel("Description").fill("Write three posts");
    await admin.getByRole("button", { name: "Create the quest" }).click();
    const quest = admin.locator(".entry", { hasText: "Write three posts" });
    await quest.getByRole("button", { name: "Disable" }).click();
    await quest.getByText("disabled", { exact: true }).waitFor();
    await looksRight(admin, "quests");
    await openView(admin, "Webhooks");
    await admin.getByLabel("URL").fill("http://example.com");
    await admin.getByLabel("report.created").check();
    await admin.getByRole("button", { name: "Create the webhook" }).click();
    await admin.locator("[name=url][aria-invalid=true]").waitFor();
    await admin.getByLabel("URL").fill("https://example.com/hook");
    await admin.getByRole("button", { name: "Create the webhook" }).click();
    await admin.getByRole("dialog", { name: "Secret of the webhook" }).getByText("whsec_").waitFor();
    await admin.keyboard.press("Escape");
    const webhook = admin.locator(".entry", { hasText: "https://example.com/hook" });
    await webhook.getByRole("button", { name: "Disable" }).click();
    await webhook.getByRole("button", { name: "Enable" }).waitFor();
    await looksRight(admin, "webhooks");
  });

  it("reads hashtags, statistics, the audit log and the health", async () => {
    await reporters[0]?.ask("POST", "/posts", { content: "A cup of #tea" });
    await stack.advance(60);
    await openView(admin, "Hashtags");
    await admin.getByRole("img", { name: /#tea: 1/ }).waitFor();
    await looksRight(admin, "hashtags");
    await openView(admin, "Statistics");
    await admin.getByRole("img", { name: /Decisions by action. .*Hide: \d/ }).waitFor();
    await looksRight(admin, "statistics");
    await openView(admin, "Audit log");
    await admin.getByLabel("Action").selectOption("UNDO_DECISION");
    await admin.locator(".entry", { hasText: "Undid a decision" }).first().waitFor();
    assert.equal(await admin.locator(".entry", { hasNotText: "Undid a decision" }).count(), 0);
    await looksRight(admin, "audit");
    const downloaded = admin.waitForEvent("download");
    await admin.getByRole("button", { name: "Save as a file" }).click();
    const lines = (await readFile(await (await downloaded).path(), "utf8")).trim().split("\n");
    assert.ok(lines.some((line) => (JSON.parse(line) as { action: string }).action === "UNDO_DECISION"));
    await openView(admin, "System");
    await admin.getByText("No dead letter.").waitFor();
    await looksRight(admin, "system");
    await admin.route("**/_local/queues", (route) => route.fulfill({ status: 404 }));
    await openView(admin, "Queue");
    await openView(admin, "System");
    await admin.getByText("only on the local stack").waitFor();
    await admin.unroute("**/_local/queues");
  });

  it("shows a moderator that emails do not arrive", async () => {
    await withRole(stack, root, "lin", "MODERATOR", "bounce.example");
    await stack.advance(60);
    const lin = await browser.open(`${stack.url}/desk`);
    await enter(lin, "lin");
    await lin.locator("#alerts").getByText("You get no more emails at lin@bounce.example.").waitFor();
  });

  it("reads the page in Vietnamese", async () => {
    await admin.getByLabel("Language").selectOption("vi");
    await admin.getByRole("heading", { name: "Hệ thống" }).waitFor();
    assert.equal(await admin.getAttribute("html", "lang"), "vi");
    await admin.goto(`${stack.url}/desk#/`);
    await admin.getByRole("heading", { name: "Hàng chờ" }).waitFor();
    await read(admin);
    await admin.getByRole("button", { name: "Bỏ qua" }).waitFor();
    await looksRight(admin, "vietnamese");
    await admin.keyboard.press("?");
    await admin.getByRole("dialog", { name: "Phím tắt" }).waitFor();
    await looksRight(admin, "keys");
  });

  it("logs no errors", () => browser.assertQuiet());
});

/** Returns `count` different texts that begin with `word`. */
function texts(count: number, word: string): string[] {
  return Array.from({ length: count }, (_, place) => `${word} ${place + 1} for the moderators`);
}
