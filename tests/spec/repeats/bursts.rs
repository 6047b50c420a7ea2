//! Concurrent copies of a request with the same idempotency key.

use std::collections::BTreeMap;

use futures::future::join_all;
use reqwest::Method;
use tests::{Answer, send};
use tokio::sync::Barrier;

use super::{
    Case, KEY, cases,
    effects::{differences, effects},
};
use crate::matrix::scene::Scene;

/// Number of copies in each burst. All bursts together must have the effects of one request.
const BURSTS: [usize; 2] = [20, 20];

const TABLE: &str = r#"
    POST /admin/cases/decisions                     admin
    POST /admin/cases/{caseId}/assign               admin     -
    POST /admin/cases/{caseId}/decisions            admin
    POST /admin/cases/{caseId}/escalate             admin
    POST /admin/cases/{caseId}/notes                admin
    POST /admin/cases/{caseId}/undo                 admin     decided
    POST /admin/daily-quests                        admin
    POST /admin/webhooks                            admin
    POST /admin/webhooks/{webhookId}/test           admin     webhook_test
    POST /auth/email                                stranger
    POST /auth/email/confirm                        anonymous email_link
    POST /auth/export                               stranger
    POST /auth/forgot-password                      anonymous {"email":"owner@example.com"}
    POST /auth/passkeys                             stranger  passkey
    POST /auth/passkeys/options                     stranger
    POST /auth/password                             stranger
    POST /auth/profile                              stranger
    POST /auth/profile                              stranger  {"username":"newcomer"}
    POST /auth/register                             anonymous
    POST /auth/resend-verify-email                  stranger
    POST /auth/reset-password                       anonymous reset_link
    POST /auth/sessions/end-others                  stranger
    POST /auth/tokens                               stranger
    POST /auth/totp                                 stranger
    POST /auth/totp/confirm                         stranger  seed
    POST /auth/verify-email                         anonymous verify_link
    POST /chat/message                              owner
    POST /circle/{publicId}/manage/join-request/respond owner
    POST /circles                                   stranger
    POST /circles/{publicId}/cpr                    owner     dying
    POST /circles/{publicId}/invitations            owner
    POST /circles/{publicId}/invitations/accept     stranger
    POST /circles/{publicId}/invitations/decline    stranger
    POST /circles/{publicId}/join-request           stranger
    POST /circles/{publicId}/leave                  member
    POST /circles/{publicId}/members/{userId}/ban   owner
    POST /circles/{publicId}/owner                  owner
    POST /circles/{publicId}/posts                  owner
    POST /circles/{publicId}/sacrifice              owner     karma
    POST /hashtags/{tag}/follow                     stranger
    POST /hashtags/{tag}/follow                     stranger  -
    POST /me/devices                                stranger
    POST /me/drafts                                 stranger
    POST /me/moderation/{postId}/appeal             owner     hidden
    POST /me/muted-words                            stranger
    POST /message-group                             stranger
    POST /message-group                             stranger  {"type":"crowd","members":["owner","member"]}
    POST /message-group/{publicId}/leave            member
    POST /message-group/{publicId}/members          owner     nothing {"username":"stranger"}
    POST /message-group/{publicId}/messages         owner
    POST /message-group/{publicId}/mute             owner
    POST /message-group/{publicId}/mute             owner     -
    POST /posts                                     stranger
    POST /posts/{publicId}/hide                     stranger
    POST /posts/{publicId}/hide                     stranger  -
    POST /posts/{publicId}/like                     stranger
    POST /posts/{publicId}/like                     stranger  liked {"isLiked":false}
    POST /posts/{publicId}/mute                     stranger
    POST /posts/{publicId}/mute                     stranger  -
    POST /posts/{publicId}/pin                      owner
    POST /posts/{publicId}/pin                      owner     -
    POST /posts/{publicId}/quote                    stranger
    POST /posts/{publicId}/reply                    stranger
    POST /posts/{publicId}/report                   stranger
    POST /posts/{publicId}/repost                   stranger
    POST /posts/{publicId}/save                     stranger
    POST /posts/{publicId}/vote                     stranger
    POST /quests/{code}/claim                       stranger  complete
    POST /upload                                    stranger
    POST /user/{username}/block                     stranger
    POST /user/{username}/block                     stranger  -
    POST /user/{username}/follower                  stranger
    POST /user/{username}/follower                  stranger  -
    POST /user/{username}/friend-request            stranger
    POST /user/{username}/mute                      stranger
    POST /user/{username}/mute                      stranger  -
"#;

#[tokio::test]
async fn concurrent_copies_of_each_post_request_have_one_effect() {
    let mut problems = Vec::new();
    for case in cases(TABLE, &Method::POST) {
        let (_, alone) = sends(&case, &[1]).await;
        let (answers, after) = sends(&case, &BURSTS).await;
        let first = &answers[0];
        let refused = answers.iter().find(|answer| !(200..300).contains(&answer.status));
        let other = answers.iter().find(|copy| (copy.status, &copy.body) != (first.status, &first.body));
        problems.extend(refused.map(ToString::to_string));
        problems.extend(other.map(|copy| format!("{first}, but also {copy}")));
        let differing = differences(&alone, &after);
        problems.extend(differing.iter().map(|effect| format!("{}: {effect}", case.row.operation)));
        let body = if case.has_body { "" } else { "  without a body" };
        println!("{:<60} {} for all of {BURSTS:?} copies{body}", case.row.operation, first.status);
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Sends bursts of a request in a new world. Returns all responses, and the effects on the table.
async fn sends(case: &Case, bursts: &[usize]) -> (Vec<Answer>, BTreeMap<String, f64>) {
    let scene = Scene::new().await;
    let request = case.prepare(&scene).await;
    let mut answers = Vec::new();
    for copies in bursts {
        let barrier = Barrier::new(*copies);
        let copies = (0..*copies).map(|_| async {
            let request = request().header("idempotency-key", KEY);
            barrier.wait().await;
            send(request).await
        });
        answers.extend(join_all(copies).await);
    }
    (answers, effects(&scene).await)
}
