/** The photo of a new post: selection, upload, processing and description. */

import { el } from "../shared/dom.js";
import { answer, api } from "../shared/network.js";
import { until } from "../src/until.js";
import { icon } from "./icon.js";

/**
 * Uploads a file to the URL that `POST /upload` returns, and waits until it is processed.
 * @param {File} file
 * @param {(text: string) => void} showStatus
 */
async function upload(file, showStatus) {
  showStatus("Uploading…");
  const body = /** @type {Schemas["UploadDraft"]} */ ({ filename: file.name, contentType: file.type, size: file.size });
  const { data: ticket } = await answer(api.POST("/upload", { body }));
  const headers = /** @type {Record<string, string>} */ (ticket.headers);
  const put = await fetch(ticket.uploadUrl, { method: "PUT", headers: sendable(headers), body: file });
  if (!put.ok) {
    throw new Error(`The upload failed (status ${put.status}). Try again.`);
  }
  showStatus("Processing…");
  const path = { id: ticket.id };
  const read = async () => (await answer(api.GET("/upload/{id}", { params: { path } }))).data;
  const found = await until(read, ({ status }) => status === "READY" || status === "REFUSED");
  if (found.status !== "READY") {
    throw new Error(found.reason ?? "The photo is still being processed. Try again later.");
  }
  return found.id;
}

/** Returns the headers without `content-length`, which browsers set and scripts must not set. */
function sendable(/** @type {Record<string, string>} */ headers) {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== "content-length"));
}

/**
 * Returns a field for one photo. `media` returns the media of the post, and `clear` removes the photo from the field.
 */
export function photoField() {
  /** @type {string | null} */
  let id = null;
  /** @type {Promise<void>} */
  let uploading = Promise.resolve();
  const preview = el("img", { alt: "" });
  const alt = el("input", {
    placeholder: "Describe the photo",
    "aria-label": "Description of the photo",
    maxlength: 1000,
  });
  const status = el("p", { class: "quiet", role: "status" });
  const remove = el(
    "button",
    { type: "button", class: "icon-button", "aria-label": "Remove the photo", onclick: clear },
    icon("close"),
  );
  const shown = el("div", { class: "photo-draft", hidden: true }, preview, el("div", {}, alt, status), remove);
  const input = el("input", {
    type: "file",
    accept: "image/png,image/jpeg,image/webp,image/gif",
    class: "hidden",
    onchange: choose,
  });
  const button = el(
    "label",
    { class: "icon-button" },
    input,
    icon("photo"),
    el("span", { class: "hidden" }, "Add a photo"),
  );

  function choose() {
    const file = input.files?.[0];
    if (file) {
      preview.src = URL.createObjectURL(file);
      shown.hidden = false;
      uploading = send(file);
    }
  }
  async function send(/** @type {File} */ file) {
    try {
      id = await upload(file, (text) => (status.textContent = text));
      status.textContent = "Ready";
      status.classList.add("good");
    } catch (error) {
      clear();
      shown.hidden = false;
      status.textContent = error instanceof Error ? error.message : String(error);
    }
  }
  function clear() {
    id = null;
    input.value = alt.value = status.textContent = "";
    status.classList.remove("good");
    URL.revokeObjectURL(preview.src);
    preview.removeAttribute("src");
    shown.hidden = true;
  }
  /** @returns {Promise<Schemas["MediaDraft"][]>} after the upload */
  async function media() {
    await uploading;
    return id === null ? [] : [{ id, ...(alt.value && { alt: alt.value }) }];
  }
  return { shown, button, media, clear };
}
