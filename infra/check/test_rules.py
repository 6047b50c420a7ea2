"""Tests each rule with a mistake in the template."""

import contextlib
import copy
import io
import pathlib
import re
import tempfile
import unittest
import unittest.mock

import capacity
import cost
import limits
import rules
import sam
import template as check
import uses

# Constants that AWS sets. The comment above each names AWS's page.
OF_AWS = {
    "infra/check/rules/queues.py": ("BATCH_MAX", "BATCH_MAX_WITHOUT_WINDOW", "CONCURRENCY", "VISIBILITY_TIMEOUTS", "VISIBILITY_DEFAULT"),
    "infra/local/src/gateway/mod.rs": ("const BODY_MAX_BYTES",),
    "infra/local/src/functions.rs": ("const GATEWAY_TIMEOUT_MAX",),
    "shared/domain/accounts/src/mails.rs": ("const POSTPONED_SECONDS",),
}
TEMPLATE = sam.read((check.ROOT / "template.yaml").read_text())
TRANSLATED = sam.translate(TEMPLATE)
USED = check.used()


def properties(template, name):
    return template["Resources"][name]["Properties"]


class Mistakes(unittest.TestCase):
    def finds(self, expected, mistake):
        template = copy.deepcopy(TEMPLATE)
        mistake(template)
        found = rules.problems(template, USED)
        self.assertTrue(any(expected in problem for problem in found), f"not found: {expected} in {found}")

    def finds_translated(self, expected, mistake):
        template = copy.deepcopy(TEMPLATE)
        mistake(template)
        found = rules.translated_problems(sam.translate(template))
        self.assertTrue(any(expected in problem for problem in found), f"not found: {expected} in {found}")

    def sets(self, expected, path, value):
        """Sets the value at a path, or deletes it if `value` is None."""

        def mistake(template):
            place = template["Resources"]
            for step in path[:-1]:
                place = place[step]
            if value is None:
                del place[path[-1]]
            else:
                place[path[-1]] = value

        self.finds(expected, mistake)

    def test_the_template_has_no_mistakes(self):
        self.assertEqual(rules.problems(TEMPLATE, USED), [])
        self.assertEqual(rules.translated_problems(sam.translate(TEMPLATE)), [])

    def test_batches_have_valid_sizes(self):
        added = ["LikeSyncAdded", "Properties"]
        self.sets("LikeSyncAdded: a batch must have 1 to 10000 messages, not 20000", [*added, "BatchSize"], 20000)
        self.sets("a batch of 970 needs a window", [*added, "MaximumBatchingWindowInSeconds"], None)
        self.sets("a failing message fails its batch", [*added, "FunctionResponseTypes"], None)
        self.sets("no maximum concurrency", [*added, "ScalingConfig"], None)
        letters = ["LikeSync", "Properties", "Environment", "Variables", "DEAD_LETTERS_URLS"]
        self.sets("lacks the dead letters of LikedRemoveQueue", letters, {"Fn::Sub": "${LikedAddQueue} ${LikedAddDeadLetters}"})

    def test_schedules_are_valid(self):
        hourly = ["HousekeepingHourly", "Properties"]
        for text in ("rate(40 seconds)", "rate(0 minutes)", "rate(1 minutes)", "rate(2 minute)", "every hour"):
            self.sets(f"HousekeepingHourly: {text}", [*hourly, "ScheduleExpression"], text)
        self.sets("either the day of the month or that of the week is ?", [*hourly, "ScheduleExpression"], "cron(0 3 * * * *)")
        self.sets("has 5 fields", [*hourly, "ScheduleExpression"], "cron(0 3 * * ?)")
        self.sets("24 is not a valid hours", [*hourly, "ScheduleExpression"], "cron(0 24 * * ? *)")
        self.sets("Europe/Berlinn is not a time zone", [*hourly, "ScheduleExpressionTimezone"], "Europe/Berlinn")

    def test_schedules_have_a_target(self):
        tick = ["NotificationTick", "Properties", "Target"]
        for action in ("sqs:sendMessagesBatch", "sqs:SendMessageBatch", "sqz:sendMessageBatch"):
            arn = {"Fn::Sub": "arn:${AWS::Partition}:scheduler:::aws-sdk:" + action}
            expected = "there is no service sqz" if action.startswith("sqz") else f"sqs has no action {action[4:]}"
            self.sets(expected, [*tick, "Arn"], arn)
        self.sets("lacks Entries", [*tick, "Input"], {"Fn::Sub": '{"QueueUrl":"${NotificationTickQueue}"}'})
        self.sets("is not a queue", ["QuestResetDaily", "Properties", "Target", "Arn"], {"Fn::GetAtt": "Table.Arn"})
        self.sets("instead of sending to HousekeepingQueue", ["HousekeepingHourly", "Properties", "Target", "RoleArn"],
                  {"Fn::GetAtt": "QuestResetDailyRole.Arn"})

    def test_a_function_that_calls_foreign_addresses_reaches_only_its_partitions(self):
        def forget(template):
            for statement in properties(template, "OutboundRights")["PolicyDocument"]["Statement"]:
                statement.pop("Condition", None)

        for action in ("GetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"):
            self.finds_translated(f"Outbound: dynamodb:{action} is not limited to partitions of the table", forget)

    def test_a_function_that_calls_foreign_addresses_reads_only_its_own_secret(self):
        def share(template):
            for statement in properties(template, "OutboundRights")["PolicyDocument"]["Statement"]:
                if statement["Action"] == "secretsmanager:GetSecretValue":
                    statement["Resource"] = [{"Ref": "OutboundKey"}, {"Ref": "InternalKey"}]

        self.finds_translated("{'Ref': 'InternalKey'} is not its own secret OutboundKey", share)

    def test_workers_do_not_share_dead_letters(self):
        def share(template):
            properties(template, "MailQueue")["RedrivePolicy"]["deadLetterTargetArn"] = {"Fn::GetAtt": ["MediaDeadLetters", "Arn"]}

        self.finds("MediaDeadLetters has letters of Mail, which make redrive would move to MediaQueue", share)

    def test_queues_have_timeouts_and_dead_letters(self):
        self.sets("MailQueue has a visibility timeout of 119 seconds, but needs 120",
                  ["MailQueue", "Properties", "VisibilityTimeout"], 119)
        self.sets("LikedAddQueue has a visibility timeout of 180 seconds, but needs 185",
                  ["LikedAddQueue", "Properties", "VisibilityTimeout"], 180)
        self.sets("MailQueue: has no dead letters", ["MailQueue", "Properties", "RedrivePolicy"], None)
        self.sets("MailDeadLetters: no alarm watches it", ["MailDeadLettersAlarm"], None)
        self.sets("MailQueue: no alarm watches the age", ["MailLateAlarm"], None)
        self.sets("MailQueue: is not encrypted", ["MailQueue", "Properties", "SqsManagedSseEnabled"], None)
        self.sets("Pushes: RealtimeQueue does not accept its messages", ["PushesMayQueue"], None)

    def test_rules_and_schedules_have_dead_letters_and_alarms(self):
        self.sets("Pushes: an undelivered message is lost", ["Pushes", "Properties", "Targets", 0, "DeadLetterConfig"], None)
        self.sets("DrainHourly: an undelivered message is lost", ["DrainHourly", "Properties", "Target", "DeadLetterConfig"], None)
        self.sets("Pushes: RulesDeadLetters does not accept its messages", ["RulesDeadLettersPolicy"], None)
        for letters in ("RulesDeadLetters", "SchedulesDeadLetters"):
            self.sets(f"{letters}: no alarm watches it", [f"{letters}Alarm"], None)
        self.sets("MailFeedback: no alarm watches its FailedInvocations", ["RulesFailAlarm", "Properties", "Metrics", 1], None)
        self.sets("NotificationEvents: no alarm watches its FailedInvocations", ["RulesFailAlarm"], None)
        self.sets("PurgeHourly: no alarm watches the TargetErrorCount", ["SchedulesFailAlarm"], None)
        self.sets("CprCheckOften: no alarm watches the InvocationAttemptCount", ["OftenMissedAlarm"], None)
        self.sets("LeavingHourly: no alarm watches the InvocationAttemptCount", ["LeavingHourly", "Properties", "GroupName"], None)
        self.sets("Hourly: its alarm for missed runs has the threshold 6, not 5 to 5", ["PurgeHourly"], None)
        self.sets("Often: its alarm for missed runs has the threshold 90, not 94 to 99", ["OftenMissedAlarm", "Properties", "Threshold"], 90)

    def test_an_alarm_rolls_back_the_alias_that_events_call(self):
        self.sets("rolls deployments back does not watch 5xx", ["DeploymentAlarm"], None)
        self.sets("rolls deployments back does not watch Errors", ["DeploymentAlarm", "Properties", "Metrics", 1], None)
        self.sets("rolls deployments back does not watch FailedMessages", ["DeploymentAlarm", "Properties", "Metrics", 2], None)
        self.sets("rolls deployments back ignores messages", ["DeploymentAlarm", "Properties", "Metrics", 0, "Expression"], "errors + failed / requests")
        for name, expected in {
            "AutoPublishAlias": "Posts: is not published as live", "DeploymentPreference": "Posts: a failing version is not rolled back",
            "Environment": "without RELEASE",
        }.items():
            self.finds(expected, lambda template, name=name: template["Globals"]["Function"].pop(name))

    def test_all_calls_name_the_alias_of_their_function(self):
        def finds(name, path, called):
            template = copy.deepcopy(TRANSLATED)
            place = template["Resources"]
            for step in path[:-1]:
                place = place[step]
            place[path[-1]] = called
            self.assertEqual(rules.translated_problems(template), [f"{name}: does not call the alias of its function"])

        arn = {"Fn::GetAtt": ["Mail", "Arn"]}
        for called in ({"Ref": "Mail"}, arn, {"Fn::Sub": "${Mail.Arn}:1"}, "social-prod-Mail"):
            finds("MailMails", ["MailMails", "Properties", "FunctionName"], called)
        finds("PostsRootPermission", ["PostsRootPermission", "Properties", "FunctionName"], {"Ref": "Posts"})
        uri = ["Api", "Properties", "Body", "paths", "/posts", "x-amazon-apigateway-any-method", "x-amazon-apigateway-integration", "uri"]
        finds("Api /posts", uri, {"Fn::Sub": "arn:aws:apigateway:${AWS::Region}:lambda:path/2015-03-31/functions/${Posts.Arn}/invocations"})
        integration = {"Type": "AWS::ApiGatewayV2::Integration", "Properties": {"IntegrationUri": arn}}
        finds("Added", ["Added"], integration)
        finds("Pushes", ["Pushes", "Properties", "Targets", 0, "Arn"], arn)
        target = ["NotificationTick", "Properties", "Target"]
        finds("NotificationTick", [*target, "Arn"], arn)
        finds("NotificationTick", [*target, "Input"], {"Fn::Sub": '{"FunctionName":"${Mail}"}'})

    def test_alarms_notify_operators(self):
        self.sets("ConcurrencyAlarm: notifies no operator", ["ConcurrencyAlarm", "Properties", "AlarmActions"], None)
        self.sets("NoRequestsAlarm: is not raised if there is no data", ["NoRequestsAlarm", "Properties", "TreatMissingData"], "notBreaching")
        self.finds("SlowWarning: its name does not end with Alarm", lambda it: it["Resources"].update(SlowWarning=it["Resources"].pop("SlowAlarm")))

    def test_alarms_watch_the_right_values(self):
        def changes(name, path, value):
            self.sets(f"{name}: is raised by", [name, "Properties", *path], value)

        metric = ["Metrics", 1, "MetricStat", "Metric", "MetricName"]
        changes("ClientErrorsAlarm", metric, "5xx")
        changes("ServerErrorsAlarm", metric, "4xx")
        changes("NoRequestsAlarm", ["EvaluationPeriods"], 1)
        expression = ["Metrics", 0, "Expression"]
        changes("ConcurrencyAlarm", expression, "IF(FILL(throttled, 0) > 0, 100, 0)")
        changes("ConcurrencyAlarm", expression, "IF(FILL(throttled, 0) > 0, 100, 100 * running / 1000)")
        deployment = properties(TEMPLATE, "DeploymentAlarm")["Metrics"][0]["Expression"]
        changes("DeploymentAlarm", expression, deployment.replace("> 5, 100,", "> 5, 0,"))
        changes("SlowAlarm", ["ExtendedStatistic"], "p50")
        changes("BouncesAlarm", ["Threshold"], 0.04)
        changes("SlowAlarm", ["Period"], 60)

    def test_switches_change_a_deployment(self):
        def sets(expected, name, condition):
            self.finds(expected, lambda it: it["Conditions"].update({name: condition}))

        def equals(name, value):
            return {"Fn::Equals": [{"Ref": name}, value]}

        preference = "DeploymentPreference.Type is AllAtOnce with the parameters of prod.json"
        sets(preference, "DeployedGradually", equals("GradualDeployment", "never"))
        for resource, condition, name in [("Backups", "BackupVaultGiven", "BackupVault"), ("Canary", "CanaryGiven", "CanarySecret")]:
            sets(f"{resource}: exists with the parameters of dev.json", condition, equals(name, ""))
            sets(f"{resource}: does not exist with the parameters of prod.json", condition, equals(name, "never"))
        for name in ("Auth", "NotificationGrouping", "Relay"):
            reserved = f"{name}.Properties.ReservedConcurrentExecutions is {{'Ref': "
            sets(f"{reserved}'ReservedFor{name}'}} with the parameters of dev.json", f"ReservedFor{name}", equals(f"ReservedFor{name}", 0))
            sets(f"{reserved}'AWS::NoValue'}} with the parameters of prod.json", f"ReservedFor{name}", equals(f"ReservedFor{name}", "never"))
        sets("ORIGIN_SECRET is  with the parameters of prod.json", "FrontOnly", equals("FrontOnly", "never"))
        self.sets("BouncesAlarm: does not exist with the parameters of dev.json", ["BouncesAlarm", "Condition"], "CanaryGiven")

    def test_nested_stacks_get_the_resources_of_the_stack(self):
        def sets(stack, parameter, value):
            self.sets(f"{stack}: {parameter} is", [stack, "Properties", "Parameters", parameter], value)

        sets("Backups", "TableArn", {"Fn::GetAtt": ["Table", "Arn"]})
        sets("Backups", "BucketArn", {"Fn::GetAtt": ["UndeliveredBucket", "Arn"]})
        sets("Canary", "Url", {"Fn::Sub": "https://${Api}.execute-api.${AWS::Region}.${AWS::URLSuffix}"})
        sets("Files", "LogRetentionDays", None)
        sets("Front", "WebAcl", {"Ref": "FrontWebAcl"})
        self.finds("Outputs: Url is not the public address", lambda it: it["Outputs"]["Url"].update(Value="https://example.com"))

    def test_ses_reports_bounces_and_complaints(self):
        events = ["MailEventsOnBus", "Properties", "EventDestination"]
        self.sets("MailEvents: does not report the event complaint", [*events, "MatchingEventTypes"], ["bounce"])
        self.sets("MailEvents: does not report the event bounce", [*events, "Enabled"], False)
        self.sets("MailEvents: has no metrics", ["MailEvents", "Properties", "ReputationOptions"], None)
        self.sets("Mail: MAIL_EVENTS is no configuration set", ["MailEvents", "Properties", "Name"], "mails")
        self.sets("no alarm watches Reputation.BounceRate", ["BouncesAlarm", "Properties", "Threshold"], 0.05)
        self.sets("no alarm watches Reputation.ComplaintRate", ["ComplaintsAlarm"], None)

        def emails(template):
            statements = properties(template, "MailRights")["PolicyDocument"]["Statement"]
            return next(it for it in statements if it["Action"] == "ses:SendEmail")

        self.finds_translated("identity/* does not name a resource", lambda it: emails(it).pop("Condition"))
        self.finds("Mail ses:SendEmail identity/*: is used but not granted", lambda it: emails(it)["Resource"].pop(0))
        self.finds("Mail ses:SendEmail StackName-mails: is used but not granted", lambda it: emails(it)["Resource"].pop(1))

    def test_buckets_are_private(self):
        bucket = ["UploadBucket", "Properties"]
        self.sets("UploadBucket is public", [*bucket, "PublicAccessBlockConfiguration", "BlockPublicPolicy"], False)
        self.sets("UploadBucket: is not encrypted", [*bucket, "BucketEncryption"], None)
        self.sets("UploadBucket: its files are deleted", ["UploadBucket", "DeletionPolicy"], "Delete")
        statement = ["UploadBucketPolicy", "Properties", "PolicyDocument", "Statement", 0]
        self.sets("UploadBucketPolicy: gives access to others", [*statement, "Principal"], "*")
        self.sets("UploadBucketPolicy: gives access to others", [*statement, "Condition"], None)
        for field, value in {"Resource": {"Fn::Sub": "${UploadBucket.Arn}/*"}, "Action": "s3:*"}.items():
            self.sets("UploadBucketPolicy: gives more access than to read the public files", [*statement, field], value)

    def test_files_deleted_by_mistake_are_kept_for_35_days(self):
        bucket = ["UploadBucket", "Properties"]
        self.sets("UploadBucket: keeps no versions", [*bucket, "VersioningConfiguration"], None)
        self.sets("UploadBucket: sends no events", [*bucket, "NotificationConfiguration", "EventBridgeConfiguration"], None)
        rules = [*bucket, "LifecycleConfiguration", "Rules"]
        for number, name in enumerate(("forget", "exports", "versions")):
            self.sets(f"rule {name} keeps earlier versions for None", [*rules, number, "NoncurrentVersionExpiration"], None)
        self.sets("keeps delete markers forever", [*rules, 2, "ExpiredObjectDeleteMarker"], None)

        def marks(template):
            statements = properties(template, "LeavingRights")["PolicyDocument"]["Statement"]
            next(it for it in statements if it["Action"] == "s3:DeleteObjectVersion")["Action"] = "s3:DeleteObject"

        self.finds("LeavingRights: s3:DeleteObject only adds a delete marker", marks)

    def test_the_list_of_account_deletions_outlives_backups(self):
        rule = ["UndeliveredBucket", "Properties", "LifecycleConfiguration", "Rules", 1]
        self.sets("UndeliveredBucket: the list of account deletions is not kept for 40 days", [*rule, "ExpirationInDays"], 35)
        self.sets("UndeliveredBucket: the list of account deletions is not kept for 40 days", [*rule, "Prefix"], "other/")

    def test_routes_are_valid(self):
        path = ["Posts", "Properties", "Events", "Root", "Properties", "Path"]
        self.sets("posts does not start with a slash", path, "posts")
        self.sets("/posts/ ends with a slash", path, "/posts/")
        self.sets("is greedy before its end", path, "/posts/{proxy+}/x")
        self.sets("ANY /search: 2 functions serve it", path, "/search")
        settings = {"GET /nowhere": {"ThrottlingRateLimit": 1}}
        self.sets("GET /nowhere, which does not exist", ["Api", "Properties", "RouteSettings"], settings)
        self.sets("Api: has no AccessLogSettings", ["Api", "Properties", "AccessLogSettings"], None)
        log = ["Api", "Properties", "AccessLogSettings", "Format"]
        self.sets("Api: the access log has paths", log, '{"path":"$context.path"}')

    def test_functions_have_a_size_and_logs(self):
        self.sets("Posts: lacks its own log group", ["PostsLogs"], None)
        self.sets("Posts: lacks its own log group", ["Posts", "Properties", "LoggingConfig", "LogGroup"], {"Ref": "AuthLogs"})
        self.finds("Posts: has no Timeout", lambda template: template["Globals"]["Function"].pop("Timeout"))

    def test_concurrency_can_be_reserved(self):
        for name in ("Auth", "NotificationGrouping", "Relay"):
            self.sets(f"{name}: no parameter reserves", [name, "Properties", "ReservedConcurrentExecutions"], None)

    def test_each_nested_template_is_used(self):
        self.assertEqual(list(check.unused(TEMPLATE, check.NESTED)), [])
        template = copy.deepcopy(TEMPLATE)
        del template["Resources"]["Backups"]
        self.assertEqual(list(check.unused(template, check.NESTED)), ["infra/backup.yaml: no nested stack uses it"])

    def test_the_dashboard_shows_the_metrics_of_alarms(self):
        translated = sam.translate(TEMPLATE)
        dashboard = (check.ROOT / "infra/dashboard.yaml").read_text()
        self.assertEqual(list(check.unshown(translated, dashboard)), [])
        [found] = check.unshown(translated, dashboard.replace("IteratorAge", ""))
        self.assertEqual(found, "RelayLateAlarm: the dashboard does not show IteratorAge")

    def test_production_sets_all_protective_parameters(self):
        self.assertEqual(list(check.stages(TEMPLATE)), [])
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "prod.json").write_text('{"MonthlyBudget": "0", "GradualDeployment": "off"}')
            found = list(check.stages(TEMPLATE, pathlib.Path(folder)))
        lacking = [problem.split("lacks ")[1].split(",")[0] for problem in found]
        self.assertEqual(lacking, ["AlarmEmail", "FrontEnabled", "FrontOnly", "GradualDeployment", "MonthlyBudget", "NoRequestsMinutes"])

    def test_functions_have_exactly_the_rights_they_use(self):
        variables = ["Posts", "Properties", "Environment", "Variables"]
        self.sets("Posts FEED_SHARDS: is used but not granted", [*variables, "FEED_SHARDS"], None)
        self.sets("Posts APP_URL: is granted but not used", [*variables, "APP_URL"], {"Ref": "AppUrl"})
        right = {"Effect": "Allow", "Action": "dynamodb:Scan", "Resource": {"Fn::GetAtt": "TableArn.Value"}}

        def statements(template):
            return properties(template, "PostsRights")["PolicyDocument"]["Statement"]

        self.finds("Posts dynamodb:Scan Table: is granted but not used", lambda it: statements(it).append(right))
        self.finds("Posts dynamodb:GetItem Table: is used but not granted", lambda it: statements(it).clear())
        whole = {**right, "Action": "dynamodb:*"}
        self.finds_translated("Posts: dynamodb:* does not name an action", lambda it: statements(it).append(whole))
        everything = {**right, "Resource": {"Fn::Sub": "${TableArn.Value}/index/*"}}
        self.finds_translated("/index/* does not name a resource", lambda it: statements(it).append(everything))

    def test_functions_have_their_own_roles(self):
        def role_of_sam(template):
            del properties(template, "Posts")["Role"], template["Resources"]["PostsRole"]

        def role_of_another(template):
            properties(template, "Posts")["Role"] = {"Fn::GetAtt": "AuthRole.Arn"}

        def policy_of_aws(template):
            arn = {"Fn::Sub": "arn:${AWS::Partition}:iam::aws:policy/service-role/AWSLambdaSQSQueueExecutionRole"}
            properties(template, "MailRole")["ManagedPolicyArns"].append(arn)

        def event_of_sam(template):
            del properties(template, "Mail")["Role"], template["Resources"]["MailRole"]
            mapping = template["Resources"].pop("MailMails")["Properties"]
            mapping["Queue"] = mapping.pop("EventSourceArn")
            del mapping["FunctionName"]
            properties(template, "Mail")["Events"] = {"Mails": {"Type": "SQS", "Properties": mapping}}

        self.finds_translated("Posts: its role has a foreign policy", role_of_sam)
        self.finds_translated("Posts: lacks its own role PostsRole", role_of_another)
        self.finds_translated("Mail: its role has a foreign policy", policy_of_aws)
        self.finds_translated("AWSLambdaSQSQueueExecutionRole", event_of_sam)

    def test_functions_that_continue_themselves_may_loop(self):
        self.sets("Timeline: its messages return to it, but it lacks RecursiveLoop: Allow",
                  ["Timeline", "Properties", "RecursiveLoop"], None)
        self.sets("Media: has RecursiveLoop: Allow, but its messages do not return to it",
                  ["Media", "Properties", "RecursiveLoop"], "Allow")
        self.sets("CprCheck: no alarm watches its RecursiveInvocationsDropped", ["CutOffAlarm", "Properties", "Metrics", 2], None)

        def a_ring_of_two(template):
            for one, other in [("SearchIndex", "ReportEvaluation"), ("ReportEvaluation", "SearchIndex")]:
                statement = {"Effect": "Allow", "Action": "sqs:SendMessage", "Resource": {"Fn::GetAtt": f"{other}Queue.Arn"}}
                properties(template, f"{one}Rights")["PolicyDocument"]["Statement"].append(statement)

        self.finds("ReportEvaluation: its messages return to it", a_ring_of_two)
        self.finds("SearchIndex: its messages return to it", a_ring_of_two)

    def test_the_relay_loses_nothing(self):
        records = ["RelayRecords", "Properties"]
        pattern = {"Filters": [{"Pattern": '{"dynamodb":{"NewImage":{"outbox":[{"exists":true}]}}}'}]}
        self.sets("instead of rows with an outbox", [*records, "FilterCriteria"], pattern)
        self.sets("RelayRecords: StartingPosition is LATEST", [*records, "StartingPosition"], "LATEST")
        for name in ("BisectBatchOnFunctionError", "MaximumRecordAgeInSeconds", "FunctionResponseTypes"):
            self.sets(f"RelayRecords: {name} is None", [*records, name], None)
        self.sets("no bucket keeps undelivered records", [*records, "DestinationConfig"], None)
        self.sets("no alarm watches how late Relay is", ["RelayLateAlarm"], None)
        self.sets("that the bucket refuses", ["RelayLostAlarm"], None)
        self.sets("RelayDeadLetters: no alarm watches it", ["RelayDeadLettersAlarm"], None)
        bucket = ["UndeliveredBucket", "Properties"]
        self.sets("no message reports objects in UndeliveredBucket", [*bucket, "NotificationConfiguration"], None)
        self.sets("UndeliveredBucket is public", [*bucket, "PublicAccessBlockConfiguration", "BlockPublicPolicy"], False)
        letters = ["Relay", "Properties", "Environment", "Variables", "DEAD_LETTERS_URLS"]
        self.sets("for unreadable records", letters, {"Fn::Sub": "${StreamArn.Value}"})
        self.sets("its stream lacks old or new images", ["Table", "Properties", "StreamSpecification"], None)

    def test_the_table_is_protected(self):
        for name in ("DeletionProtectionEnabled", "PointInTimeRecoverySpecification"):
            self.sets(f"Table: {name} is None", ["Table", "Properties", name], None)
        self.sets("Table: is deleted with the stack", ["Table", "DeletionPolicy"], "Delete")
        self.finds("its indexes are", lambda it: properties(it, "Table")["GlobalSecondaryIndexes"].pop())

    def test_the_table_and_each_index_is_watched(self):
        self.sets("Table: no alarm watches its ReadThrottleEvents", ["TableThrottlesAlarm"], None)
        self.sets("gsi2: no alarm watches its WriteThrottleEvents", ["gsi2ThrottlesAlarm"], None)
        self.sets("gsi3: no alarm watches its", ["gsi3ThrottlesAlarm", "Properties", "AlarmActions"], None)
        self.sets("Table: has no maximum throughput", ["Table", "Properties", "OnDemandThroughput"], None)
        self.sets("gsi1: Contributor Insights do not name its throttled keys",
                  ["Table", "Properties", "GlobalSecondaryIndexes", 0, "ContributorInsightsSpecification"], None)


class Nested(unittest.TestCase):
    def finds(self, expected, file, mistake):
        template = sam.read((check.ROOT / "infra" / file).read_text())
        self.assertEqual(list(rules.nested.problems(template)), [])
        mistake(template["Resources"])
        found = list(rules.nested.problems(template))
        self.assertTrue(any(expected in problem for problem in found), f"not found: {expected} in {found}")

    def test_a_budget_warns_of_high_costs(self):
        def notification(resources):
            return resources["Spending"]["Properties"]["NotificationsWithSubscribers"][0]

        self.finds("no budget", "dashboard.yaml", lambda it: it.pop("Spending"))
        for mistake in (
            lambda it: it["Spending"]["Properties"].pop("NotificationsWithSubscribers"),
            lambda it: notification(it)["Notification"].update(NotificationType="ACTUAL"),
            lambda it: notification(it)["Subscribers"].clear(),
        ):
            self.finds("Spending: no email warns of a high forecast", "dashboard.yaml", mistake)

    def test_cloudfront_never_caches_errors_and_logs_no_paths_of_the_api(self):
        def config(resources):
            return resources["Distribution"]["Properties"]["DistributionConfig"]

        for file in ("front.yaml", "files.yaml"):
            self.finds("caches the error 504", file, lambda it: config(it)["CustomErrorResponses"].pop())
            self.finds("without origin access control", file, lambda it: config(it)["Origins"][-1].pop("OriginAccessControlId"))
        self.finds("has no access log", "files.yaml", lambda it: config(it).pop("Logging"))
        self.finds("logs paths", "front.yaml", lambda it: config(it).update(Logging={"Bucket": "logs"}))
        self.finds("LogBucket is public", "files.yaml", lambda it: it["LogBucket"]["Properties"].pop("PublicAccessBlockConfiguration"))
        self.finds("the address of the viewer", "front.yaml", lambda it: config(it)["DefaultCacheBehavior"].pop("FunctionAssociations"))
        self.finds("no web ACL limits requests", "front.yaml", lambda it: config(it).pop("WebACLId"))

    def test_access_logs_expire(self):
        def expiry(resources):
            return resources["LogBucket"]["Properties"]["LifecycleConfiguration"]["Rules"][0]

        for mistake in (
            lambda it: it["LogBucket"]["Properties"].pop("LifecycleConfiguration"),
            lambda it: expiry(it).update(Status="Disabled"), lambda it: expiry(it).update(ExpirationInDays=3650),
        ):
            self.finds("keeps its access logs forever", "files.yaml", mistake)

    def test_cloudfront_sends_the_headers_that_the_api_reads(self):
        def renames(name):
            def mistake(resources):
                function = resources["ViewerAddress"]["Properties"]
                function["FunctionCode"] = function["FunctionCode"].replace(f"'{name}'", "'x-other'")

            self.finds("sends the headers", "front.yaml", mistake)

        renames("x-viewer-address")
        renames("x-viewer-host")
        origin = lambda it: it["Distribution"]["Properties"]["DistributionConfig"]["Origins"][0]
        self.finds("sends the headers", "front.yaml", lambda it: origin(it)["OriginCustomHeaders"].pop())

    def test_the_canary_is_watched_and_has_few_rights(self):
        def finds(expected, mistake):
            template = sam.read((check.ROOT / "infra/canary.yaml").read_text())
            self.assertEqual(list(check.of_nested(template)), [])
            mistake(template["Resources"])
            found = list(check.of_nested(template))
            self.assertTrue(any(expected in problem for problem in found), f"not found: {expected} in {found}")

        finds("Canary: no schedule starts it", lambda it: it["Canary"]["Properties"].pop("Events"))
        finds("Canary: no alarm watches its Errors", lambda it: it.pop("CanaryAlarm"))
        finds("is not raised if the function does not run", lambda it: it["CanaryAlarm"]["Properties"].update(TreatMissingData="notBreaching"))
        finds("the function does not run in each period", lambda it: it["Canary"]["Properties"]["Events"]["Often"]["Properties"].update(Schedule="rate(10 minutes)"))
        finds("the function does not run in each period", lambda it: it["CanaryAlarm"]["Properties"].update(Period=60))
        finds("Canary: lacks its own log group", lambda it: it["CanaryLogs"]["Properties"].pop("RetentionInDays"))
        finds("Canary CANARY_SECRET: is used but not granted", lambda it: it["Canary"]["Properties"]["Environment"]["Variables"].pop("CANARY_SECRET"))
        statement = {"Effect": "Allow", "Action": "s3:GetObject", "Resource": "*"}
        finds("* does not name a resource", lambda it: it["CanaryRights"]["Properties"]["PolicyDocument"]["Statement"].append(statement))

    def test_undelivered_events_of_the_canary_are_kept(self):
        def finds(expected, mistake):
            template, canary = copy.deepcopy(TEMPLATE), (check.ROOT / "infra/canary.yaml").read_text()
            self.assertEqual(list(check.of_senders(template, "infra/canary.yaml", canary)), [])
            [problem] = check.of_senders(template, "infra/canary.yaml", mistake(template, canary) or canary)
            self.assertIn(expected, problem)

        def unaccepted(template, _):
            [statement] = properties(template, "RulesDeadLettersPolicy")["PolicyDocument"]["Statement"]
            statement["Condition"]["ArnEquals"]["aws:SourceArn"].pop()

        lost = "infra/canary.yaml: CanaryOften: an undelivered event is lost"
        finds(lost, lambda _, canary: canary.replace(", DeadLetterConfig: { Arn: !Ref DeadLetters }", ""))
        finds(lost, lambda template, _: properties(template, "Canary")["Parameters"].clear())
        finds("CanaryOften: RulesDeadLetters does not accept its messages", unaccepted)
        finds("CanaryOften: RulesDeadLetters does not accept its messages", lambda _, canary: canary.replace("${Stack}-canary", "other"))

    def test_backups_are_copied_and_expire(self):
        def rule(resources):
            return resources["Plan"]["Properties"]["BackupPlan"]["BackupPlanRule"][0]

        self.finds("Plan: no copy goes to another", "backup.yaml", lambda it: rule(it).pop("CopyActions"))
        self.finds("Plan: a backup is kept for 36 days", "backup.yaml", lambda it: rule(it)["CopyActions"][0]["Lifecycle"].update(DeleteAfterDays=36))
        self.finds("Plan: a backup is kept for None days", "backup.yaml", lambda it: rule(it).pop("Lifecycle"))
        self.finds("Vault: its backups are deleted", "backup.yaml", lambda it: it["Vault"].pop("DeletionPolicy"))
        selection = "BackupSelection"
        self.finds("Selection: does not select", "backup.yaml", lambda it: it["Selection"]["Properties"][selection]["Resources"].pop())

    def test_the_web_acl_has_metrics(self):
        def rule(resources):
            return resources["WebAcl"]["Properties"]["Rules"][0]["VisibilityConfig"]

        self.finds("per-address: has no metrics", "waf.yaml", lambda it: rule(it).update(CloudWatchMetricsEnabled=False))
        self.finds("per-address: samples requests", "waf.yaml", lambda it: rule(it).update(SampledRequestsEnabled=True))


class Costs(unittest.TestCase):
    def test_an_idle_stack_costs_little(self):
        translated = sam.translate(TEMPLATE)
        self.assertEqual(list(cost.problems(translated)), [])
        alarm = translated["Resources"]["MailLateAlarm"]
        translated["Resources"] |= {f"More{number}": alarm for number in range(60)}
        dev, prod = cost.problems(translated)
        self.assertIn("dollars a month in dev, more than 20", dev)
        self.assertIn("dollars a month in prod, more than 30", prod)

    def test_parameters_of_a_stage_are_priced(self):
        translated = sam.translate(TEMPLATE)
        dev, prod = (dict(cost.of_stage(translated, stage)) for stage in ("dev", "prod"))
        added = {what.split(":")[0] for what in prod.keys() - dev.keys()}
        self.assertLessEqual({"NameHotKeys", "the web ACL, with one rule"}, added)

    def test_operating_md_has_the_prices(self):
        page = (check.ROOT / "infra/OPERATING.md").read_text()
        self.assertIn(cost.idle(TRANSLATED), page)
        for sentence in [*cost.storage(), cost.canary()]:
            self.assertIn(f"- {sentence}", page)


class Sources(unittest.TestCase):
    def test_limits_of_aws_name_their_page(self):
        for path, names in OF_AWS.items():
            text = (check.ROOT / path).read_text()
            for name in names:
                is_named = re.search(rf"(#|//).*https://docs\.aws\.amazon\.com/.*\n{name}\b", text)
                self.assertTrue(is_named, f"{path}: the comment of {name} names no page of AWS")


class Workflows(unittest.TestCase):
    WORKFLOWS = check.ROOT / ".github/workflows"

    def test_actions_are_pinned_by_commit(self):
        for workflow in self.WORKFLOWS.glob("*.yml"):
            actions = re.findall(r"uses: (.+)", workflow.read_text())
            self.assertTrue(actions, workflow)
            for action in actions:
                self.assertRegex(action, r"^[\w./-]+@[0-9a-f]{40} # v", workflow)

    def test_ci_reads_advisories_and_a_release_has_an_attestation(self):
        self.assertIn("make advisories-check", (self.WORKFLOWS / "ci.yml").read_text())
        self.assertNotIn("advisories", (check.ROOT / ".ci/run").read_text())
        release = (self.WORKFLOWS / "release.yml").read_text()
        for part in ("actions/attest-build-provenance@", "SBOM"):
            self.assertIn(part, release)


class Limits(unittest.TestCase):
    def test_figures_near_a_limit_of_aws_are_found(self):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            self.assertEqual(list(limits.problems(TEMPLATE, TRANSLATED)), [])
        self.assertEqual(len(printed.getvalue().splitlines()), len(limits.LIMITS))
        for what, (limit, _) in limits.LIMITS.items():
            self.assertRegex(printed.getvalue(), rf"(?m)^{what} +[\d,]+ of {limit:,}$")
            with unittest.mock.patch.dict(limits.LIMITS, {what: (limit, limits.measured(TEMPLATE, TRANSLATED)[what] - 1)}):
                with contextlib.redirect_stdout(printed):
                    [problem] = limits.problems(TEMPLATE, TRANSLATED)
            self.assertIn(f"{what}: more than", problem)


class Capacities(unittest.TestCase):
    TRANSLATED = sam.translate(TEMPLATE)

    def finds(self, component, mistake=lambda template: None, read=capacity.text):
        template = copy.deepcopy(self.TRANSLATED)
        mistake(template)
        found = list(capacity.problems(template, read))
        self.assertTrue(any(problem.startswith(f"{component}:") for problem in found), f"no problem names {component}: {found}")
        self.assertTrue(any(problem.startswith(capacity.PAGE) for problem in found), f"no problem names the page: {found}")

    def test_ceilings_are_five_times_the_need_or_accepted(self):
        self.assertEqual(list(capacity.problems(self.TRANSLATED)), [])

    def test_two_invocations_are_too_slow_for_a_worker(self):
        workers = {
            "RealtimePushes": "realtime", "SearchIndexJobs": "search-index", "TimelineJobs": "timeline fan-out",
            "NotificationGroupingTold": "notification events",
        }
        for mapping, component in workers.items():
            at_once = {"MaximumConcurrency": 2}
            self.finds(component, lambda it, name=mapping: properties(it, name).update(BatchSize=2, ScalingConfig=at_once))
        for mapping in ("RealtimePushes", "SearchIndexJobs", "TimelineJobs"):
            self.finds(workers[mapping], lambda it, name=mapping: properties(it, name).update(ScalingConfig=at_once))

    def test_a_seventh_of_a_processor_is_too_slow(self):
        self.finds("notification flush", lambda it: properties(it, "NotificationGrouping").update(MemorySize=256))
        self.finds("like-sync, spread", lambda it: properties(it, "LikeSync").update(MemorySize=256))

    def test_one_partition_is_too_slow(self):
        keys = {"pending": "PENDING index", "statistics": "STATS rows"}
        for source, component in keys.items():
            path, name = capacity.SOURCES[source]
            number = capacity.constant(capacity.text(path), path, name)

            def read(asked):
                text = capacity.text(asked)
                return text.replace(f" = {number};", " = 1;") if asked == path else text

            self.finds(component, read=read)

    def test_an_unneeded_acceptance_is_reported(self):
        with unittest.mock.patch.dict(capacity.ACCEPTED, {"media": "photos may wait"}):
            [problem] = capacity.problems(self.TRANSLATED)
        self.assertEqual(problem, "media: is accepted as too low in capacity.py, but is high enough")

    def test_the_requested_quotas_are_needed(self):
        quotas = {"gateway": 25_000, "functions for requests": 3_000, "table, writes": 140_000, "table, reads": 150_000}
        for component, wanted in quotas.items():
            self.finds(component, read=lambda path, wanted=wanted: capacity.text(path).replace(f'"wanted": {wanted}', f'"wanted": {wanted // 2}'))

    def test_production_parameters_are_used(self):
        self.finds("FEED index, writes", read=lambda path: capacity.text(path).replace('"FeedShards": "8"', '"FeedShards": "4"'))

    def test_the_bill_has_the_same_durations_and_memory(self):
        for name, value in {"REQUEST_MILLIS": 40, "AUTH_MB": 1024, "REQUEST_MB": 512}.items():
            read = lambda path, name=name, value=value: capacity.text(path).replace(f"{name}: u32 = {value};", f"{name}: u32 = 1;")
            [problem] = capacity.problems(self.TRANSLATED, read)
            self.assertIn(f"{name} is not {value}", problem)

    def test_capacity_md_has_the_current_table(self):
        found = capacity.problems(self.TRANSLATED, lambda path: capacity.text(path).replace("| realtime |", "| pushes |"))
        self.assertEqual([it for it in found], [f"{capacity.PAGE}: the table is out of date. Copy the output of `make capacity`."])

    def test_a_missing_constant_is_reported(self):
        with self.assertRaisesRegex(ValueError, "pending.rs has no number SHARDS"):
            list(capacity.problems(self.TRANSLATED, lambda path: capacity.text(path).replace("const SHARDS", "const PARTS")))


class Uses(unittest.TestCase):
    LISTED = uses.read("Posts A\nPosts B  # sometimes: two at once\n")

    def test_listed_and_seen_uses_must_match(self):
        self.assertEqual(list(uses.differences(self.LISTED, {"Posts A"})), [])
        self.assertEqual(list(uses.differences(self.LISTED, {"Posts A", "Posts B"})), [])
        [unseen] = uses.differences(self.LISTED, set())
        self.assertIn("has Posts A, which no test saw", unseen)
        [unlisted] = uses.differences(self.LISTED, {"Posts A", "Posts C"})
        self.assertIn("lacks Posts C, which a test saw", unlisted)

    def test_an_update_keeps_reasons(self):
        text = uses.written(self.LISTED, {"Posts C"})
        self.assertEqual(text, "Posts B  # sometimes: two at once\nPosts C\n")


if __name__ == "__main__":
    unittest.main()
