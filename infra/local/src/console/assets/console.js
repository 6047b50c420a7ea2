// What needs a script: copying a token, giving it to the API reference, saying that something takes its time, and
// keeping open what is open while a page renews itself.
const REFERENCE = "authorized";

function say(text) {
  const said = document.getElementById("said");
  if (said) said.textContent = text;
}

async function copy(box) {
  box.select();
  try {
    await navigator.clipboard.writeText(box.value);
    say("Copied.");
  } catch {
    say("It is selected: copy it with the keyboard.");
  }
}

// As Swagger UI keeps what was authorized.
function use(token) {
  const schema = { type: "http", scheme: "bearer", bearerFormat: "JWT" };
  localStorage.setItem(REFERENCE, JSON.stringify({ bearer: { name: "bearer", schema, value: token } }));
  say("The API reference signs its requests as this person now. Load it again if it is open.");
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
