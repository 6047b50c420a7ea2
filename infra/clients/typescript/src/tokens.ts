/** Stores of a session's tokens. */

import type { components } from "./schema.js";

/** An access token, and the refresh token for the next pair. */
export type Tokens = Pick<components["schemas"]["TokenPair"], "accessToken" | "refreshToken">;

/** Stores the tokens of one session. Tabs with the same store share the session. */
export interface TokenStore {
  read(): Tokens | null;
  write(tokens: Tokens | null): void;
}

/** Stores tokens in memory. */
export function inMemory(tokens: Tokens | null = null): TokenStore {
  return {
    read: () => tokens,
    write: (next) => {
      tokens = next;
    },
  };
}

/** Stores tokens in the browser, for all tabs of the site. Any script of the site can read them. */
export function inBrowser(storage: Storage = localStorage, name = "social-tokens"): TokenStore {
  return {
    read: () => parsed(storage.getItem(name)),
    write: (tokens) => (tokens ? storage.setItem(name, JSON.stringify(tokens)) : storage.removeItem(name)),
  };
}

function parsed(text: string | null): Tokens | null {
  const value: unknown = text === null ? null : JSON.parse(text);
  return isTokens(value) ? value : null;
}

function isTokens(value: unknown): value is Tokens {
  return typeof value === "object" && value !== null && "accessToken" in value && "refreshToken" in value;
}
