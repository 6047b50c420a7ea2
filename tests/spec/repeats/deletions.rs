//! Repeated DELETE requests, with and without their idempotency key.

use reqwest::Method;
use tests::send;

use super::{KEY, cases};
use crate::matrix::scene::Scene;

const TABLE: &str = "
    DELETE /admin/webhooks/{webhookId}                         admin    webhook
    DELETE /auth/me                                            stranger
    DELETE /auth/passkeys/{id}                                 stranger added_passkey
    DELETE /auth/sessions/{sid}                                owner
    DELETE /auth/sessions/{sid}                                stranger own_session
    DELETE /auth/tokens/{id}                                   owner
    DELETE /auth/totp                                          stranger factor
    DELETE /circles/{publicId}                                 owner
    DELETE /circles/{publicId}/invitations/{username}          owner
    DELETE /circles/{publicId}/join-request                    stranger asking
    DELETE /circles/{publicId}/members/{userId}                owner
    DELETE /circles/{publicId}/members/{userId}/ban            owner
    DELETE /me/devices/{id}                                    stranger device
    DELETE /me/drafts/{id}                                     owner
    DELETE /me/friends/{username}                              stranger friends
    DELETE /me/muted-words                                     stranger muted_word
    DELETE /message-group/{publicId}/members/{userId}          owner
    DELETE /message-group/{publicId}/messages/{messageId}      owner
    DELETE /posts/{publicId}                                   owner
";

#[tokio::test]
async fn a_repeated_delete_fails_without_its_idempotency_key() {
    for case in cases(TABLE, &Method::DELETE) {
        let scene = Scene::new().await;
        let request = case.prepare(&scene).await;
        let first = send(request().header("idempotency-key", KEY)).await.ok();
        let second = send(request()).await;
        match case.row.operation.as_str() {
            "DELETE /auth/me" => drop(second.refused(401, "UNAUTHORIZED")),
            _ if case.special == Some("own_session") => drop(second.refused(401, "UNAUTHORIZED")),
            _ => drop(second.refused(404, "NOT_FOUND")),
        }
        let again = send(request().header("idempotency-key", KEY)).await;
        assert_eq!((again.status, &again.body), (first.status, &first.body), "{again}");
        println!("{:<60} {}, {}, {}", case.row.operation, first.status, second.status, again.status);
    }
}
