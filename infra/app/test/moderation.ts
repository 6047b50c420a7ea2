/** Creates moderators, and reports for them, over HTTP. */

import { execFileSync } from "node:child_process";
import { createHmac } from "node:crypto";

import type { Page } from "playwright-core";

import type { Stack } from "../../clients/typescript/test/stack.js";
import { PASSWORD } from "./people.js";

const CATEGORIES = ["SPAM", "HARASSMENT", "HATE", "MISINFORMATION", "OTHER"];
const STEP_SECONDS = 30;

/** A user who sends requests without a browser. */
export interface User {
  readonly username: string;
  /** Sends a request, and returns the `data` of its response. */
  ask<T = Record<string, never>>(method: string, path: string, body?: object): Promise<T>;
}

interface Tokens {
  accessToken: string;
}

/** Registers a user. */
export async function registered({ url }: Stack, username: string, domain = "example.com"): Promise<User> {
  const account = { name: username, username, email: `${username}@${domain}`, password: PASSWORD };
  const { accessToken } = await asked<Tokens>(url, "POST", "/auth/register", account);
  return { username, ask: (method, path, body) => asked(url, method, path, body, accessToken) };
}

/** Signs a user in again, after a change of roles ended the session. */
export async function signedIn({ url }: Stack, username: string): Promise<User> {
  const { accessToken } = await asked<Tokens>(url, "POST", "/auth/login", { identifier: username, password: PASSWORD });
  return { username, ask: (method, path, body) => asked(url, method, path, body, accessToken) };
}

/** Makes a user a SUPER_ADMIN with the program that `TOOLS` names, and signs them in. */
export async function appointed(stack: Stack, username: string): Promise<User> {
  const program = process.env["TOOLS"];
  if (program === undefined) {
    throw new Error("TOOLS must be the path of the program `tools`. `make app-test` sets it.");
  }
  await registered(stack, username);
  const port = new URL(stack.url).port;
  execFileSync(program, ["--port", port, "admin", `${username}@example.com`, "--confirm"], { stdio: "pipe" });
  return signedIn(stack, username);
}

/** Registers a user with a role. */
export async function withRole(
  stack: Stack,
  root: User,
  username: string,
  role: string,
  domain?: string,
): Promise<User> {
  await registered(stack, username, domain);
  await root.ask("PATCH", `/admin/users/${username}/roles`, { roles: [role] });
  return signedIn(stack, username);
}

/** Writes one post for each text, and reports each post once per reporter. Returns the IDs of the posts. */
export async function reported(author: User, texts: string[], reporters: User[]): Promise<string[]> {
  const ids: string[] = [];
  for (const [place, content] of texts.entries()) {
    const { publicId } = await author.ask<{ publicId: string }>("POST", "/posts", { content });
    const category = CATEGORIES[place % CATEGORIES.length];
    const body = { type: "post", reason: `Please look at this: ${content}`, category };
    // One after the other, because reports of the same post conflict, and each attempt counts for the reporter's limit.
    for (const reporter of reporters) {
      await reporter.ask("POST", `/posts/${publicId}/report`, body);
    }
    ids.push(publicId);
  }
  return ids;
}

/** Turns on the second factor of a user. Returns the recovery codes. */
export async function secondFactor(user: User): Promise<string[]> {
  const { secret } = await user.ask<{ secret: string }>("POST", "/auth/totp", { password: PASSWORD });
  const { time } = await user.ask<{ time: string }>("GET", "/health");
  const code = codeAt(secret, Date.parse(time) / 1000);
  return (await user.ask<{ recoveryCodes: string[] }>("POST", "/auth/totp/confirm", { code })).recoveryCodes;
}

/** Adds a passkey to an account. A virtual authenticator of the page stores the passkey. */
export async function addPasskey(page: Page, user: User): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  const abilities = { hasResidentKey: true, hasUserVerification: true, isUserVerified: true };
  const options = { protocol: "ctap2" as const, transport: "internal" as const, ...abilities };
  await session.send("WebAuthn.addVirtualAuthenticator", { options });
  const { publicKey } = await user.ask<{ publicKey: PublicKeyCredentialCreationOptionsJSON }>(
    "POST",
    "/auth/passkeys/options",
    { password: PASSWORD },
  );
  const credential = await page.evaluate(async (json) => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json);
    const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential;
    return made.toJSON() as object;
  }, publicKey);
  await user.ask("POST", "/auth/passkeys", { name: "Test", credential });
}

/** Returns the code of an authenticator (RFC 6238). */
function codeAt(secret: string, seconds: number): string {
  const bits = [...secret].map((letter) =>
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0"),
  );
  const bytes =
    bits
      .join("")
      .match(/.{8}/g)
      ?.map((byte) => Number.parseInt(byte, 2)) ?? [];
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(seconds / STEP_SECONDS)));
  const mac = createHmac("sha1", Buffer.from(bytes)).update(counter).digest();
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, "0");
}

async function asked<T>(url: string, method: string, path: string, body?: object, token?: string): Promise<T> {
  const headers = { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) };
  const response = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  if (!response.ok) {
    throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  }
  return ((await response.json()) as { data: T }).data;
}
