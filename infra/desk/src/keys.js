/** Keyboard shortcuts of one character. Users can switch shortcuts off. */

const KEY = "desk-shortcuts";
const TYPING = "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]";

/** Returns whether shortcuts are on. */
export const areOn = () => localStorage.getItem(KEY) !== "off";

/** Switches shortcuts on or off in this browser. */
export function toggle() {
  localStorage.setItem(KEY, areOn() ? "off" : "on");
}

/**
 * Calls a function when its key is pressed, until `signal` is aborted. Ignores keys in text fields and dialogs.
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
 * Returns the name of the pressed key. Some input methods, for example for Vietnamese, report each letter as `Process`,
 * so the name then comes from the position on the keyboard.
 * @param {KeyboardEvent} event
 */
function nameOf({ key, code }) {
  return key === "Process" ? code.replace(/^(Key|Digit)/, "").toLowerCase() : key;
}
