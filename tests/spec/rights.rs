//! What functions may do: what their policies say, and nothing else.

use tests::World;

const TEMPLATE: &str = include_str!("../../template.yaml");

/// The template without a right of one function, which stands first among those of its statement.
pub(crate) fn without(function: &str, right: &str, instead: &str) -> String {
    let (before, rest) = TEMPLATE.split_once(&format!("\n  {function}:\n")).unwrap();
    assert!(rest.contains(right), "{function} has no {right}");
    format!("{before}\n  {function}:\n{}", rest.replacen(right, instead, 1))
}

#[tokio::test]
async fn a_right_that_is_taken_away_is_missed() {
    let world = World::builder().template(without("Posts", "dynamodb:Query", "dynamodb:Scan")).start().await;
    let ann = world.person("ann").await;
    let post = ann.writes("this needs no query").await;
    ann.get(&post.path("/history")).await.refused(500, "INTERNAL_SERVER_ERROR");
}

#[tokio::test]
async fn a_queue_that_is_not_named_takes_nothing_and_what_follows_waits() {
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
async fn a_function_that_may_not_read_its_secret_does_not_start() {
    World::builder()
        .template(without("Posts", "secretsmanager:GetSecretValue", "secretsmanager:DescribeSecret"))
        .start()
        .await;
}

#[tokio::test]
#[should_panic(expected = "its policy does not allow sqs:DeleteMessage")]
async fn a_worker_that_may_not_take_its_messages_does_not_start() {
    World::builder().template(without("Mail", "sqs:DeleteMessage", "sqs:PurgeQueue")).start().await;
}
