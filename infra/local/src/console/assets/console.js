// Copies tokens, passes them to the API reference, shows progress, and keeps open details open when a page refreshes.
// The API reference reads the token from this key.
const REFERENCE = "reference-token";

function show(text) {
  const status = document.getElementById("status");
  if (status) status.textContent = text;
}

async function copy(box) {
  box.select();
  try {
    await navigator.clipboard.writeText(box.value);
    show("Copied.");
  } catch {
    show("The token is selected. Copy it with the keyboard.");
  }
}

function use(token) {
  localStorage.setItem(REFERENCE, token);
  show("The API reference now uses this token.");
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest("button");
  if (button?.dataset.copy) copy(document.getElementById(button.dataset.copy));
  if (button?.dataset.use) use(document.getElementById(button.dataset.use).value);
});

document.addEventListener("submit", ({ submitter }) => {
  if (submitter?.dataset.wait !== undefined) submitter.textContent = "Moving …";
});

let open = [];

document.addEventListener("htmx:beforeSwap", () => {
  open = [...document.querySelectorAll("#live details[open][id]")].map(({ id }) => id);
});

document.addEventListener("htmx:afterSettle", () => {
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
});
