/** A typed client of the social network's API. */

export { connect, type Network, type Options } from "./network.js";
export { ApiError, type ErrorCode, answer } from "./errors.js";
export type { Events } from "./events.js";
export { listen, type Channel, type Realtime, type RealtimeOptions } from "./realtime.js";
export { inBrowser, inMemory, type Tokens, type TokenStore } from "./tokens.js";
export type { UploadOptions, UploadTicket } from "./upload.js";
export type { ListPath, RowOf } from "./pages.js";
export type { components, operations, paths } from "./schema.js";
