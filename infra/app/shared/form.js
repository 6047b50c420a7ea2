/** Forms. Errors of the API appear beside the field they name. */

import { el } from "./dom.js";
import { ApiError } from "./network.js";

let numbered = 0;

/**
 * Returns a field with its label, its hint, and a place for its error.
 * @param {string} name of the field in the API
 * @param {string} label
 * @param {Record<string, unknown> & { hint?: string, tag?: "input" | "textarea", isLabelHidden?: boolean }} [options]
 */
export function field(name, label, { hint, tag = "input", isLabelHidden = false, ...attributes } = {}) {
  const id = `field-${++numbered}`;
  return el(
    "div",
    { class: "field" },
    el("label", { for: id, class: isLabelHidden ? "hidden" : null }, label),
    el(tag, { id, name, "aria-describedby": `${id}-error${hint ? ` ${id}-hint` : ""}`, ...attributes }),
    hint && el("small", { id: `${id}-hint`, class: "quiet" }, hint),
    el("small", { id: `${id}-error`, class: "wrong" }),
  );
}

/**
 * Returns a form that passes its values to `send` and shows errors. Ignores a submission while another one is sent.
 * @param {Record<string, unknown>} attributes
 * @param {(values: Record<string, string>, form: HTMLFormElement) => Promise<unknown>} send
 * @param {...import("./dom.js").Child} children
 */
export function form(attributes, send, ...children) {
  const error = el("p", { class: "wrong", role: "alert" });
  const element = el("form", { novalidate: true, ...attributes, onsubmit: submit }, ...children, error);
  /** @param {SubmitEvent} event */
  async function submit(event) {
    event.preventDefault();
    if (element.getAttribute("aria-busy") === "true") {
      return;
    }
    clear(element);
    element.setAttribute("aria-busy", "true");
    try {
      await send(valuesOf(element), element);
    } catch (thrown) {
      showError(element, thrown);
    } finally {
      element.removeAttribute("aria-busy");
    }
  }
  return element;
}

/** @param {HTMLFormElement} element */
function valuesOf(element) {
  const texts = [...new FormData(element)].filter(([, value]) => typeof value === "string");
  return /** @type {Record<string, string>} */ (Object.fromEntries(texts));
}

/** @param {HTMLFormElement} element */
function clear(element) {
  for (const error of element.querySelectorAll(".wrong")) {
    error.textContent = "";
  }
  for (const input of element.querySelectorAll("[aria-invalid]")) {
    input.removeAttribute("aria-invalid");
  }
}

/**
 * Shows an error such as `email: must be an email address` below the field it names, or below the form.
 * @param {HTMLFormElement} element
 * @param {unknown} error
 */
function showError(element, error) {
  if (!(error instanceof Error)) {
    throw error;
  }
  const [, name = "", text = ""] = /^([\w.[\]]+): (.*)$/s.exec(error.message) ?? [];
  const input = /** @type {HTMLElement | null} */ (name && element.querySelector(`[name="${CSS.escape(name)}"]`));
  const beside = input && document.getElementById(`${input.id}-error`);
  if (error instanceof ApiError && input && beside) {
    beside.textContent = sentence(text);
    input.setAttribute("aria-invalid", "true");
    input.focus();
  } else {
    /** @type {HTMLElement} */ (element.querySelector("p.wrong")).textContent = sentence(error.message);
  }
}

/** @param {string} text */
function sentence(text) {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}
