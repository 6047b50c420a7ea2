//! IAM permissions: functions can use only the resources that their policies allow.

use tests::World;

const TEMPLATE: &str = include_str!("../../template.yaml");

/// Returns the template with one permission of a resource replaced. Replaces only the first occurrence.
pub(crate) fn without(function: &str, right: &str, instead: &str) -> String {
    let (before, rest) = TEMPLATE.split_once(&format!("\n  {function}:\n")).unwrap();
    assert!(rest.contains(right), "{function} has no {right}");
    format!("{before}\n  {function}:\n{}", rest.replacen(right, instead, 1))
}

#[tokio::test]
async fn a_missing_permission_fails_the_request() {
    let world = World::builder().template(without("Posts", "dynamodb:Query", "dynamodb:Scan")).start().await;
    let ann = world.person("ann").await;
    let post = ann.writes("this needs no query").await;
    ann.get(&post.path("/history")).await.refused(500, "INTERNAL_SERVER_ERROR");
}

#[tokio::test]
async fn outbox_records_wait_while_the_relay_lacks_permission() {
    let template = without("RelayRights", "- !GetAtt LikedAddQueue.Arn", "- !GetAtt MailQueue.Arn");
    let world = World::builder().template(template).start().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    world.settle().await;
    bob.likes(&post).await;
    let report = world.stack.settle(None).await.unwrap().stream;
    assert_eq!((report.left, report.given_up), (1, 0), "{report:?}");
    assert_eq!(ann.sees(&post).await["likesCount"], 0);
}

#[tokio::test]
#[should_panic(expected = "its policy does not allow secretsmanager:GetSecretValue")]
async fn a_function_needs_access_to_its_secret() {
    World::builder()
        .template(without("Posts", "secretsmanager:GetSecretValue", "secretsmanager:DescribeSecret"))
        .start()
        .await;
}

#[tokio::test]
#[should_panic(expected = "its policy does not allow sqs:DeleteMessage")]
async fn a_worker_needs_access_to_its_queue() {
    World::builder().template(without("Mail", "sqs:DeleteMessage", "sqs:PurgeQueue")).start().await;
}
