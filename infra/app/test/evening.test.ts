/** An evening of two users in two windows of one browser. */

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import type { Page } from "playwright-core";

import { type Stack, start } from "../../clients/typescript/test/stack.js";
import { type Browser, startBrowser } from "./browser.js";
import { assertLooksRight } from "./looks.js";
import { article, confirm, goTo, inPlaceOf, likedBy, picture, promised, reloaded, signUp } from "./people.js";

const HOUR = 3600;
const EVENING = "An evening by the lake, with #tea";
const ANSWER = "I wish I had been there <img src=x onerror=alert(1)>";
/** A text that gets a high score from the judge, because it is long, personal and specific. */
const GOOD =
  "I drink green tea every morning because my grandmother taught me how to brew it slowly, " +
  "and I think of her while it cools.";
const QUOTE = "This is what weekends are for";

let stack: Stack;
let browser: Browser;
let ann: Page;
let bob: Page;

before(async () => {
  [stack, browser] = await Promise.all([start(), startBrowser()]);
  ann = await browser.open(`${stack.url}/app`);
  bob = await browser.open(`${stack.url}/app`);
});
after(async () => {
  await browser.stop();
  await stack.stop();
});

const likes = (page: Page, text: string) => article(page, text).getByRole("button", { name: /^Like, / });
const level = async (page: Page) => Number(await page.getByRole("meter", { name: "HP" }).getAttribute("aria-valuenow"));

describe("an evening of two users", () => {
  it("the keyboard can skip the navigation", async () => {
    await ann.getByRole("heading", { name: "Welcome back" }).waitFor();
    await ann.keyboard.press("Tab");
    await ann.keyboard.press("Enter");
    await ann.locator("main:focus").waitFor();
    await ann.getByRole("heading", { name: "Welcome back" }).waitFor();
  });

  it("an error appears beside its field", async () => {
    await assertLooksRight(ann, "sign-in");
    await ann.getByRole("link", { name: "Create an account" }).click();
    await ann.getByLabel("Name", { exact: true }).fill("Ann");
    await ann.getByLabel("Email").fill("ann@example.com");
    await ann.getByLabel("Username").fill("ann");
    await ann.getByLabel("Password").fill("short");
    await ann.getByRole("button", { name: "Create the account" }).click();
    await ann.locator("[name=password][aria-invalid=true]").waitFor();
    assert.match(await ann.locator("[name=password] ~ .wrong").innerText(), /8/);
    await assertLooksRight(ann, "sign-up-refused");
    await ann.goto(`${stack.url}/app#/sign-in`);
  });

  it("two users register and confirm their addresses", async () => {
    await signUp(ann, "Ann");
    await assertLooksRight(ann, "confirm");
    await confirm(ann);
    await signUp(bob, "Bob");
    await confirm(bob);
    assert.equal(await ann.getByRole("link", { name: "Your profile, ann" }).count(), 1);
    assert.equal(await bob.getByRole("link", { name: "Your profile, bob" }).count(), 1);
    await assertLooksRight(ann, "feed-empty");
    await goTo(ann, "Notifications");
    await assertLooksRight(ann, "notifications-empty");
    await goTo(ann, "Home");
  });

  it("Ann writes with a photo, and Bob sees both", async () => {
    await ann.getByLabel("What is on your mind?").fill(EVENING);
    await ann.locator("input[type=file]").setInputFiles(await picture(ann));
    await ann.getByLabel("Description of the photo").fill("The sun sets behind two hills");
    await ann.getByText("Ready", { exact: true }).waitFor();
    await assertLooksRight(ann, "writing");
    await ann.getByRole("button", { name: "Post", exact: true }).click();
    await article(ann, EVENING).getByRole("button", { name: "Like, 0" }).waitFor();
    await bob.reload();
    const photo = article(bob, EVENING).getByRole("img", { name: "The sun sets behind two hills" });
    await photo.waitFor();
    await bob.waitForFunction(() => (document.querySelector("img.media") as HTMLImageElement).naturalWidth > 0);
  });

  it("a like is counted before the response", async () => {
    const held = promised();
    await inPlaceOf(bob, "**/like", async (route) => {
      await held.promise;
      await route.continue();
    });
    await likes(bob, EVENING).click();
    assert.equal(await likes(bob, EVENING).getAttribute("aria-label"), "Like, 1");
    assert.equal(await likes(bob, EVENING).getAttribute("aria-pressed"), "true");
    const answered = bob.waitForResponse("**/like");
    held.resolve();
    assert.equal((await answered).status(), 200);
    await bob.reload();
    await article(bob, EVENING).getByRole("button", { name: "Like, 1", pressed: true }).waitFor();
  });

  it("a refused like is reverted", async () => {
    const body = JSON.stringify({ success: false, message: "not now" });
    await inPlaceOf(bob, "**/like", (route) => route.fulfill({ status: 400, contentType: "application/json", body }));
    await likes(bob, EVENING).click();
    await bob.getByText("not now").waitFor();
    await article(bob, EVENING).getByRole("button", { name: "Like, 1", pressed: true }).waitFor();
  });

  it("Bob replies, quotes, reposts and follows", async () => {
    await article(bob, EVENING)
      .getByRole("link", { name: /^Reply/ })
      .click();
    await bob.getByLabel("Reply to Ann").fill(ANSWER);
    await bob.getByRole("button", { name: "Reply", exact: true }).click();
    await article(bob, ANSWER).waitFor();
    await bob.locator(".opened").getByRole("link", { name: "Reply, 1 replies" }).waitFor();
    assert.equal(await bob.getByRole("button", { name: "Show more" }).count(), 0);
    await assertLooksRight(bob, "post");
    await bob
      .locator(".opened")
      .getByRole("button", { name: /^Repost, 0/ })
      .click();
    await bob
      .locator(".opened")
      .getByRole("button", { name: /^Repost, 1/, pressed: true })
      .waitFor();
    await bob
      .locator(".opened")
      .getByRole("button", { name: /^Quote/ })
      .click();
    await bob.getByRole("dialog").getByLabel("What do you think of it?").fill(QUOTE);
    await assertLooksRight(bob, "quote");
    await bob.getByRole("dialog").getByRole("button", { name: "Quote", exact: true }).click();
    await bob.locator(".opened blockquote").getByText(EVENING).waitFor();
    await bob.locator(".opened blockquote").getByRole("link", { name: "Ann @ann" }).click();
    await bob.getByRole("button", { name: "Follow", exact: true }).click();
    await bob.getByRole("button", { name: "Following", pressed: true }).waitFor();
    await bob.getByText("1 Followers").waitFor();
    await assertLooksRight(bob, "user");
  });

  it("FOLLOWING shows followed users and own reposts", async () => {
    await stack.advance(1);
    await goTo(bob, "Home");
    await bob.getByRole("link", { name: "Following", exact: true }).click();
    await bob.getByText("Bob reposted").waitFor();
    await article(bob, QUOTE).waitFor();
    await assertLooksRight(bob, "following");
  });

  it("likes arrive as one live notification", async () => {
    await stack.advance(41);
    await stack.advance(41);
    await article(ann, EVENING).getByRole("button", { name: "Like, 1" }).waitFor();
    await goTo(ann, "Notifications");
    await ann.getByText("Bob liked your post").waitFor();
    await goTo(bob, "Home");
    await bob.locator("a[aria-current=page]", { hasText: "For you" }).waitFor();
    const id = await article(bob, EVENING).getAttribute("data-post");
    await likedBy(stack, "Cleo", id ?? "");
    await stack.advance(1);
    await stack.advance(41);
    await stack.advance(41);
    await ann.getByText("Cleo and Bob liked your post").waitFor();
    await ann.getByText("Bob replied to your post").waitFor();
    await ann.getByText("Bob followed you").waitFor();
    assert.equal(await ann.locator(".notification", { hasText: "liked your post" }).count(), 1);
    await ann
      .getByRole("navigation", { name: "Main" })
      .getByRole("link", { name: /Notifications \d+ new/ })
      .waitFor();
    await assertLooksRight(ann, "notifications");
    await ann.getByRole("button", { name: "Mark all as read" }).click();
    await ann
      .getByRole("navigation", { name: "Main" })
      .getByRole("link", { name: "Notifications", exact: true })
      .waitFor();
  });

  it("a conversation is live in both windows", async () => {
    await goTo(ann, "Messages");
    await assertLooksRight(ann, "messages-empty");
    await goTo(bob, "Search");
    await bob.getByRole("searchbox", { name: "Search" }).fill("an");
    await bob.getByRole("main").getByRole("button", { name: "Search" }).click();
    const found = bob.locator(".person").getByRole("link", { name: /@ann/ });
    await found.waitFor();
    await assertLooksRight(bob, "search");
    await found.click();
    await bob.getByRole("button", { name: "Message" }).click();
    await bob.getByLabel("Message", { exact: true }).fill("Is the tea still warm?");
    await bob.getByRole("button", { name: "Send" }).click();
    await ann.getByRole("link", { name: /Is the tea still warm/ }).click();
    await ann.getByRole("heading", { name: "Bob", level: 1 }).waitFor();
    await bob.getByText("Seen", { exact: true }).waitFor();
    await ann.getByLabel("Message", { exact: true }).fill("For you, always");
    await ann.getByRole("button", { name: "Send" }).click();
    await bob.locator(".theirs", { hasText: "For you, always" }).waitFor();
    await ann.locator(".mine", { hasText: "For you, always" }).waitFor();
    assert.equal(await ann.locator(".messages li").count(), 2);
    assert.equal(await bob.locator(".messages li").count(), 2);
    await assertLooksRight(bob, "conversation");
    await goTo(ann, "Messages");
    await assertLooksRight(ann, "messages");
  });

  it("a message sent while a conversation opens is shown last", async () => {
    const socket = await reloaded(ann);
    const [read, written] = [promised(), promised()];
    await inPlaceOf(ann, "**/messages?*", async (route) => {
      const response = await route.fetch();
      read.resolve();
      await written.promise;
      await route.fulfill({ response });
    });
    await ann.getByRole("link", { name: /For you, always/ }).click();
    await read.promise;
    const heard = socket.waitForEvent("framereceived", ({ payload }) => payload.includes("Is there cake?"));
    await bob.getByLabel("Message", { exact: true }).fill("Is there cake?");
    await bob.getByRole("button", { name: "Send" }).click();
    await heard;
    written.resolve();
    await ann.locator(".messages li:last-child", { hasText: "Is there cake?" }).waitFor();
    assert.equal(await ann.locator(".messages li").count(), 3);
  });

  it("a circle shows its HP live, as a bar and a curve", async () => {
    await goTo(ann, "Circles");
    await assertLooksRight(ann, "circles-empty");
    await ann.getByText("Start a circle").click();
    await ann.getByLabel("Name").fill("Tea drinkers");
    await ann.getByLabel("What is it about?").fill("One cup a day, and what it did to us");
    await ann.getByRole("button", { name: "Start", exact: true }).click();
    await ann.getByRole("heading", { name: "Tea drinkers" }).waitFor();
    assert.equal(await level(ann), 500);
    // From the next full hour, the circle is in the lists of circles to discover.
    await stack.advance(HOUR);
    await goTo(bob, "Circles");
    await bob.getByRole("link", { name: "Discover" }).click();
    await bob.getByRole("link", { name: /Tea drinkers/ }).click();
    await bob.getByRole("button", { name: "Ask to join" }).click();
    await bob.getByRole("button", { name: "Request sent" }).waitFor();
    await ann.reload();
    await ann.getByRole("button", { name: "Accept" }).click();
    await ann.getByText("2 members").waitFor();
    await stack.advance(8 * HOUR);
    await ann.reload();
    await ann.getByRole("meter", { name: "HP" }).waitFor();
    const drained = await level(ann);
    assert.ok(drained <= 420 && drained >= 400, `${drained} HP`);
    const drawn = await ann.locator(".curve .line").getAttribute("d");
    assert.ok((drawn?.split("L").length ?? 0) >= 8, drawn ?? "no curve");
    assert.match((await ann.locator(".curve").getAttribute("aria-label")) ?? "", new RegExp(`to ${drained} of 500 HP`));
    await ann.getByLabel("Write a post to keep the circle alive").fill(GOOD);
    await ann.getByRole("button", { name: "Post", exact: true }).click();
    await ann.getByText(/\d of 10/).waitFor();
    await ann.waitForFunction(
      (before) => Number(document.querySelector("[role=meter]")?.getAttribute("aria-valuenow")) > before,
      drained,
    );
    await article(ann, "green tea").getByText("Comments").click();
    await article(ann, "green tea").getByRole("textbox", { name: "Comment" }).waitFor();
    await assertLooksRight(ann, "circle");
    await goTo(ann, "Circles");
    await assertLooksRight(ann, "circles");
  });

  it("a circle without posts moves to the museum", async () => {
    await goTo(ann, "Museum");
    await assertLooksRight(ann, "museum-empty");
    await stack.advance(52 * HOUR);
    await ann.reload();
    await article(ann, "Tea drinkers").waitFor();
    await article(ann, "Tea drinkers").getByText("Peak HP").waitFor();
    await assertLooksRight(ann, "museum");
    await ann.getByRole("link", { name: "Longest lived" }).click();
    await article(ann, "Tea drinkers").waitFor();
  });

  it("an unknown page shows an error, and the clock moves", async () => {
    await ann.goto(`${stack.url}/app#/nowhere`);
    await ann.getByRole("heading", { name: "Something went wrong" }).waitFor();
    await assertLooksRight(ann, "nowhere");
    await goTo(ann, "Home");
    await ann.getByRole("button", { name: "1 minute" }).click();
    await ann.getByText("1 minute later").waitFor();
    await ann.locator("main").getByRole("link", { name: "#tea" }).first().click();
    await ann.getByRole("heading", { name: "#tea" }).waitFor();
    await assertLooksRight(ann, "tag");
  });

  it("signing out affects one window only", async () => {
    await ann.getByRole("link", { name: "Your profile, ann" }).click();
    await ann.getByRole("button", { name: "Sign out" }).click();
    await ann.getByRole("heading", { name: "Welcome back" }).waitFor();
    await goTo(bob, "Home");
    await article(bob, EVENING).waitFor();
  });

  it("no page logged an error", () => browser.assertQuiet());
});
