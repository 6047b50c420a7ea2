//! The second factor: authenticator codes and recovery codes.

use futures::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use tests::{Answer, Builder, Client, PASSWORD, Person, World};
use totp_rs::Secret;

use super::{login, password::subjects};

pub(crate) mod lost;
mod tries;

const STEP: u64 = 30;

/// A simulated authenticator app, with its base32 seed.
pub(crate) struct Authenticator(String);

impl Authenticator {
    /// Returns an authenticator with the seed in this response.
    pub(crate) fn of(begun: &Answer) -> Self {
        Self::given(begun.data())
    }

    /// Returns an authenticator with the seed in this enrollment.
    pub(crate) fn given(enrollment: &Value) -> Self {
        Self(enrollment["secret"].as_str().unwrap().to_owned())
    }

    /// Returns the code that the app shows `seconds` from now.
    pub(crate) fn code_in(&self, world: &World, seconds: i64) -> String {
        let seed = Secret::try_from_base32(&self.0).unwrap();
        let at = u64::try_from(world.app().now().seconds() + seconds).unwrap();
        totp_rs::Builder::new().with_secret(seed).build().unwrap().generate(at).to_string()
    }

    pub(crate) fn code(&self, world: &World) -> String {
        self.code_in(world, 0)
    }
}

/// Sets up a second factor, and waits until its next code. Also returns the recovery codes.
pub(crate) async fn enrolls(world: &World, person: &Person) -> (Authenticator, Vec<String>) {
    let authenticator = Authenticator::of(&person.post("/auth/totp", Value::Null).await.ok());
    let confirmed = confirms(person, &authenticator.code(world)).await.ok();
    let codes = confirmed.data()["recoveryCodes"].as_array().unwrap();
    world.advance(STEP).await;
    (authenticator, codes.iter().map(|code| code.as_str().unwrap().to_owned()).collect())
}

/// Starts a world with `ann`, who has a second factor. Also returns her authenticator and her recovery codes.
pub(super) async fn enrolled(builder: Builder<'_>) -> (World, Person, Authenticator, Vec<String>) {
    let (world, [ann]) = builder.start_with(["ann"]).await;
    let (authenticator, codes) = enrolls(&world, &ann).await;
    (world, ann, authenticator, codes)
}

/// Confirms the second factor with a code.
pub(crate) async fn confirms(person: &Person, code: &str) -> Answer {
    person.post("/auth/totp/confirm", json!({ "code": code })).await
}

/// Signs in, with or without a code.
pub(crate) async fn opens(anyone: &Client, name: &str, password: &str, code: Option<&str>) -> Answer {
    let mut body = login(name, password);
    if let Some(code) = code {
        body["code"] = json!(code);
    }
    anyone.post("/auth/login", body).await
}

/// Signs `ann` in with a code.
pub(super) async fn session_with(world: &World, code: &str) -> Person {
    let pair = opens(&world.anyone, "ann", PASSWORD, Some(code)).await.ok();
    Person::of_tokens(&world.anyone, "ann", pair.data())
}

#[tokio::test]
async fn copies_of_a_request_with_a_code_get_the_same_answer() {
    let (world, ann, authenticator, _) = enrolled(World::builder()).await;
    let session = session_with(&world, &authenticator.code(&world)).await;
    world.advance(STEP).await;
    let token = json!({ "name": "bot", "scopes": ["read"], "code": authenticator.code(&world) });
    let answers = join_all((0..5).map(|_| session.post_once("one", "/auth/tokens", token.clone()))).await;
    for answer in &answers {
        assert_eq!((answer.status, &answer.body), (201, &answers[0].body), "{answers:?}");
    }
    assert_eq!(ann.get("/auth/tokens").await.ok().rows().len(), 1);
}

/// Removes the second factor.
pub(crate) async fn turns_off(person: &Person, password: &str, code: &str) -> Answer {
    person.call(Method::DELETE, "/auth/totp", &json!({ "password": password, "code": code })).await
}

#[tokio::test]
async fn a_sign_in_with_a_second_factor_requires_a_code() {
    let (world, [ann]) = World::with(["ann"]).await;
    let begun = ann.post("/auth/totp", Value::Null).await.ok();
    let secret = begun.data()["secret"].as_str().unwrap();
    assert_eq!(secret.len(), 32, "160 bits in base 32");
    let url = begun.data()["otpauthUrl"].as_str().unwrap();
    assert_eq!(url, format!("otpauth://totp/Social%20network:ann?secret={secret}&issuer=Social%20network"));
    opens(&world.anyone, "ann", PASSWORD, None).await.ok();
    let has_factor = async |ann: &Person| ann.get("/auth/me").await.ok().data()["hasSecondFactor"].clone();
    assert_eq!(has_factor(&ann).await, false, "the factor is not confirmed yet");

    let (authenticator, codes) = enrolls(&world, &ann).await;
    assert_eq!((codes.len(), has_factor(&ann).await), (10, json!(true)));
    let without = opens(&world.anyone, "ann", PASSWORD, None).await;
    assert_eq!(without.refused(401, "SECOND_FACTOR_REQUIRED"), "a second-factor code is required");
    let wrong = opens(&world.anyone, "ann", PASSWORD, Some("000000")).await;
    assert_eq!(wrong.refused(401, "UNAUTHORIZED"), "the code is wrong or was already used");
    let ann = session_with(&world, &authenticator.code(&world)).await;
    ann.refreshes().await.get("/auth/me").await.ok();
    world.settle().await;
    let notice = world.mail_to("ann").into_iter().find(|mail| mail.subject == "Your second factor is on");
    assert!(notice.unwrap().text.contains("choose to remove the second factor"));
}

#[tokio::test]
async fn a_wrong_password_does_not_reveal_a_second_factor() {
    let (world, [ann, _bob]) = World::with(["ann", "bob"]).await;
    let (authenticator, _) = enrolls(&world, &ann).await;
    let (of_bob, cost_of_bob) = world.cost_of(opens(&world.anyone, "bob", "not this", None)).await;
    for code in [None, Some(authenticator.code(&world)), Some("000000".to_owned())] {
        let (answer, cost) = world.cost_of(opens(&world.anyone, "ann", "not this", code.as_deref())).await;
        answer.refused(401, "UNAUTHORIZED");
        assert_eq!((&answer.body, cost), (&of_bob.body, cost_of_bob.clone()));
    }
    opens(&world.anyone, "ann", PASSWORD, Some(&authenticator.code(&world))).await.ok();
}

#[tokio::test]
async fn a_code_works_once_even_for_concurrent_sign_ins() {
    let (world, _, authenticator, _) = enrolled(World::builder()).await;
    let code = authenticator.code(&world);
    let answers = join_all((0..4).map(|_| opens(&world.anyone, "ann", PASSWORD, Some(&code)))).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1, "{answers:?}");
    assert!(answers.iter().all(|answer| [200, 401].contains(&answer.status)), "{answers:?}");
    opens(&world.anyone, "ann", PASSWORD, Some(&code)).await.refused(401, "UNAUTHORIZED");
    // Codes older than the last used code are refused too.
    let before = authenticator.code_in(&world, -30);
    opens(&world.anyone, "ann", PASSWORD, Some(&before)).await.refused(401, "UNAUTHORIZED");
    world.advance(STEP).await;
    opens(&world.anyone, "ann", PASSWORD, Some(&authenticator.code(&world))).await.ok();
}

#[tokio::test]
async fn the_code_that_confirmed_the_factor_cannot_sign_in() {
    let (world, _, authenticator, _) = enrolled(World::builder()).await;
    let confirming = authenticator.code_in(&world, -30);
    opens(&world.anyone, "ann", PASSWORD, Some(&confirming)).await.refused(401, "UNAUTHORIZED");
}

#[tokio::test]
async fn a_code_is_valid_30_seconds_early_or_late() {
    let (world, _, authenticator, _) = enrolled(World::builder()).await;
    world.advance(10 * STEP).await;
    for seconds in [-60, 60] {
        let code = authenticator.code_in(&world, seconds);
        opens(&world.anyone, "ann", PASSWORD, Some(&code)).await.refused(401, "UNAUTHORIZED");
    }
    for seconds in [-30, 0, 30] {
        let code = authenticator.code_in(&world, seconds);
        opens(&world.anyone, "ann", PASSWORD, Some(&code)).await.ok();
    }
}

#[tokio::test]
async fn a_recovery_code_works_once_in_any_format() {
    let (world, _, _, codes) = enrolled(World::builder()).await;
    let answers = join_all((0..3).map(|_| opens(&world.anyone, "ann", PASSWORD, Some(&codes[0])))).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1, "{answers:?}");
    for typed in [codes[1].to_uppercase(), codes[2].replace('-', ""), codes[3].replace('-', " ")] {
        opens(&world.anyone, "ann", PASSWORD, Some(&typed)).await.ok();
        opens(&world.anyone, "ann", PASSWORD, Some(&typed)).await.refused(401, "UNAUTHORIZED");
    }
    for code in &codes[4..] {
        opens(&world.anyone, "ann", PASSWORD, Some(code)).await.ok();
    }
}

#[tokio::test]
async fn the_error_for_a_malformed_code_names_the_field() {
    let (world, [ann]) = World::with(["ann"]).await;
    for code in ["", "12345", "1234567", "abcdef"] {
        let answer = opens(&world.anyone, "ann", PASSWORD, Some(code)).await;
        let message = answer.refused(400, "VALIDATION_FAILED");
        assert_eq!(message, "code: must be a 6-digit code or a recovery code");
        let answer = confirms(&ann, code).await;
        assert_eq!(answer.refused(400, "VALIDATION_FAILED"), "code: must be a 6-digit code");
    }
    // Without a second factor, a code is ignored.
    opens(&world.anyone, "ann", PASSWORD, Some("000000")).await.ok();
}

#[tokio::test]
async fn only_the_newest_seed_can_be_confirmed_within_an_hour() {
    let (world, [ann]) = World::with(["ann"]).await;
    confirms(&ann, "000000").await.invalid("code: no second factor is being set up");
    let begin = async |_| Authenticator::of(&ann.post("/auth/totp", Value::Null).await.ok());
    let seeds = join_all((0..2).map(begin)).await;
    let confirm = async |seed: &Authenticator| confirms(&ann, &seed.code(&world)).await.status;
    let statuses = [confirm(&seeds[0]).await, confirm(&seeds[1]).await];
    assert!([[200, 400], [400, 200]].contains(&statuses), "{statuses:?}");
    ann.post("/auth/totp", Value::Null).await.invalid("code: a second factor is already on");

    let bob = world.person("bob").await;
    let late = Authenticator::of(&bob.post("/auth/totp", Value::Null).await.ok());
    world.advance(60 * 60).await;
    let bob = bob.signs_in().await;
    confirms(&bob, &late.code(&world)).await.refused(400, "VALIDATION_FAILED");
    opens(&world.anyone, "bob", PASSWORD, None).await.ok();
}

#[tokio::test]
async fn one_of_several_concurrent_confirmations_succeeds() {
    let (world, [ann]) = World::with(["ann"]).await;
    let code = Authenticator::of(&ann.post("/auth/totp", Value::Null).await.ok()).code(&world);
    let answers = join_all((0..3).map(|_| confirms(&ann, &code))).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1, "{answers:?}");
}

#[tokio::test]
async fn disabling_the_factor_requires_a_password_and_a_code() {
    let (world, [ann]) = World::with(["ann"]).await;
    assert_eq!(turns_off(&ann, PASSWORD, "000000").await.refused(404, "NOT_FOUND"), "no such second factor");
    let (authenticator, codes) = enrolls(&world, &ann).await;
    let phone = session_with(&world, &codes[0]).await;
    for (password, code, message) in [
        ("not this", authenticator.code(&world), "password: is wrong"),
        (PASSWORD, "000000".to_owned(), "code: is wrong or was already used"),
        (PASSWORD, codes[0].clone(), "code: is wrong or was already used"),
    ] {
        assert_eq!(turns_off(&ann, password, &code).await.refused(400, "VALIDATION_FAILED"), message);
    }
    let without = ann.call(Method::DELETE, "/auth/totp", &json!({ "password": PASSWORD })).await;
    assert_eq!(without.refused(400, "VALIDATION_FAILED"), "code: is required");
    phone.get("/auth/me").await.ok();
    assert_eq!(ann.get("/auth/me").await.ok().data()["hasSecondFactor"], true);
    turns_off(&ann, PASSWORD, &authenticator.code(&world)).await.ok();
    phone.get("/auth/me").await.refused(401, "UNAUTHORIZED");
    assert_eq!(ann.get("/auth/me").await.ok().data()["hasSecondFactor"], false);
    opens(&world.anyone, "ann", PASSWORD, None).await.ok();
    world.settle().await;
    assert!(subjects(&world, "ann").contains(&"Your second factor is off".to_owned()));
    let (second, _) = enrolls(&world, &ann).await;
    opens(&world.anyone, "ann", PASSWORD, Some(&codes[5])).await.refused(401, "UNAUTHORIZED");
    opens(&world.anyone, "ann", PASSWORD, Some(&second.code(&world))).await.ok();
}
