//! Stored responses do not contain secrets in plain text.

use aws_sdk_dynamodb::types::AttributeValue;
use domain::people::users::Role;
use serde_json::{Value, json};
use tests::{PASSWORD, World};

use crate::{
    admin::administrator,
    auth::{form, second_factor::Authenticator},
    scale::all_rows,
};

/// Returns the stored responses to requests with an idempotency key, as text.
async fn stored_responses(world: &World) -> Vec<String> {
    let rows = all_rows(world).await;
    let is_response = |key: &AttributeValue| key.as_s().unwrap().starts_with("IDEM#");
    rows.iter().filter(|row| is_response(&row["pk"])).map(|row| format!("{row:?}")).collect()
}

/// Returns the texts in the given fields of a response.
fn texts(data: &Value, fields: &[&str]) -> Vec<String> {
    let values = fields.iter().flat_map(|field| match &data[*field] {
        Value::Array(values) => values.clone(),
        value => vec![value.clone()],
    });
    values.map(|value| value.as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn stored_responses_contain_no_plain_text_secrets() {
    let world = World::new().await;
    let root = administrator(&world, "root", Role::Admin).await;
    let ann = world.person("ann").await;
    let mut secrets = Vec::new();
    let registered = world.anyone.post_once("1", "/auth/register", form("bob")).await.ok();
    secrets.extend(texts(registered.data(), &["accessToken", "refreshToken"]));
    let begun = ann.post_once("2", "/auth/totp", Value::Null).await.ok();
    secrets.extend(texts(begun.data(), &["secret"]));
    let code = json!({ "code": Authenticator::of(&begun).code(&world) });
    let confirmed = ann.post_once("3", "/auth/totp/confirm", code).await.ok();
    secrets.extend(texts(confirmed.data(), &["recoveryCodes"]));
    let token = json!({ "name": "bot", "scopes": ["read"], "password": PASSWORD });
    let issued = root.post_once("4", "/auth/tokens", token).await.ok();
    secrets.extend(texts(issued.data(), &["token"]));
    let webhook = json!({ "url": "https://service.example/hook", "events": ["circle.died"] });
    let added = root.post_once("5", "/admin/webhooks", webhook).await.ok();
    secrets.extend(texts(added.data(), &["secret"]));

    let (responses, parts) = (stored_responses(&world).await, secrets.len());
    assert_eq!((responses.len(), parts), (5, 2 + 1 + 10 + 1 + 1));
    for secret in secrets {
        // Secrets can be stored without their prefix, so only the rest is compared.
        let secret = secret.trim_start_matches("whsec_").trim_start_matches("app_");
        for response in &responses {
            assert!(!response.contains(secret), "{response}");
        }
    }
}
