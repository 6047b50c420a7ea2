/** Uploads of photos and videos. */

import type { Client } from "openapi-fetch";

import { ApiError, answer } from "./errors.js";
import type { components, paths } from "./schema.js";

/** An upload. To attach it to a post, pass its `id` in `media`. */
export type UploadTicket = components["schemas"]["UploadTicket"];

/** Options of an upload. */
export interface UploadOptions {
  /** Default: the name of the `File`. */
  filename?: string;
  /** Called with the number of sent bytes and the size of the file in bytes. */
  onProgress?: (sent: number, total: number) => void;
}

type Put = { url: string; headers: Record<string, string>; file: Blob; onProgress: (sent: number) => void };

/** Announces the file, and sends its bytes. */
export async function upload(api: Client<paths>, file: Blob, options: UploadOptions): Promise<UploadTicket> {
  const { filename = file instanceof File ? file.name : "file", onProgress = () => {} } = options;
  const body = { filename, contentType: file.type, size: file.size };
  const { data: ticket } = await answer(api.POST("/upload", { body }));
  // In browsers, only XMLHttpRequest reports progress. Node.js does not have it.
  const put = typeof XMLHttpRequest === "undefined" ? putStream : putInBrowser;
  const report = (sent: number) => onProgress(sent, file.size);
  const status = await put({ url: ticket.uploadUrl, headers: ticket.headers, file, onProgress: report });
  if (status < 200 || status > 299) {
    throw new ApiError(status, "UNKNOWN", `the upload failed with status ${status}`, null);
  }
  return ticket;
}

function putInBrowser({ url, headers, file, onProgress }: Put): Promise<number> {
  return new Promise((done, fail) => {
    const request = new XMLHttpRequest();
    request.open("PUT", url);
    // Browsers set the content length themselves.
    const own = Object.entries(headers).filter(([name]) => name.toLowerCase() !== "content-length");
    own.forEach(([name, value]) => request.setRequestHeader(name, value));
    request.upload.onprogress = ({ loaded }) => onProgress(loaded);
    request.onload = () => done(request.status);
    request.onerror = () => fail(new TypeError("the upload was interrupted"));
    request.send(file);
  });
}

async function putStream({ url, headers, file, onProgress }: Put): Promise<number> {
  let sent = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      sent += chunk.byteLength;
      onProgress(sent);
      controller.enqueue(chunk);
    },
  });
  const body = file.stream().pipeThrough(counted);
  const sized = { ...headers, "content-length": String(file.size) };
  const init = { method: "PUT", headers: sized, body, duplex: "half" };
  return (await fetch(url, init)).status;
}
