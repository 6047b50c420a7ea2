/** Keyboard shortcuts of one character. They can be switched off. */

const KEY = "desk-shortcuts";
const TYPING = "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]";

/** Returns whether shortcuts are on. */
export const areOn = () => localStorage.getItem(KEY) !== "off";

/** Switches shortcuts on or off in this browser. */
export function toggle() {
  localStorage.setItem(KEY, areOn() ? "off" : "on");
}

/**
 * Calls a function when its key is pressed, until the signal is aborted.
 * @param {Record<string, (event: KeyboardEvent) => void>} keys
 * @param {AbortSignal} [signal]
 */
export function onKeys(keys, signal) {
  const press = (/** @type {KeyboardEvent} */ event) => {
    const isTyping = event.target instanceof Element && event.target.closest(TYPING) !== null;
    const isModified = event.ctrlKey || event.metaKey || event.altKey;
    const press = keys[nameOf(event)];
    if (press && !isTyping && !isModified && areOn() && document.querySelector("dialog[open]") === null) {
      event.preventDefault();
      press(event);
    }
  };
  document.addEventListener("keydown", press, signal ? { signal } : {});
}

/**
 * Returns the name of the key. Input methods, such as Vietnamese ones, report letters as `Process`.
 * @param {KeyboardEvent} event
 */
function nameOf({ key, code }) {
  return key === "Process" ? code.replace(/^(Key|Digit)/, "").toLowerCase() : key;
}
