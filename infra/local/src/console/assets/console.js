// Copies tokens, passes them to the API reference, shows progress, and keeps open details open when a page refreshes.
const REFERENCE = "authorized";

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

// The storage format of Swagger UI.
function use(token) {
  const schema = { type: "http", scheme: "bearer", bearerFormat: "JWT" };
  localStorage.setItem(REFERENCE, JSON.stringify({ bearer: { name: "bearer", schema, value: token } }));
  show("The API reference now uses this token. Reload it if it is open.");
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
