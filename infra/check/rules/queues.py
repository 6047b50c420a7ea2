"""Queues: visibility timeouts, dead letters and alarms.

Dead letters of rules and schedules: https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-rule-dlq.html and
https://docs.aws.amazon.com/scheduler/latest/UserGuide/configuring-schedule-dlq.html
"""

from .resources import alarms, functions, inherited, many, of_type, stream_mappings, target
from .resources import mappings as queue_mappings

# https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-parameters.html
BATCH_MAX = 10_000
# https://docs.aws.amazon.com/lambda/latest/api/API_EventSourceMappingConfiguration.html
BATCH_MAX_WITHOUT_WINDOW = 10
# https://docs.aws.amazon.com/lambda/latest/api/API_ScalingConfig.html
CONCURRENCY = range(2, 1001)
# The visibility timeout must be at least this number of timeouts of the function:
# https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
VISIBILITY_TIMEOUTS = 6
# https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-visibility-timeout.html
VISIBILITY_DEFAULT = 30


def problems(template):
    yield from ends(template)
    yield from mappings(template)
    yield from rules(template)


def ends(template):
    queues = of_type(template, "AWS::SQS::Queue")
    dead, late = alarms(template, "ApproximateNumberOfMessagesVisible"), alarms(template, "ApproximateAgeOfOldestMessage")
    letters = {target(queue.get("RedrivePolicy", {}).get("deadLetterTargetArn")) for queue in queues.values()}
    letters |= {letters_of_stream(template, mapping) for mapping in stream_mappings(template).values()}
    letters |= {letters_of(sender) for sender in senders(template).values()}
    for name, properties in queues.items():
        if not properties.get("SqsManagedSseEnabled"):
            yield f"{name}: is not encrypted"
        if name in letters:
            if name not in dead:
                yield f"{name}: no alarm watches it"
            continue
        if target(properties.get("RedrivePolicy", {}).get("deadLetterTargetArn")) not in queues:
            yield f"{name}: has no dead letters"
        if name not in late:
            yield f"{name}: no alarm watches the age of its oldest message: add it to Fn::ForEach::EachQueue"


def mappings(template):
    queues, all_functions = of_type(template, "AWS::SQS::Queue"), functions(template)
    owners = {}
    for name, properties in queue_mappings(template).items():
        def wrong(problem):
            return f"{name}: {problem}"

        batch, window = properties.get("BatchSize", 10), properties.get("MaximumBatchingWindowInSeconds", 0)
        if not 1 <= batch <= BATCH_MAX:
            yield wrong(f"a batch must have 1 to {BATCH_MAX} messages, not {batch}")
        if batch > BATCH_MAX_WITHOUT_WINDOW and window < 1:
            yield wrong(f"a batch of {batch} needs a window")
        if properties.get("FunctionResponseTypes") != ["ReportBatchItemFailures"]:
            yield wrong("a failing message fails its batch")
        if properties.get("ScalingConfig", {}).get("MaximumConcurrency") not in CONCURRENCY:
            yield wrong("has no maximum concurrency of 2 to 1000")
        queue, function = target(properties["EventSourceArn"]), target(properties["FunctionName"])
        letters = target(queues.get(queue, {}).get("RedrivePolicy", {}).get("deadLetterTargetArn"))
        if owners.setdefault(letters, function) != function:
            yield wrong(f"{letters} has letters of {owners[letters]}, which make redrive would move to {queue}")
        if f"${{{queue}}} ${{{letters}}}" not in dead_letters(all_functions[function]):
            yield wrong(f"DEAD_LETTERS_URLS of {function} lacks the dead letters of {queue}")
        timeout = inherited(template, all_functions[function], "Timeout")
        needed = VISIBILITY_TIMEOUTS * timeout + window
        visible = queues.get(queue, {}).get("VisibilityTimeout", VISIBILITY_DEFAULT)
        if visible < needed:
            yield wrong(f"{queue} has a visibility timeout of {visible} seconds, but needs {needed}")


def dead_letters(function):
    variables = (function.get("Environment") or {}).get("Variables") or {}
    return variables.get("DEAD_LETTERS_URLS", {}).get("Fn::Sub", "")


def letters_of_stream(template, mapping):
    """Returns the queue for unreadable records of a stream's function."""
    urls = dead_letters(functions(template)[target(mapping["FunctionName"])])
    return urls.rpartition("${")[2].rstrip("}")


def senders(template):
    """Returns the targets of rules and schedules, by name."""
    schedules = {name: schedule["Target"] for name, schedule in of_type(template, "AWS::Scheduler::Schedule").items()}
    rules = {name: aim for name, rule in of_type(template, "AWS::Events::Rule").items() for aim in rule["Targets"]}
    return schedules | rules


def letters_of(aim):
    return target(aim.get("DeadLetterConfig", {}).get("Arn"))


def rules(template):
    """Checks that rules and schedules have dead letters, and that queues accept messages of their rules."""
    failing = alarms(template, "FailedInvocations")
    for name, aim in senders(template).items():
        if letters_of(aim) is None:
            yield f"{name}: an undelivered message is lost, because it has no dead letters"
    accepted = {(queue, target(source)) for queue, source in let_in(template)}
    for name, rule in of_type(template, "AWS::Events::Rule").items():
        if name not in failing:
            yield f"{name}: no alarm watches its FailedInvocations"
        for queue in (it for aim in rule["Targets"] for it in (target(aim["Arn"]), letters_of(aim))):
            if (queue, name) not in accepted:
                yield f"{name}: {queue} does not accept its messages"


def let_in(template):
    """Yields each queue with each source of messages that its policy accepts."""
    for policy in of_type(template, "AWS::SQS::QueuePolicy").values():
        for statement in policy["PolicyDocument"]["Statement"]:
            source = statement.get("Condition", {}).get("ArnEquals", {}).get("aws:SourceArn")
            yield from ((target(queue), it) for queue in many(statement["Resource"]) for it in many(source))


def nested_rules(template, given, nested):
    """Checks that a translated nested template's rules have dead letters. `given` are the parameters of its stack."""
    accepted = [(queue, source["Fn::Sub"]) for queue, source in let_in(template) if "Fn::Sub" in source]
    for name, rule in of_type(nested, "AWS::Events::Rule").items():
        rule_name = str(rule.get("Name", {}).get("Fn::Sub")).replace("${Stack}", "${AWS::StackName}")
        for queue in (target(given.get(letters_of(aim))) for aim in rule["Targets"]):
            if queue is None:
                yield f"{name}: an undelivered event is lost, because it has no dead letters"
            elif not any(queue == it and source.endswith(f":rule/{rule_name}") for it, source in accepted):
                yield f"{name}: {queue} does not accept its messages"
