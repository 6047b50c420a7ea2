/** Errors of the API as exceptions. */

import type { components } from "./schema.js";

/** The code of an error, for example `SECOND_FACTOR_REQUIRED`. */
export type ErrorCode = components["schemas"]["ErrorCode"];

/** An error response: status, code for programs, message for users. */
export class ApiError extends Error {
  override readonly name = "ApiError";

  constructor(
    readonly status: number,
    readonly code: ErrorCode | "UNKNOWN",
    message: string,
    /** Include it in a report to the operator. */
    readonly requestId: string | null,
    /** Seconds until the request can succeed, if the API named them. */
    readonly retryAfterSeconds: number | null = null,
  ) {
    super(message);
  }
}

/** Error codes by status, for responses of the gateway, which contain no error code. */
const GATEWAY_CODES = new Map<number, ErrorCode>([
  [404, "NOT_FOUND"],
  [413, "PAYLOAD_TOO_LARGE"],
  [429, "TOO_MANY_REQUESTS"],
  [500, "INTERNAL_SERVER_ERROR"],
  [503, "INTERNAL_SERVER_ERROR"],
]);

type Answered<T> = { data?: T; error?: unknown; response: Response };

/** Returns the response body, or throws an {@link ApiError}. */
export async function answer<T>(asked: Promise<Answered<T>>): Promise<T> {
  const { data, error, response } = await asked;
  if (data !== undefined) {
    return data;
  }
  throw refusal(response, error);
}

/** Converts an error response to an exception. */
export function refusal({ status, headers }: Response, body: unknown): ApiError {
  const code = (headers.get("x-error-code") as ErrorCode | null) ?? GATEWAY_CODES.get(status) ?? "UNKNOWN";
  const message = messageOf(body) ?? `the API answered ${status}`;
  const wait = headers.get("retry-after");
  return new ApiError(status, code, message, headers.get("x-request-id"), wait === null ? null : Number(wait));
}

function messageOf(body: unknown): string | undefined {
  const hasMessage = typeof body === "object" && body !== null && "message" in body;
  return hasMessage && typeof body.message === "string" ? body.message : undefined;
}
