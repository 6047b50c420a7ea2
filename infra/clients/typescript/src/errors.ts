/** What the API refuses, as an exception. */

/** A refusal: the status, the code that programs read, and the message that people read. */
export class ApiError extends Error {
  override readonly name = "ApiError";

  constructor(
    readonly status: number,
    /** For example `VALIDATION_FAILED`. */
    readonly code: string,
    message: string,
    /** What to give to whoever operates the service. */
    readonly requestId: string | null,
  ) {
    super(message);
  }
}

type Answered<T> = { data?: T; error?: unknown; response: Response };

/** Returns what the API answered, or throws the {@link ApiError} of its refusal. */
export async function answer<T>(asked: Promise<Answered<T>>): Promise<T> {
  const { data, error, response } = await asked;
  if (data !== undefined) {
    return data;
  }
  throw refusal(response, error);
}

/** Returns an answer that refuses as an exception. */
export function refusal({ status, headers }: Response, body: unknown): ApiError {
  const code = headers.get("x-error-code") ?? "UNKNOWN";
  return new ApiError(status, code, messageOf(body) ?? `the API answered ${status}`, headers.get("x-request-id"));
}

function messageOf(body: unknown): string | undefined {
  const hasMessage = typeof body === "object" && body !== null && "message" in body;
  return hasMessage && typeof body.message === "string" ? body.message : undefined;
}
