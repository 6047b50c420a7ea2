"""Every rule can fail: the template with one mistake in it, and what is said of it."""

import copy
import unittest
import unittest.mock

import capacity
import cost
import rules
import sam
import template as check
import uses

TEMPLATE = sam.read((check.ROOT / "template.yaml").read_text())
USED = check.used()


def properties(template, name):
    return template["Resources"][name]["Properties"]


class Mistakes(unittest.TestCase):
    def finds(self, said, mistake):
        template = copy.deepcopy(TEMPLATE)
        mistake(template)
        found = rules.problems(template, USED)
        self.assertTrue(any(said in problem for problem in found), f"not said: {said}; but: {found}")

    def finds_translated(self, said, mistake):
        template = copy.deepcopy(TEMPLATE)
        mistake(template)
        found = rules.translated_problems(sam.translate(template))
        self.assertTrue(any(said in problem for problem in found), f"not said: {said}; but: {found}")

    def sets(self, said, path, value):
        """Puts a value where the path leads; nothing, and what is there goes."""

        def mistake(template):
            place = template["Resources"]
            for step in path[:-1]:
                place = place[step]
            if value is None:
                del place[path[-1]]
            else:
                place[path[-1]] = value

        self.finds(said, mistake)

    def test_the_template_has_none(self):
        self.assertEqual(rules.problems(TEMPLATE, USED), [])
        self.assertEqual(rules.translated_problems(sam.translate(TEMPLATE)), [])

    def test_batches_fit(self):
        added = ["LikeSyncAdded", "Properties"]
        self.sets("LikeSyncAdded: a batch has 1 to 10000 messages, not 20000", [*added, "BatchSize"], 20000)
        self.sets("a batch of 970 needs a window", [*added, "MaximumBatchingWindowInSeconds"], None)
        self.sets("one bad message holds back its batch", [*added, "FunctionResponseTypes"], None)
        self.sets("no maximum concurrency", [*added, "ScalingConfig"], None)
        letters = ["LikeSync", "Properties", "Environment", "Variables", "DEAD_LETTERS_URLS"]
        self.sets("where the dead letters of LikedRemoveQueue are", letters, {"Fn::Sub": "${LikedAddQueue} ${LikedAddDeadLetters}"})

    def test_schedules_come(self):
        hourly = ["HousekeepingHourly", "Properties"]
        for text in ("rate(40 seconds)", "rate(0 minutes)", "rate(1 minutes)", "rate(2 minute)", "every hour"):
            self.sets(f"HousekeepingHourly: {text}", [*hourly, "ScheduleExpression"], text)
        self.sets("either the day of the month or that of the week is ?", [*hourly, "ScheduleExpression"], "cron(0 3 * * * *)")
        self.sets("has 5 fields", [*hourly, "ScheduleExpression"], "cron(0 3 * * ?)")
        self.sets("24 is no hours", [*hourly, "ScheduleExpression"], "cron(0 24 * * ? *)")
        self.sets("Europe/Berlinn is no time zone", [*hourly, "ScheduleExpressionTimezone"], "Europe/Berlinn")

    def test_schedules_reach_something(self):
        tick = ["NotificationTick", "Properties", "Target"]
        for action in ("sqs:sendMessagesBatch", "sqs:SendMessageBatch", "sqz:sendMessageBatch"):
            arn = {"Fn::Sub": "arn:${AWS::Partition}:scheduler:::aws-sdk:" + action}
            said = "there is no service sqz" if action.startswith("sqz") else f"sqs has no action {action[4:]}"
            self.sets(said, [*tick, "Arn"], arn)
        self.sets("lacks Entries", [*tick, "Input"], {"Fn::Sub": '{"QueueUrl":"${NotificationTickQueue}"}'})
        self.sets("is no queue", ["QuestResetDaily", "Properties", "Target", "Arn"], {"Fn::GetAtt": "Table.Arn"})
        self.sets("not send to HousekeepingQueue alone", ["HousekeepingHourly", "Properties", "Target", "RoleArn"],
                  {"Fn::GetAtt": "QuestResetDailyRole.Arn"})

    def test_queues_wait_long_enough_and_lose_nothing(self):
        self.sets("MailQueue hides a message for 119 seconds, where 120 are needed",
                  ["MailQueue", "Properties", "VisibilityTimeout"], 119)
        self.sets("LikedAddQueue hides a message for 180 seconds, where 185 are needed",
                  ["LikedAddQueue", "Properties", "VisibilityTimeout"], 180)
        self.sets("MailQueue: has no dead letters", ["MailQueue", "Properties", "RedrivePolicy"], None)
        self.sets("MailDeadLetters: no alarm watches it", ["MailDeadLettersAlarm"], None)
        self.sets("MailQueue: no alarm watches the age", ["MailLateAlarm"], None)
        self.sets("MailQueue: is not encrypted", ["MailQueue", "Properties", "SqsManagedSseEnabled"], None)
        self.sets("Pushes: RealtimeQueue does not let it in", ["PushesMayQueue"], None)

    def test_routes_can_be_asked_for(self):
        path = ["Posts", "Properties", "Events", "Root", "Properties", "Path"]
        self.sets("posts does not begin with a slash", path, "posts")
        self.sets("/posts/ ends with a slash", path, "/posts/")
        self.sets("is greedy before its end", path, "/posts/{proxy+}/x")
        self.sets("ANY /search: 2 functions answer it", path, "/search")
        settings = {"GET /nowhere": {"ThrottlingRateLimit": 1}}
        self.sets("GET /nowhere, which is no route", ["Api", "Properties", "RouteSettings"], settings)
        self.sets("Api: has no AccessLogSettings", ["Api", "Properties", "AccessLogSettings"], None)

    def test_functions_have_a_size_and_logs(self):
        self.sets("Posts: has no log group of its own", ["PostsLogs"], None)
        self.sets("Posts: has no log group of its own", ["Posts", "Properties", "LoggingConfig", "LogGroup"], {"Ref": "AuthLogs"})
        self.finds("Posts: has no Timeout", lambda template: template["Globals"]["Function"].pop("Timeout"))

    def test_functions_are_given_what_they_use_and_no_more(self):
        variables = ["Posts", "Properties", "Environment", "Variables"]
        self.sets("Posts FEED_SHARDS: is used and not given", [*variables, "FEED_SHARDS"], None)
        self.sets("Posts APP_URL: is given and not used", [*variables, "APP_URL"], {"Ref": "AppUrl"})
        right = {"Effect": "Allow", "Action": "dynamodb:Scan", "Resource": {"Fn::GetAtt": "TableArn.Value"}}

        def statements(template):
            return properties(template, "PostsRights")["PolicyDocument"]["Statement"]

        self.finds("Posts dynamodb:Scan Table: is given and not used", lambda it: statements(it).append(right))
        self.finds("Posts dynamodb:GetItem Table: is used and not given", lambda it: statements(it).clear())
        whole = {**right, "Action": "dynamodb:*"}
        self.finds_translated("Posts: dynamodb:* is not the name of an action", lambda it: statements(it).append(whole))
        everything = {**right, "Resource": {"Fn::Sub": "${TableArn.Value}/index/*"}}
        self.finds_translated("/index/* is not the name of a resource", lambda it: statements(it).append(everything))

    def test_functions_have_roles_of_their_own(self):
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

        self.finds_translated("Posts: its role has a policy that is none of ours", role_of_sam)
        self.finds_translated("Posts: has no role of its own, PostsRole", role_of_another)
        self.finds_translated("Mail: its role has a policy that is none of ours", policy_of_aws)
        self.finds_translated("AWSLambdaSQSQueueExecutionRole", event_of_sam)

    def test_what_continues_itself_is_not_cut_off(self):
        self.sets("Timeline: its messages come back to it, and it has no RecursiveLoop: Allow",
                  ["Timeline", "Properties", "RecursiveLoop"], None)
        self.sets("Mail: has RecursiveLoop: Allow, and its messages do not come back to it",
                  ["Mail", "Properties", "RecursiveLoop"], "Allow")
        self.sets("CprCheck: no alarm watches its RecursiveInvocationsDropped", ["CprCheckCutOffAlarm"], None)

        def a_ring_of_two(template):
            for one, other in [("SearchIndex", "ReportEvaluation"), ("ReportEvaluation", "SearchIndex")]:
                statement = {"Effect": "Allow", "Action": "sqs:SendMessage", "Resource": {"Fn::GetAtt": f"{other}Queue.Arn"}}
                properties(template, f"{one}Rights")["PolicyDocument"]["Statement"].append(statement)

        self.finds("ReportEvaluation: its messages come back to it", a_ring_of_two)
        self.finds("SearchIndex: its messages come back to it", a_ring_of_two)

    def test_the_relay_loses_nothing(self):
        records = ["RelayRecords", "Properties"]
        pattern = {"Filters": [{"Pattern": '{"dynamodb":{"NewImage":{"outbox":[{"exists":true}]}}}'}]}
        self.sets("not the rows that have an outbox", [*records, "FilterCriteria"], pattern)
        self.sets("RelayRecords: StartingPosition is LATEST", [*records, "StartingPosition"], "LATEST")
        for name in ("BisectBatchOnFunctionError", "MaximumRecordAgeInSeconds", "FunctionResponseTypes"):
            self.sets(f"RelayRecords: {name} is None", [*records, name], None)
        self.sets("no bucket keeps what could not be delivered", [*records, "DestinationConfig"], None)
        self.sets("no alarm watches how late Relay is", ["RelayLateAlarm"], None)
        self.sets("no alarm watches what the bucket does not take", ["RelayLostAlarm"], None)
        self.sets("RelayDeadLetters: no alarm watches it", ["RelayDeadLettersAlarm"], None)
        bucket = ["UndeliveredBucket", "Properties"]
        self.sets("nobody is told of what comes into UndeliveredBucket", [*bucket, "NotificationConfiguration"], None)
        self.sets("UndeliveredBucket is not closed", [*bucket, "PublicAccessBlockConfiguration", "BlockPublicPolicy"], False)
        letters = ["Relay", "Properties", "Environment", "Variables", "DEAD_LETTERS_URLS"]
        self.sets("where what it cannot read goes", letters, {"Fn::Sub": "${StreamArn.Value}"})
        self.sets("its stream has not both images", ["Table", "Properties", "StreamSpecification"], None)

    def test_the_table_is_kept(self):
        for name in ("DeletionProtectionEnabled", "PointInTimeRecoverySpecification"):
            self.sets(f"Table: {name} is None", ["Table", "Properties", name], None)
        self.sets("Table: is deleted with the stack", ["Table", "DeletionPolicy"], "Delete")
        self.finds("its indexes are", lambda it: properties(it, "Table")["GlobalSecondaryIndexes"].pop())

    def test_the_table_and_each_index_is_watched(self):
        self.sets("Table: no alarm watches its ReadThrottleEvents", ["TableThrottlesAlarm"], None)
        self.sets("gsi2: no alarm watches its WriteThrottleEvents", ["gsi2ThrottlesAlarm"], None)
        self.sets("gsi3: no alarm watches its", ["gsi3ThrottlesAlarm", "Properties", "AlarmActions"], None)
        self.sets("gsi1: nobody could say which of its keys throttle",
                  ["Table", "Properties", "GlobalSecondaryIndexes", 0, "ContributorInsightsSpecification"], None)


class Costs(unittest.TestCase):
    def test_an_idle_stack_costs_little(self):
        translated = sam.translate(TEMPLATE)
        self.assertEqual(list(cost.problems(translated)), [])
        alarm = translated["Resources"]["MailLateAlarm"]
        translated["Resources"] |= {f"More{number}": alarm for number in range(20)}
        [problem] = cost.problems(translated)
        self.assertIn("dollars a month while nobody uses it", problem)


class Capacities(unittest.TestCase):
    TRANSLATED = sam.translate(TEMPLATE)

    def finds(self, component, mistake=lambda template: None, read=capacity.text):
        template = copy.deepcopy(self.TRANSLATED)
        mistake(template)
        found = list(capacity.problems(template, read))
        self.assertTrue(any(it.startswith(f"{component}:") for it in found), f"no problem names {component}: {found}")
        self.assertTrue(any(it.startswith(capacity.PAGE) for it in found), f"no problem names the page: {found}")

    def test_everything_takes_five_times_the_need_or_says_why_not(self):
        self.assertEqual(list(capacity.problems(self.TRANSLATED)), [])

    def test_a_worker_that_two_invocations_do_is_too_slow(self):
        workers = {
            "RealtimePushes": "realtime", "SearchIndexJobs": "search-index", "TimelineJobs": "timeline fan-out",
            "NotificationGroupingTold": "notification events",
        }
        for mapping, component in workers.items():
            at_once = {"MaximumConcurrency": 2}
            self.finds(component, lambda it, name=mapping: properties(it, name).update(BatchSize=2, ScalingConfig=at_once))
        for mapping in ("RealtimePushes", "SearchIndexJobs", "TimelineJobs"):
            self.finds(workers[mapping], lambda it, name=mapping: properties(it, name).update(ScalingConfig=at_once))

    def test_a_worker_with_a_seventh_of_a_processor_is_too_slow(self):
        self.finds("notification flush", lambda it: properties(it, "NotificationGrouping").update(MemorySize=256))
        self.finds("like-sync, spread", lambda it: properties(it, "LikeSync").update(MemorySize=256))

    def test_one_partition_for_all_is_too_slow(self):
        keys = {"pending": "PENDING index", "statistics": "STATS rows"}
        for source, component in keys.items():
            path, name = capacity.SOURCES[source]
            number = capacity.constant(capacity.text(path), path, name)

            def read(asked):
                text = capacity.text(asked)
                return text.replace(f" = {number};", " = 1;") if asked == path else text

            self.finds(component, read=read)

    def test_what_is_accepted_is_too_slow(self):
        with unittest.mock.patch.dict(capacity.ACCEPTED, {"media": "photos may wait"}):
            [problem] = capacity.problems(self.TRANSLATED)
        self.assertEqual(problem, "media: is accepted as too low in capacity.py, but is high enough")

    def test_the_quotas_to_ask_for_are_enough(self):
        quotas = {"gateway": 25_000, "functions for requests": 3_000, "table, writes": 140_000, "table, reads": 150_000}
        for component, wanted in quotas.items():
            self.finds(component, read=lambda path, wanted=wanted: capacity.text(path).replace(f'"wanted": {wanted}', f'"wanted": {wanted // 2}'))

    def test_what_production_chooses_counts(self):
        self.finds("FEED index, writes", read=lambda path: capacity.text(path).replace('"FeedShards": "8"', '"FeedShards": "4"'))

    def test_the_page_has_the_table(self):
        found = capacity.problems(self.TRANSLATED, lambda path: capacity.text(path).replace("| realtime |", "| pushes |"))
        self.assertEqual([it for it in found], [f"{capacity.PAGE}: the table is out of date. Copy the output of `make capacity`."])

    def test_a_number_that_left_the_code_is_missed(self):
        with self.assertRaisesRegex(ValueError, "pending.rs has no number SHARDS"):
            list(capacity.problems(self.TRANSLATED, lambda path: capacity.text(path).replace("const SHARDS", "const PARTS")))


class Uses(unittest.TestCase):
    LISTED = uses.read("Posts A\nPosts B  # sometimes: two at once\n")

    def test_what_is_listed_is_what_is_seen(self):
        self.assertEqual(list(uses.differences(self.LISTED, {"Posts A"})), [])
        self.assertEqual(list(uses.differences(self.LISTED, {"Posts A", "Posts B"})), [])
        [unseen] = uses.differences(self.LISTED, set())
        self.assertIn("has Posts A, which no test saw", unseen)
        [unlisted] = uses.differences(self.LISTED, {"Posts A", "Posts C"})
        self.assertIn("lacks Posts C, which a test saw", unlisted)

    def test_a_reason_stays_when_it_is_written_anew(self):
        text = uses.written(self.LISTED, {"Posts C"})
        self.assertEqual(text, "Posts B  # sometimes: two at once\nPosts C\n")


if __name__ == "__main__":
    unittest.main()
