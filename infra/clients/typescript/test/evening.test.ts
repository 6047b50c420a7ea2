/** An evening of three users, through their clients. */

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { ApiError, type Network, answer, connect, inMemory, listen } from "../src/index.js";
import { type Stack, start } from "./stack.js";

const PASSWORD = "correct horse battery";
const FEED = "/posts/news-feed";

let stack: Stack;
let ann: Network;
let bob: Network;
let cleo: Network;

async function joins(username: string): Promise<Network> {
  const network = connect({ url: stack.url });
  await network.signUp({ name: username, username, email: `${username}@example.com`, password: PASSWORD });
  return network;
}

async function writes(network: Network, content: string) {
  return (await answer(network.api.POST("/posts", { body: { content } }))).data;
}

async function all<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const found: Row[] = [];
  for await (const row of rows) {
    found.push(row);
  }
  return found;
}

before(async () => {
  stack = await start();
  [ann, bob, cleo] = await Promise.all([joins("ann"), joins("bob"), joins("cleo")]);
});
after(() => stack.stop());

describe("an evening of three users", () => {
  it("a list returns each post once across pages", async () => {
    for (let number = 1; number <= 25; number++) {
      await writes(ann, `post ${number}`);
    }
    const seen = await all(bob.rows(FEED, { params: { query: { type: "FOR_YOU", take: 10 } } }));
    assert.equal(seen.length, 25);
    assert.equal(new Set(seen.map(({ publicId }) => publicId)).size, 25);
    assert.equal(seen[0]?.content, "post 25");
  });

  it("a list reads pages on demand", async () => {
    for await (const post of bob.rows(FEED, { params: { query: { take: 5 } } })) {
      assert.equal(post.content, "post 25");
      break;
    }
  });

  it("a like is visible at once, and likes share a notification", async () => {
    const post = await writes(ann, "look");
    const path = { params: { path: { publicId: post.publicId } } };
    for (const fan of [bob, cleo]) {
      const { data } = await answer(fan.api.POST("/posts/{publicId}/like", { ...path, body: { isLiked: true } }));
      assert.equal(data.isLiked, true);
    }
    await answer(cleo.api.POST("/posts/{publicId}/reply", { ...path, body: { content: "I looked" } }));
    await stack.advance(41);
    const notifications = await all(ann.rows("/notification"));
    const likes = notifications.filter((row) => row.type === "LIKE" && row.targetId === post.publicId);
    assert.deepEqual(likes.map(({ count }) => count), [2]);
    assert.ok(notifications.some((row) => row.type === "POST" && row.targetType === "REPLY"));
  });

  it("FOLLOWING shows followed users and the quoted post", async () => {
    await answer(
      bob.api.POST("/user/{username}/follower", { params: { path: { username: "cleo" } }, body: { isFollowing: true } }),
    );
    const post = await writes(cleo, "a thought");
    const quote = { params: { path: { publicId: post.publicId } }, body: { content: "indeed" } };
    await answer(bob.api.POST("/posts/{publicId}/quote", quote));
    await stack.advance(1);
    const [newest, before] = await all(bob.rows(FEED, { params: { query: { type: "FOLLOWING" } } }));
    assert.equal(newest?.content, "indeed");
    assert.equal(before?.publicId, post.publicId);
  });

  it("a message is pushed to the other member", async () => {
    const { hostname, port } = new URL(stack.url);
    const live = await bob.realtime({ key: "local", host: hostname, port: Number(port) });
    const received = new Promise<string>((done) => {
      listen(live.own, "message:new", (message) => done(message.content));
    });
    const group = await answer(ann.api.POST("/message-group", { body: { type: "PRIVATE", members: ["bob"] } }));
    const path = { params: { path: { publicId: group.data.publicId } } };
    const chat = await live.group(group.data.publicId);
    assert.equal(await live.group(group.data.publicId), chat);
    live.leave(chat);
    await answer(ann.api.POST("/message-group/{publicId}/messages", { ...path, body: { content: "good evening" } }));
    assert.equal(await received, "good evening");
    live.close();
    const { data: [message] } = await answer(bob.api.GET("/message-group/{publicId}/messages", path));
    assert.equal(message?.isMine, false);
  });

  it("a repeated request takes effect once", async () => {
    let sent = 0;
    const lossy = connect({
      url: stack.url,
      fetch: async (request) => {
        const response = await fetch(request);
        if (new URL(request.url).pathname === "/posts" && sent++ === 0) {
          throw new TypeError("the response was lost");
        }
        return response;
      },
    });
    await lossy.signIn({ identifier: "ann", password: PASSWORD });
    await writes(lossy, "said once");
    assert.equal(sent, 2);
    const posts = await all(bob.rows("/user/{username}/posts", { params: { path: { username: "ann" } } }));
    assert.equal(posts.filter(({ content }) => content === "said once").length, 1);
  });

  it("two tabs refresh an expired token once", async () => {
    let refreshed = 0;
    const tokens = inMemory();
    const opens = () =>
      connect({
        url: stack.url,
        tokens,
        fetch: (request) => {
          refreshed += Number(request.url.endsWith("/auth/refresh-token"));
          return fetch(request);
        },
      });
    const tabs = [opens(), opens()] as const;
    await tabs[0].signIn({ identifier: "cleo", password: PASSWORD });
    await stack.advance(16 * 60);
    const asked = tabs.flatMap((tab) => [1, 2, 3].map(() => answer(tab.api.GET("/auth/me"))));
    for (const { data } of await Promise.all(asked)) {
      assert.equal(data.username, "cleo");
    }
    assert.equal(refreshed, 1);
    assert.ok(tabs.every((tab) => tab.isSignedIn()));
  });

  it("the client detects a session that ended elsewhere", async () => {
    let ended = 0;
    const store = inMemory();
    const phone = connect({ url: stack.url, tokens: store, onEnd: () => ended++ });
    await phone.signIn({ identifier: "bob", password: PASSWORD });
    await connect({ url: stack.url, tokens: inMemory(store.read()) }).signOut();
    await stack.advance(16 * 60);
    await assert.rejects(answer(phone.api.GET("/auth/me")), { name: "ApiError", status: 401 });
    assert.deepEqual([ended, phone.isSignedIn()], [1, false]);
  });

  it("an error has a message and the request ID", async () => {
    const refused: unknown = await writes(ann, "").catch((error: unknown) => error);
    assert.ok(refused instanceof ApiError);
    assert.deepEqual([refused.status, refused.code], [400, "VALIDATION_FAILED"]);
    assert.match(refused.message, /^content: /);
    assert.match(refused.requestId ?? "", /./);
  });

  it("the gateway's own responses are errors, and are repeated", async () => {
    const answers = [
      Response.json({ message: "Too Many Requests" }, { status: 429 }),
      Response.json({ message: "Service Unavailable" }, { status: 503 }),
      Response.json({ message: "Request Entity Too Large" }, { status: 413 }),
    ];
    const busy = connect({ url: stack.url, fetch: async (request) => answers.shift() ?? fetch(request) });
    const refusal = { name: "ApiError", status: 429, code: "TOO_MANY_REQUESTS", message: "Too Many Requests" };
    await assert.rejects(busy.signIn({ identifier: "ann", password: PASSWORD }), refusal);
    await assert.rejects(busy.signIn({ identifier: "ann", password: PASSWORD }), { status: 503 });
    const tooLarge = { name: "ApiError", status: 413, code: "PAYLOAD_TOO_LARGE", message: "Request Entity Too Large" };
    await assert.rejects(busy.signIn({ identifier: "ann", password: PASSWORD }), tooLarge);
    await busy.signIn({ identifier: "ann", password: PASSWORD });
    answers.push(Response.json({ message: "Too Many Requests" }, { status: 429 }));
    const { data } = await answer(busy.api.GET("/auth/me"));
    assert.equal(data.username, "ann");
  });

  it("signing out ends the session", async () => {
    await ann.signOut();
    assert.equal(ann.isSignedIn(), false);
    await assert.rejects(answer(ann.api.GET("/auth/me")), { status: 401 });
  });
});
