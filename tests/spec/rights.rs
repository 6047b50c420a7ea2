//! IAM permissions: functions can use only the resources that their policies allow.

use reqwest::Client;
use serde_json::Value;
use tests::World;

/// A customer's KMS key for the table.
const KMS_KEY: &str = "arn:aws:kms:us-east-1:000000000000:key/1";

const TEMPLATE: &str = include_str!("../../template.yaml");

/// Returns the template, in which `instead` replaces the first occurrence of the permission `right` in a resource.
pub(crate) fn without(function: &str, right: &str, instead: &str) -> String {
    let (before, rest) = TEMPLATE.split_once(&format!("\n  {function}:\n")).unwrap();
    assert!(rest.contains(right), "{function} has no {right}");
    format!("{before}\n  {function}:\n{}", rest.replacen(right, instead, 1))
}

#[tokio::test]
async fn a_missing_permission_fails_the_request() {
    let template = without("Posts", "dynamodb:Query", "dynamodb:Scan");
    let (_world, [ann]) = World::builder().template(template).start_with(["ann"]).await;
    let post = ann.writes("this needs no query").await;
    ann.get(&post.path("/history")).await.refused(500, "INTERNAL_SERVER_ERROR");
}

#[tokio::test]
async fn outbox_records_wait_if_the_relay_lacks_permission() {
    let template = without("RelayRights", "- !GetAtt LikedAddQueue.Arn", "- !GetAtt MailQueue.Arn");
    let (world, [ann, bob]) = World::builder().template(template).start_with(["ann", "bob"]).await;
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

#[tokio::test]
async fn an_email_is_sent_only_if_the_policy_allows_it() {
    let [statements, denial] = ["Statement:\n", r#"- { Effect: Deny, Action: "ses:*", Resource: "*" }"#];
    let denied = format!("{statements}          {denial}\n");
    let senders = r#"[!Sub "*@${MailIdentity}", !Sub "*@*.${MailIdentity}", !Ref MailIdentity]"#;
    for (right, instead, is_sent) in [
        ("ses:SendEmail", "ses:GetAccount", false),
        (statements, &*denied, false),
        (senders, "[no-reply@example.com]", true),
        (senders, "[billing@example.com]", false),
    ] {
        let world = World::builder().template(without("MailRights", right, instead)).start().await;
        world.registers("ann").await;
        let report = world.stack.settle(None).await.unwrap();
        let dead_and_sent = (report.dead, world.mail_to("ann").len());
        assert_eq!(dead_and_sent, if is_sent { (0, 1) } else { (1, 0) }, "{instead}");
    }
}

#[tokio::test]
async fn a_policy_condition_can_limit_table_partitions() {
    let condition = r#"Condition: { ForAnyValue:StringLike: { "dynamodb:LeadingKeys": "POST#*" } }"#;
    let denial = format!(
        "Statement:\n          - Effect: Deny\n            Action: dynamodb:Query\n            Resource: \"*\"\n            {condition}\n"
    );
    let template = without("PostsRights", "Statement:\n", &denial);
    let (_world, [ann]) = World::builder().template(template).start_with(["ann"]).await;
    let post = ann.writes("hello").await;
    ann.get(&post.path("/history")).await.refused(500, "INTERNAL_SERVER_ERROR");
    ann.get("/posts/news-feed").await.ok();
}

#[tokio::test]
async fn the_outbound_worker_reaches_only_listed_partitions() {
    for (listed, dead) in [(r#""POST#*", "PREVIEW#*""#, 0), (r#""POST#*""#, 1), (r#""PREVIEW#*""#, 1)] {
        let template = without("OutboundRights", r#""POST#*", "PREVIEW#*""#, listed);
        let builder = World::builder().template(template).settings(&[("INNER_ADDRESSES", "allowed")]);
        let (world, [ann]) = builder.start_with(["ann"]).await;
        ann.writes("http://127.0.0.1:1/").await;
        assert_eq!(world.stack.settle(None).await.unwrap().dead, dead, "{listed}");
    }
}

#[tokio::test]
async fn functions_have_access_to_the_encryption_key_of_the_table() {
    World::builder().settings(&[("TABLE_KEY", KMS_KEY)]).start().await;
}

#[tokio::test]
#[should_panic(expected = "its policy does not allow kms:Decrypt")]
async fn a_policy_condition_can_limit_the_service_that_uses_a_key() {
    let template = without("Fn::ForEach::EachFunction", "dynamodb.${AWS::Region}", "s3.${AWS::Region}");
    World::builder().settings(&[("TABLE_KEY", KMS_KEY)]).template(template).start().await;
}

#[tokio::test]
async fn an_unknown_request_to_aws_is_refused() {
    let world = World::new().await;
    let refused = async |headers: &[(&str, &str)], path: &str| {
        let request = Client::new().post(format!("{}{path}", world.stack.aws_url())).body("{}");
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        let answer: Value = request.send().await.unwrap().json().await.unwrap();
        answer["__type"].as_str().unwrap().to_owned()
    };
    let signed = ("authorization", "AWS4-HMAC-SHA256 Credential=Mail/20260101");
    for path in ["/", "/v2/email/identities", "/model/tiny/invoke", "/model/tiny/converse"] {
        assert_eq!(refused(&[signed], path).await, "AccessDeniedException", "{path}");
    }
    let target = ("x-amz-target", "AWSSecurityTokenService.AssumeRole");
    assert_eq!(refused(&[signed, target], "/").await, "AccessDeniedException");
    assert_eq!(refused(&[], "/v2/email/outbound-emails").await, "MissingAuthenticationToken");
}
