//! The web console of the local stack: contents, actions and protection. `tests/browser` tests the pages in a browser.

mod acts;
mod guards;
mod pages;

use reqwest::{Method, header::CONTENT_TYPE};
use tests::{Answer, Client, World, send};

/// Opens a page of the console, for example `/mail`.
pub(crate) async fn opens(client: &Client, page: &str) -> Answer {
    let answer = client.get(&format!("/_local/console{page}")).await;
    assert_eq!(answer.status, 200, "{page}: {answer}");
    answer
}

/// Submits a form on a page, as a browser does.
pub(crate) async fn submits(world: &World, page: &str, form: &str) -> Answer {
    let request = world.anyone.request(Method::POST, &format!("/_local/console{page}"));
    let request = request.header("sec-fetch-site", "same-origin").header("origin", world.stack.url());
    send(request.header(CONTENT_TYPE, "application/x-www-form-urlencoded").body(form.to_owned())).await
}

/// Follows the redirect in `answer`, and returns the notice on the target page.
pub(crate) async fn notice_after(world: &World, answer: &Answer) -> String {
    assert_eq!(answer.status, 303, "{answer}");
    let page = world.anyone.get(answer.header("location").expect("a page")).await;
    let notice = page.text.split("role=\"status\">").nth(1).expect("a notice");
    notice.split('<').next().unwrap().to_owned()
}
