//! Passkeys (WebAuthn), with a simulated device.

use domain::people::users::Status;
use serde_json::{Value, json};
use tests::{Answer, PASSWORD, PasskeyDevice, Person, World};

use super::{ban, login, password::subjects, resets_password, second_factor::enrolls};

const ALGORITHMS: [i64; 3] = [-7, -8, -257];

async fn creation_options(user: &Person) -> Value {
    user.post("/auth/passkeys/options", json!({})).await.ok().data().clone()
}

async fn adds(user: &Person, device: &mut PasskeyDevice, options: &Value) -> Answer {
    let credential = device.creates(options);
    user.post("/auth/passkeys", json!({ "name": "Ann's phone", "credential": credential })).await
}

async fn request_options(world: &World) -> Value {
    world.anyone.post("/auth/passkeys/login/options", Value::Null).await.ok().data().clone()
}

async fn signs_in(world: &World, device: &mut PasskeyDevice) -> Answer {
    let credential = device.signs(&request_options(world).await);
    world.anyone.post("/auth/passkeys/login", json!({ "credential": credential })).await
}

/// Registers a new passkey of the user, and returns its device.
async fn passkey(world: &World, user: &Person, algorithm: i64) -> PasskeyDevice {
    let mut device = PasskeyDevice::new(algorithm, world.stack.url());
    adds(user, &mut device, &creation_options(user).await).await.ok();
    device
}

#[tokio::test]
async fn a_passkey_signs_its_user_in() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    for algorithm in ALGORITHMS {
        let mut passkeys = [passkey(&world, &ann, algorithm).await, passkey(&world, &bob, algorithm).await];
        for (user, device) in [&ann, &bob].into_iter().zip(&mut passkeys) {
            let pair = signs_in(&world, device).await.ok();
            let session = Person::of_tokens(&world.anyone, &user.name, pair.data());
            assert_eq!(session.get("/auth/me").await.ok().data()["username"], json!(user.name));
        }
    }
    let listed = ann.get("/auth/passkeys").await.ok();
    assert_eq!(listed.column("name"), ["Ann's phone"; 3]);
    assert!(listed.rows()[0]["lastUsedAt"].is_string());
    world.settle().await;
    assert!(subjects(&world, "ann").contains(&"A passkey was added".to_owned()));
}

#[tokio::test]
async fn a_removed_passkey_no_longer_signs_in() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let mut device = passkey(&world, &ann, -7).await;
    let id = ann.get("/auth/passkeys").await.ok().data()[0]["id"].as_str().unwrap().to_owned();
    bob.delete(&format!("/auth/passkeys/{id}")).await.refused(404, "NOT_FOUND");
    ann.delete(&format!("/auth/passkeys/{id}")).await.ok();
    ann.delete(&format!("/auth/passkeys/{id}")).await.refused(404, "NOT_FOUND");
    signs_in(&world, &mut device).await.refused(401, "UNAUTHORIZED");
}

#[tokio::test]
async fn a_password_reset_removes_all_passkeys() {
    let (world, [ann]) = World::with(["ann"]).await;
    let mut device = passkey(&world, &ann, -7).await;
    world.settle().await;
    world.advance(1).await;
    resets_password(&world, "ann", "quite another password").await.ok();
    signs_in(&world, &mut device).await.refused(401, "UNAUTHORIZED");
}

#[tokio::test]
async fn a_passkey_response_works_once_and_for_five_minutes() {
    let (world, [ann]) = World::builder().without_ticks().start_with(["ann"]).await;
    let mut device = passkey(&world, &ann, -7).await;
    let credential = json!({ "credential": device.signs(&request_options(&world).await) });
    world.anyone.post("/auth/passkeys/login", credential.clone()).await.ok();
    world.anyone.post("/auth/passkeys/login", credential).await.refused(400, "VALIDATION_FAILED");
    let late = json!({ "credential": device.signs(&request_options(&world).await) });
    world.advance(300).await;
    world.anyone.post("/auth/passkeys/login", late).await.refused(400, "VALIDATION_FAILED");
    let ann = ann.signs_in().await;
    let options = creation_options(&ann).await;
    let mut second = PasskeyDevice::new(-7, world.stack.url());
    adds(&ann, &mut second, &options).await.ok();
    let third = adds(&ann, &mut PasskeyDevice::new(-7, world.stack.url()), &options).await;
    third.refused(400, "VALIDATION_FAILED");
}

#[tokio::test]
async fn a_passkey_with_a_repeated_signature_counter_is_refused() {
    let (world, [ann]) = World::with(["ann"]).await;
    let mut device = passkey(&world, &ann, -7).await;
    device.signatures = 5;
    signs_in(&world, &mut device).await.ok();
    signs_in(&world, &mut device).await.refused(401, "UNAUTHORIZED");
    device.signatures = 6;
    signs_in(&world, &mut device).await.ok();
}

#[tokio::test]
async fn a_passkey_response_for_another_site_or_user_is_refused() {
    let world = World::builder().settings(&[("PASSKEY_ORIGINS", "https://app.localhost")]).start().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let mut device = passkey(&world, &ann, -7).await;
    let changes: [fn(&mut PasskeyDevice); 4] = [
        |device| device.origin = "https://evil.example".to_owned(),
        |device| device.site = "evil.example".to_owned(),
        |device| device.flags = 0b001,
        |device| device.flags = 0b100,
    ];
    for change in changes {
        let before = (device.origin.clone(), device.site.clone(), device.flags);
        change(&mut device);
        signs_in(&world, &mut device).await.invalid("credential: ");
        adds(&ann, &mut device, &creation_options(&ann).await).await.refused(400, "VALIDATION_FAILED");
        (device.origin, device.site, device.flags) = before;
    }
    device.origin = "https://app.localhost".to_owned();
    signs_in(&world, &mut device).await.ok();
    let options = creation_options(&ann).await;
    let of_bob = adds(&bob, &mut PasskeyDevice::new(-7, world.stack.url()), &options).await;
    of_bob.refused(400, "VALIDATION_FAILED");
    let mut credential = device.signs(&request_options(&world).await);
    credential["response"]["signature"] = json!("AAAA");
    let forged = world.anyone.post("/auth/passkeys/login", json!({ "credential": credential })).await;
    forged.refused(401, "UNAUTHORIZED");
}

#[tokio::test]
async fn passkeys_are_unique_and_limited_to_20_per_user() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let mut device = passkey(&world, &ann, -8).await;
    let copy = adds(&bob, &mut device, &creation_options(&bob).await).await;
    assert_eq!(copy.refused(400, "VALIDATION_FAILED"), "credential: is already registered");
    let mut requests = Vec::new();
    for _ in 0..24 {
        let options = creation_options(&ann).await;
        let credential = PasskeyDevice::new(-8, world.stack.url()).creates(&options);
        requests.push(json!({ "name": "Phone", "credential": credential }));
    }
    let all = requests.into_iter().map(|request| ann.post("/auth/passkeys", request));
    let added = futures::future::join_all(all).await.iter().filter(|answer| answer.status == 201).count();
    let listed = ann.get("/auth/passkeys").await.ok().rows().len();
    assert!(added <= 19 && listed == added + 1, "{added} added, {listed} listed");
}

#[tokio::test]
async fn a_malformed_passkey_credential_is_refused() {
    let (world, [ann]) = World::with(["ann"]).await;
    let mut device = passkey(&world, &ann, -7).await;
    let new = device.creates(&creation_options(&ann).await);
    let used = device.signs(&request_options(&world).await);
    for field in ["clientDataJSON", "attestationObject"] {
        for value in ["", "!", "e30", "oA", "AAAA", "/////w"] {
            let mut credential = new.clone();
            credential["response"][field] = json!(value);
            let request = json!({ "name": "Phone", "credential": credential });
            ann.post("/auth/passkeys", request).await.refused(400, "VALIDATION_FAILED");
        }
    }
    for field in ["clientDataJSON", "authenticatorData", "signature", "userHandle"] {
        for value in [json!(""), json!("!"), json!("e30"), json!("AAAA"), json!(5), json!([])] {
            let mut credential = used.clone();
            credential["response"][field] = value;
            let answer = world.anyone.post("/auth/passkeys/login", json!({ "credential": credential })).await;
            assert!([400, 401].contains(&answer.status), "{field}: {answer:?}");
        }
    }
}

#[tokio::test]
async fn a_passkey_replaces_the_second_factor_code() {
    let (world, [ann]) = World::with(["ann"]).await;
    let mut device = passkey(&world, &ann, -8).await;
    enrolls(&world, &ann).await;
    let mut request = login("ann", PASSWORD);
    world.anyone.post("/auth/login", request.clone()).await.refused(401, "SECOND_FACTOR_REQUIRED");
    request["passkey"] = device.signs(&request_options(&world).await);
    world.anyone.post("/auth/login", request.clone()).await.ok();
    world.anyone.post("/auth/login", request).await.refused(400, "VALIDATION_FAILED");
    let pair = signs_in(&world, &mut device).await.ok();
    let session = Person::of_tokens(&world.anyone, "ann", pair.data());
    let proof = json!({ "passkey": device.signs(&request_options(&world).await) });
    session.post("/auth/export", proof).await.ok();
}

#[tokio::test]
async fn a_new_passkey_requires_a_recent_sign_in_and_confirmed_email() {
    let world = World::builder().without_ticks().start().await;
    let [ann, new] = [world.person("ann").await, world.registers("new").await];
    new.post("/auth/passkeys/options", json!({})).await.refused(403, "FORBIDDEN");
    world.advance(301).await;
    ann.post("/auth/passkeys/options", json!({})).await.invalid("password: ");
    ann.post("/auth/passkeys/options", json!({ "password": PASSWORD })).await.ok();
}

#[tokio::test]
async fn a_passkey_of_a_banned_user_does_not_sign_in() {
    let (world, [ann]) = World::with(["ann"]).await;
    let mut device = passkey(&world, &ann, -7).await;
    ban(&world.app(), &ann, Status::Banned).await;
    signs_in(&world, &mut device).await.refused(403, "FORBIDDEN");
}
