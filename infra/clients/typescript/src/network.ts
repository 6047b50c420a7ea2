/** The network, as somebody who uses it sees it. */

import createClient, { type Client } from "openapi-fetch";

import { answer } from "./errors.js";
import { type ListOptions, type ListPath, type RowOf, rows } from "./pages.js";
import { type Realtime, type RealtimeOptions, connectRealtime } from "./realtime.js";
import { keyFor, withRepeats } from "./repeat.js";
import type { components, paths } from "./schema.js";
import { withSession } from "./session.js";
import { type TokenStore, inMemory } from "./tokens.js";

type Schemas = components["schemas"];

/** Where the API is, and how to reach it. */
export interface Options {
  /** For example `https://api.example.com`. */
  url: string;
  /** Where the tokens are kept: in memory unless said. */
  tokens?: TokenStore;
  /** What sends a request. */
  fetch?: (request: Request) => Promise<Response>;
  /** Is told when the session has ended: signed out elsewhere, banned, or too old. */
  onEnd?: () => void;
}

/** The network. What the API refuses is thrown as an `ApiError`. */
export interface Network {
  /** Every operation, typed: `answer(network.api.GET("/posts/{publicId}", …))`. */
  readonly api: Client<paths>;
  /** Opens an account and signs in. */
  signUp(registration: Schemas["Registration"]): Promise<void>;
  /** Signs in; with a second factor `code` is needed. */
  signIn(credentials: Schemas["Credentials"]): Promise<void>;
  /** Ends the session here and at the API. */
  signOut(): Promise<void>;
  /** Whether somebody is signed in, as far as is known here. */
  isSignedIn(): boolean;
  /** The rows of a list: `for await (const post of network.rows("/posts/news-feed"))`. */
  rows<P extends ListPath>(path: P, options?: ListOptions<P>): AsyncGenerator<RowOf<P>, void, undefined>;
  /** Hears what happens to whoever is signed in. */
  realtime(options: RealtimeOptions): Promise<Realtime>;
}

/** Connects to the network. Sends nothing yet. */
export function connect(options: Options): Network {
  const { tokens = inMemory(), fetch = (request) => globalThis.fetch(request), onEnd = () => {} } = options;
  const base = options.url.replace(/\/+$/, "");
  const send = withSession(base, tokens, withRepeats(fetch), onEnd);
  const api = createClient<paths>({ baseUrl: base, fetch: send });
  api.use({
    onRequest({ request, schemaPath }) {
      const key = keyFor(request.method, schemaPath);
      if (key && !request.headers.has("idempotency-key")) {
        request.headers.set("idempotency-key", key);
      }
    },
  });
  return {
    api,
    async signUp(body) {
      tokens.write((await answer(api.POST("/auth/register", { body }))).data);
    },
    async signIn(body) {
      tokens.write((await answer(api.POST("/auth/login", { body }))).data);
    },
    async signOut() {
      const refreshToken = tokens.read()?.refreshToken;
      if (refreshToken !== undefined) {
        await answer(api.POST("/auth/logout", { params: { header: { "x-refresh-token": refreshToken } } }));
      }
      tokens.write(null);
    },
    isSignedIn: () => tokens.read() !== null,
    rows: (path, options) => rows(api, path, options ?? ({} as ListOptions<typeof path>)),
    realtime: (options) => connectRealtime(api, options),
  };
}
