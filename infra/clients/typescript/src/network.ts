/** The client of one user. */

import createClient, { type Client } from "openapi-fetch";

import { answer } from "./errors.js";
import { type ListOptions, type ListPath, type RowOf, rows } from "./pages.js";
import { type Realtime, type RealtimeOptions, connectRealtime } from "./realtime.js";
import { keyFor, withRepeats } from "./repeat.js";
import type { components, paths } from "./schema.js";
import { withSession } from "./session.js";
import { type TokenStore, inMemory } from "./tokens.js";
import { type UploadOptions, type UploadTicket, upload } from "./upload.js";

type Schemas = components["schemas"];

/** Options of the client. */
export interface Options {
  /** For example `https://api.example.com`. */
  url: string;
  /** Token store. Default: memory. */
  tokens?: TokenStore;
  /** Sends a request. Default: the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
  /** Called when the session has ended: signed out elsewhere, banned, or expired. */
  onEnd?: () => void;
}

/** The API for one user. Error responses are thrown as `ApiError`. */
export interface Network {
  /** Every operation, typed: `answer(network.api.GET("/posts/{publicId}", …))`. */
  readonly api: Client<paths>;
  /** Registers an account and signs in. */
  signUp(registration: Schemas["Registration"]): Promise<void>;
  /** Signs in. A second factor requires `code`. */
  signIn(credentials: Schemas["Credentials"]): Promise<void>;
  /** Ends the session at the API, and deletes the tokens. */
  signOut(): Promise<void>;
  /** Returns whether tokens are stored. */
  isSignedIn(): boolean;
  /** Returns the rows of a list: `for await (const post of network.rows("/posts/news-feed"))`. */
  rows<P extends ListPath>(path: P, options?: ListOptions<P>): AsyncGenerator<RowOf<P>, void, undefined>;
  /** Uploads a photo or a video. A post contains it with `media: [{ id }]`. */
  upload(file: Blob, options?: UploadOptions): Promise<UploadTicket>;
  /** Opens the realtime connection of the signed-in user. */
  realtime(options: RealtimeOptions): Promise<Realtime>;
}

/** Creates a client. Sends no request. */
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
    upload: (file, options) => upload(api, file, options ?? {}),
    realtime: (options) => connectRealtime(api, options),
  };
}
