use super::*;

fn read(variables: &[(&str, &str)]) -> Result<Template> {
    let variables = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let inputs = Inputs { url: "http://127.0.0.1:2", aws_url: "http://127.0.0.1:1", variables: &variables };
    Template::read(None, inputs)
}

#[test]
fn the_deployed_template_is_readable() -> Result<()> {
    let template = read(&[("WRITE_LIMIT_PER_5_MIN", "7"), ("GATEWAY_RATE", "3")])?;
    assert_eq!(template.api.default_route_settings.context("throttle")?.rate, 3.0);
    let posts = &template.functions["Posts"];
    assert_eq!(posts.crate_name, "posts-api");
    assert_eq!(posts.environment["WRITE_LIMIT_PER_5_MIN"], "7");
    assert_eq!(posts.environment["TABLE_NAME"], "table");
    let relay = &template.functions["Relay"];
    assert_eq!(relay.environment["LIKED_ADD_QUEUE_URL"], "http://127.0.0.1:1/000000000000/liked-add");
    assert_eq!(
        posts.environment["JWT_SECRET"],
        "arn:aws:secretsmanager:us-east-1:000000000000:secret:jwt-key"
    );
    let sharing = ["report-evaluation-later", "web-push", "webhook"];
    let (sharing, others): (Vec<_>, Vec<_>) = template
        .queues
        .iter()
        .filter(|queue| queue.redrive_policy.is_some())
        .partition(|queue| sharing.contains(&queue.name.as_str()));
    let dead_letters: std::collections::BTreeSet<_> =
        others.iter().filter_map(|queue| queue.dead_letters()).collect();
    assert_eq!(others.len(), dead_letters.len(), "each other queue has its own dead-letter queue");
    assert!(sharing.len() == 3 && others.len() > 10);
    let has_dead_letters = |queue: &&Queue| dead_letters.contains(queue.dead_letters().unwrap_or_default());
    assert!(sharing.iter().all(has_dead_letters));
    let (function, _, source) = streams(&template.functions).next().context("a stream")?;
    assert_eq!((function, source.table()), ("Relay", Some("table")));
    Ok(())
}

#[test]
fn a_loop_creates_a_resource_for_each_name() -> Result<()> {
    let document = document(Some(
        r#"
Resources:
  Fn::ForEach::Each:
    - Queue
    - [Mail, Search]
    - ${Queue}Queue: { Type: "AWS::SQS::Queue", Properties: { RedrivePolicy: { maxReceiveCount: 2, deadLetterTargetArn: !GetAtt [!Sub "${Queue}Dead", Arn] } } }
      ${Queue}Dead: { Type: "AWS::SQS::Queue", Properties: { QueueName: !Ref Queue } }
"#,
    ))?;
    let names: Vec<_> = document.resources.keys().map(String::as_str).collect();
    assert_eq!(names, ["MailDead", "MailQueue", "SearchDead", "SearchQueue"]);
    assert_eq!(document.resources["SearchDead"].properties["QueueName"].as_str(), Some("Search"));
    let redrive = format!("{:?}", document.resources["MailQueue"].properties);
    assert!(redrive.contains("MailDead") && !redrive.contains("Sub"), "{redrive}");
    Ok(())
}

#[test]
fn an_error_names_the_invalid_setting() {
    let refused = |name, value| read(&[(name, value)]).err().map(|error| format!("{error:#}"));
    assert_eq!(
        refused("PROPOSED_FEATURES", "maybe").as_deref(),
        Some("PROPOSED_FEATURES must be one of on, off")
    );
    assert!(
        refused("PROPOSED_FEATURE", "on").is_some_and(|error| error.contains("no parameter ProposedFeature"))
    );
}
