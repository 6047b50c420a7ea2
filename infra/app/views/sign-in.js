/** Sign-in and registration. */

import { el } from "../shared/dom.js";
import { field, form } from "../shared/form.js";
import { network } from "../shared/network.js";
import { go } from "../src/router.js";

const EMAIL = { type: "email", autocomplete: "email" };

export async function signIn() {
  const enter = form(
    { class: "stack" },
    async ({ identifier = "", password = "", code }) => {
      await network.signIn({ identifier, password, ...(code && { code }) });
      entered("/");
    },
    field("identifier", "Username or email", { autocomplete: "username", autocapitalize: "none" }),
    field("password", "Password", { type: "password", autocomplete: "current-password" }),
    el(
      "details",
      { class: "small" },
      el("summary", {}, "I have a second factor"),
      field("code", "Code", { inputmode: "numeric", autocomplete: "one-time-code" }),
    ),
    el("button", { class: "primary wide" }, "Sign in"),
  );
  return gate(
    "Welcome back",
    enter,
    el("p", { class: "quiet" }, "New here? ", el("a", { href: "#/sign-up" }, "Create an account")),
  );
}

export async function signUp() {
  const join = form(
    { class: "stack" },
    async ({ name = "", username = "", email = "", password = "" }) => {
      await network.signUp({ name, username, email, password });
      entered("/confirm");
    },
    field("name", "Name", { autocomplete: "name" }),
    field("username", "Username", { autocomplete: "username", autocapitalize: "none" }),
    field("email", "Email", { ...EMAIL, hint: "Any address works: the local service sends no mails." }),
    field("password", "Password", { type: "password", autocomplete: "new-password", hint: "At least 8 characters." }),
    el("button", { class: "primary wide" }, "Create the account"),
  );
  return gate(
    "Create an account",
    join,
    el("p", { class: "quiet" }, "Already registered? ", el("a", { href: "#/sign-in" }, "Sign in")),
  );
}

/** @param {string} path */
function entered(path) {
  window.dispatchEvent(new Event("session"));
  go(path);
}

/**
 * @param {string} title
 * @param {...Node} children
 */
function gate(title, ...children) {
  return el(
    "section",
    { class: "gate" },
    el(
      "div",
      { class: "pitch" },
      el("img", { src: "/app/style/icon.svg", alt: "", width: 56, height: 56 }),
      el("p", { class: "claim" }, "Say something good."),
      el(
        "p",
        { class: "quiet" },
        "Circles live as long as their members write good posts.",
      ),
    ),
    el("div", { class: "panel" }, el("h1", {}, title), ...children),
  );
}
