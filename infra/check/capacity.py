"""Compares the ceiling of each part of the service with the need of a million daily users.

    capacity.py

Computes the table of infra/CAPACITY.md from the template with the parameters of production, from constants in the code,
and from the figures below. None of them was measured on AWS.
"""

import collections
import json
import math
import pathlib
import re

import sam
from rules.resources import all_mappings, mappings, target

ROOT = pathlib.Path(__file__).parent.parent.parent
PAGE = "infra/CAPACITY.md"
PARAMETERS = "infra/parameters/prod.json"
# Initial quotas of an account, and the quotas to request:
# https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html
# https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
# https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html
QUOTAS = "infra/deploy/quotas.json"
GATEWAY, EXECUTIONS = "API Gateway, requests per second", "Lambda, concurrent executions"
TABLE_WRITES, TABLE_READS = "DynamoDB, write units of a table", "DynamoDB, read units of a table"
REQUIRED_RATIO = 5
# This file computes prices of requests, and must assume the same durations and memory.
BILL = "infra/local/src/bill.rs"

# ── The need at peak, per second ─────────────────────────────────────────────────────────────────────────────────────
# A million users a day with 100 requests each are 1,200 requests per second on average.
REQUESTS = 5_000
LIKES, REPLIES, POSTS = 460, 115, 60
# One post in three has a photo.
PHOTOS = POSTS / 3
LIKES_OF_ONE_POST, REPLIES_TO_ONE_POST = 5_000, 10
# The likes of one minute are counted within five minutes.
COUNTED_OF_ONE_POST = LIKES_OF_ONE_POST * 60 / 300
GROUPS = 500
PUSHES = 600
# One recipient in five has a device.
DEVICES = GROUPS / 5
MESSAGES, FOLLOWS, QUOTES = 100, 30, 25
FOLLOWERS_MEAN = 200
FAMOUS_FOLLOWERS = 2_000_000
# When an author exceeds FanoutMaxFollowers, a job marks all follows. It must finish within a minute.
MARKED_SECONDS = 60
# The author with the most followers gained them within a week.
FOLLOWS_OF_ONE_AUTHOR = FAMOUS_FOLLOWERS / (7 * 86_400)
# One post in ten has the hashtag of the day.
POSTS_OF_ONE_HASHTAG = POSTS / 10
# Writes with an outbox: likes, replies, posts, messages, follows, flushes and mails.
OUTBOXES = 1_000
# Requests that write. Each is counted on its session.
WRITES = 900

# ── Limits of the services, in us-east-1 ────────────────────────────────────────────────────────────────────────────
# https://docs.aws.amazon.com/lambda/latest/dg/lambda-concurrency.html
REQUESTS_OF_AN_ENVIRONMENT = 10
# https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html
MEMORY_OF_A_PROCESSOR = 1_769
# https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html
PARTITION_WRITES, PARTITION_READS = 1_000, 3_000
# https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html
TRANSACTION_ACTIONS = 100
# https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html
BATCH_ROWS = 25
# https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-queues.html
IN_FLIGHT = 120_000
# https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-quota.html (L-9B653E91, L-5540C5E3)
PUT_EVENTS, INVOCATIONS = 10_000, 18_750

# ── Milliseconds of calls, and of one processor per unit of work ─────────────────────────────────────────────────────
READ, WRITE, TRANSACTION, PUSH, SEND = 5, 8, 25, 150, 20
# Average duration of a request: three calls in sequence, and its own work.
REQUEST = 40
OF_A_GROUP, OF_A_LIKE, OF_A_CALL, OF_A_RECORD, OF_AN_EVENT, OF_AN_INDEXED_POST = 0.4, 0.5, 0.25, 0.1, 1, 1
# A handshake, an encryption and a signature.
OF_A_STRANGER = 3
# Decoding 12 megapixels and encoding three sizes; reading and writing the files.
OF_A_PHOTO, STORED = 600, 150

# ── Sizes ───────────────────────────────────────────────────────────────────────────────────────────────────────────
# A post with its counts, in its index, exceeds 1 KB.
POST_WRU = 2
# A page of the feed has 20 posts. Each shard reads some extra: shared/domain/feeds/src/newest_page.rs.
FEED_PAGE, FEED_SPARE = 20, 5
AUTHOR_RRU = 3
WORDS_OF_A_POST = 30
# Units of a request, its follow-up work and its session, with indexes: shared/KEYS.md.
READ_UNITS = 5
LIKE_UNITS, REPLY_UNITS, POST_UNITS, GROUP_UNITS, MESSAGE_UNITS, FOLLOW_UNITS = 1 + 7.2, 22, 14 + WORDS_OF_A_POST, 7, 4 + 3, 18

SOURCES = {
    "pending": ("shared/domain/notifications/src/pending.rs", "SHARDS"),
    "statistics": ("shared/domain/ledger/src/statistics.rs", "SHARDS"),
    "chains": ("shared/domain/posts/src/counting/attempts.rs", "POSTS_AT_ONCE"),
    "writes of a post": ("shared/domain/posts/src/counting/likes/batch.rs", "WRITES_PER_POST"),
    "pace of a post": ("shared/domain/posts/src/counting/likes/apply.rs", "PACE_MILLIS"),
    "writes together": ("shared/domain/posts/src/counting/likes/batch.rs", "WRITES_TOGETHER_MAX"),
    "events of a call": ("shared/platform/src/bus.rs", "CALL_MAX_EVENTS"),
    "pushes of a call": ("shared/domain/realtime/src/pusher/calls.rs", "EVENTS_MAX"),
    "push calls": ("shared/domain/realtime/src/pusher/push_all.rs", "PARALLEL_CALLS"),
    "marked together": ("shared/domain/feeds/src/timelines/mark_follows.rs", "MARKED_TOGETHER"),
    "calls of a batch": ("shared/platform/src/table/batch.rs", "CONCURRENT_WRITES"),
    "side by side": ("functions/notification-grouping/src/lib.rs", "EVENTS_TOGETHER"),
    "strangers": ("functions/outbound/src/lib.rs", "JOBS_TOGETHER"),
    "author fresh": ("shared/domain/posts/src/reading/cached_list.rs", "FRESH_MILLIS"),
    "feed fresh": ("shared/domain/feeds/src/newest_page.rs", "FRESH_MILLIS"),
    "hot fresh": ("shared/domain/posts/src/counting/likes/hot.rs", "FRESH_MILLIS"),
    "reads of a hot post": ("shared/domain/posts/src/counting/likes/hot.rs", "READS_MAX"),
}

# Parts whose ceiling is below five times the need even with the requested quotas, and why that is accepted.
ACCEPTED = {
    "like-sync, one viral post": "one row counts the likes. Excess likes are counted later, and none is lost",
    "replies to one viral post": "the same row counts the likes. Excess replies are retried for seconds, then return 429",
}

Component = collections.namedtuple("Component", "name need ceiling unit limit raised_by")
# A component with the initial quotas of an account, and with the requested ones.
Found = collections.namedtuple("Found", "first granted")


def main():
    print(table(components(sam.translate(sam.read(text("template.yaml"))))))


def text(path):
    return (ROOT / path).read_text()


def problems(template, read=text):
    """Yields the parts whose ceiling is too low, from a translated template and the code that `read` returns."""
    found = components(template, read)
    for _, part in found:
        short = part.ceiling < REQUIRED_RATIO * part.need
        if short and part.name not in ACCEPTED:
            yield f"{part.name}: the ceiling is {figure(part.ceiling)} {part.unit}, but must be {REQUIRED_RATIO} times {figure(part.need)}: {part.limit}"
        if not short and part.name in ACCEPTED:
            yield f"{part.name}: is accepted as too low in capacity.py, but is high enough"
    for name in ACCEPTED.keys() - {part.name for part, _ in found}:
        yield f"{name}: is accepted in capacity.py, but there is no such component"
    yield from disagreements(template, read)
    if table(found) not in read(PAGE):
        yield f"{PAGE}: the table is out of date. Copy the output of `make capacity`."


def disagreements(template, read=text):
    """Yields the figures of bill.rs that differ from those of this file or of the template."""
    memory = {name: template["Resources"][name]["Properties"]["MemorySize"] for name in ("Auth", "Posts", "Mail")}
    wanted = {"REQUEST_MILLIS": REQUEST, "REQUEST_MB": memory["Posts"], "AUTH_MB": memory["Auth"], "BATCH_MB": memory["Mail"]}
    for name, value in wanted.items():
        if constant(read(BILL), BILL, name) != value:
            yield f"{BILL}: {name} is not {value}, as in the template and in capacity.py"


def table(found):
    lines = ["| component | need | ceiling | ratio | granted | limit | raised by |", "|---|---|---|---|---|---|---|"]
    for part, granted in found:
        need, ceiling = figure(part.need), figure(part.ceiling)
        raised = ratio(granted) if granted != part else ""
        lines.append(f"| {part.name} | {need} {part.unit} | {ceiling} | {ratio(part)} | {raised} | {part.limit} | {part.raised_by} |")
    return "\n".join(lines)


def ratio(component):
    value = component.ceiling / component.need
    return f"{value:.1f}" if value < 10 else figure(value)


def figure(value):
    """Returns three significant digits, with commas."""
    if value < 10:
        return f"{value:.1f}".removesuffix(".0")
    digits = max(0, math.floor(math.log10(value)) - 2)
    return f"{int(value // 10**digits * 10**digits):,}"


def components(template, read=text):
    constants = {name: constant(read(path), path, source) for name, (path, source) in SOURCES.items()}
    template = in_production(template, json.loads(read(PARAMETERS)))
    quotas = json.loads(read(QUOTAS))
    first, wanted = ({name: quota[which] for name, quota in quotas.items()} for which in ("first", "wanted"))
    # These parameters are set to the granted quotas.
    maxima = {"GatewayRate": wanted[GATEWAY], "TableMaxWrites": wanted[TABLE_WRITES], "TableMaxReads": wanted[TABLE_READS]}
    granted = in_production(template, maxima)
    return [Found(*parts) for parts in zip(with_quotas(template, constants, first), with_quotas(granted, constants, wanted), strict=True)]


def with_quotas(template, constants, quotas):
    return [*front(template, quotas), *workers(template, constants), *keys(template, constants), *services(template, constants)]


def in_production(template, chosen):
    defaults = template["Parameters"]
    return template | {"Parameters": {name: value | {"Default": chosen.get(name, value.get("Default"))} for name, value in defaults.items()}}


def constant(source, path, name):
    found = re.search(rf"^\s*(?:pub(?:\([a-z]+\))? )?const {name}: \w+ = ([\d_]+);", source, re.MULTILINE)
    if not found:
        raise ValueError(f"{path} has no number {name}")
    return int(found[1].replace("_", ""))


def parameter(template, name):
    return int(template["Parameters"][name]["Default"])


def processor(template, function):
    """Returns the share of a processor that a function has."""
    return min(1, template["Resources"][function]["Properties"]["MemorySize"] / MEMORY_OF_A_PROCESSOR)


def worker(template, name):
    """Returns the concurrency of a mapping, its batch size, and the processor share of each invocation."""
    mapping = all_mappings(template)[name]
    concurrency = mapping.get("ScalingConfig", {}).get("MaximumConcurrency")
    return concurrency, mapping["BatchSize"], processor(template, target(mapping["FunctionName"]))


def table_writes():
    units = [LIKES * LIKE_UNITS, REPLIES * REPLY_UNITS, POSTS * POST_UNITS, POSTS * FOLLOWERS_MEAN, GROUPS * GROUP_UNITS]
    return sum(units) + MESSAGES * MESSAGE_UNITS + FOLLOWS * FOLLOW_UNITS + WRITES


def stream_shards():
    """Returns the required number of partitions. Each has a shard of the stream. Half of the writes go to indexes."""
    return math.ceil(table_writes() / 2 / PARTITION_WRITES)


def front(template, quotas):
    rate = parameter(template, "GatewayRate")
    yield Component("gateway", REQUESTS, min(rate, quotas[GATEWAY]), "requests/s",
                    f"GatewayRate, then the account's quota of {quotas[GATEWAY]:,}", "GatewayRate, GatewayBurst, quota L-8A5B8E43")
    of_workers = sum(mapping["ScalingConfig"]["MaximumConcurrency"] for mapping in mappings(template).values())
    relay = all_mappings(template)["RelayRecords"].get("ParallelizationFactor", 1) * stream_shards()
    left = quotas[EXECUTIONS] - of_workers - relay
    yield Component("functions for requests", REQUESTS, left * min(1_000 / REQUEST, REQUESTS_OF_AN_ENVIRONMENT), "requests/s",
                    f"{left:,} of the account's {quotas[EXECUTIONS]:,} environments, at 10 requests per second each", "quota L-B99A9384")
    limit = min(parameter(template, "TableMaxWrites"), quotas[TABLE_WRITES])
    yield Component("table, writes", table_writes(), limit, "WRU/s",
                    f"TableMaxWrites, then the table's quota of {quotas[TABLE_WRITES]:,}", "TableMaxWrites, quota L-AB614373; warm throughput")
    limit = min(parameter(template, "TableMaxReads"), quotas[TABLE_READS])
    yield Component("table, reads", REQUESTS * (READ_UNITS + 1), limit, "RRU/s",
                    f"TableMaxReads, then the table's quota of {quotas[TABLE_READS]:,}", "TableMaxReads, quota L-CF0CBE56; warm throughput")


def workers(template, constants):
    mapping = all_mappings(template)["RelayRecords"]
    batch, parallel = mapping["BatchSize"], mapping.get("ParallelizationFactor", 1)
    millis = SEND + WRITE + batch * OF_A_RECORD / processor(template, "Relay")
    shards = stream_shards()
    yield Component("relay", OUTBOXES, shards * min(PARTITION_WRITES, parallel * batch / millis * 1_000), "outboxes/s",
                    f"{shards} shards of the stream, of 1,000 records", "partitions of the table: warm throughput; ParallelizationFactor")

    concurrency, batch, share = worker(template, "LikeSyncAdded")
    together = constants["writes together"] // (1 + constants["writes of a post"])
    step = 2 * READ + TRANSACTION + WRITE
    waits, by_processor = min(constants["chains"] * together, batch) / step * 1_000, share / OF_A_LIKE * 1_000
    by_waits = f"{together} likes per transaction, {constants['chains']} transactions in parallel per invocation"
    limit = "the processors of its invocations" if by_processor < waits else by_waits
    yield Component("like-sync, spread", LIKES, concurrency * min(waits, by_processor), "likes/s", limit, "MaximumConcurrency, MemorySize")
    together = TRANSACTION_ACTIONS - constants["writes of a post"]
    transactions = batch / math.ceil(batch / together) * concurrency / constants["pace of a post"] * 1_000
    yield Component("like-sync, one viral post", COUNTED_OF_ONE_POST, transactions, "likes/s",
                    f"{concurrency} invocations, {together} likes every {constants['pace of a post']} ms each", "a lower PACE_MILLIS in apply.rs")

    concurrency, batch, share = worker(template, "SearchIndexJobs")
    words = math.ceil(batch * WORDS_OF_A_POST / BATCH_ROWS / constants["calls of a batch"]) * WRITE
    ranks = batch * (READ + WRITE)
    millis = READ + words + TRANSACTION + ranks + batch * OF_AN_INDEXED_POST / share
    yield Component("search-index", POSTS, concurrency * batch / millis * 1_000, "posts/s", "concurrent invocations", "MaximumConcurrency")

    concurrency, _, share = worker(template, "MediaFiles")
    yield Component("media", PHOTOS, concurrency / (STORED + OF_A_PHOTO / share) * 1_000, "photos/s", "concurrent invocations, one photo each",
                    "MaximumConcurrency; more than 1,769 MB does not help")

    concurrency, _, share = worker(template, "TimelineJobs")
    calls = math.ceil(FOLLOWERS_MEAN / BATCH_ROWS)
    millis = 2 * READ + math.ceil(calls / constants["calls of a batch"]) * WRITE + calls * OF_A_CALL / share
    yield Component("timeline fan-out", POSTS * FOLLOWERS_MEAN, concurrency * FOLLOWERS_MEAN / millis * 1_000, "rows/s",
                    "concurrent invocations, one post each", "MaximumConcurrency")
    together = constants["marked together"]
    marks = together / (WRITE + together * OF_A_CALL / share) * 1_000
    yield Component("marking of follows", parameter(template, "FanoutMaxFollowers") / MARKED_SECONDS, min(marks, PARTITION_WRITES),
                    "follows/s", "the processor of one invocation per author", "MemorySize; a lower FanoutMaxFollowers")

    concurrency, batch, share = worker(template, "NotificationGroupingTold")
    millis = math.ceil(batch / constants["side by side"]) * (2 * READ + TRANSACTION) + batch * OF_AN_EVENT / share
    yield Component("notification events", MESSAGES + FOLLOWS, concurrency * batch / millis * 1_000, "events/s",
                    "concurrent invocations", "MaximumConcurrency, MemorySize")

    _, _, share = worker(template, "NotificationGroupingTicks")
    run = parameter(template, "NotificationKeysPerRun")
    waits = constants["pending"] * run / (5 * READ + 4 * WRITE) * 1_000
    by_processor = share / OF_A_GROUP * 1_000
    limit = "the processor of one invocation per tick" if by_processor < waits else "the shards of one invocation per tick"
    yield Component("notification flush", GROUPS, min(waits, by_processor), "groups/s", limit,
                    "MemorySize up to 1,769; after that only less work per group")

    concurrency, batch, share = worker(template, "RealtimePushes")
    rounds = math.ceil(math.ceil(batch / constants["pushes of a call"]) / constants["push calls"])
    millis = 2 * READ + rounds * PUSH + batch * 2 * OF_A_CALL / share
    yield Component("realtime", PUSHES, concurrency * batch / millis * 1_000, "pushes/s", "concurrent invocations, one push call each",
                    "MaximumConcurrency; the plan of the provider")

    concurrency, batch, share = worker(template, "OutboundPushes")
    rounds = math.ceil(batch / constants["strangers"])
    millis = rounds * (5 * READ + PUSH + WRITE) + batch * OF_A_STRANGER / share
    yield Component("web pushes", DEVICES, concurrency * batch / millis * 1_000, "pushes/s", "concurrent invocations, which wait for other services",
                    "MaximumConcurrency")


def keys(template, constants):
    events = LIKES + REPLIES + MESSAGES + FOLLOWS
    yield Component("PENDING index", events, constants["pending"] * PARTITION_WRITES / 2, "events/s",
                    f"{constants['pending']} partitions, two writes per event", "SHARDS in pending.rs")
    shards = parameter(template, "FeedShards")
    yield Component("FEED index, writes", LIKES + REPLIES + POSTS, shards * PARTITION_WRITES / POST_WRU, "posts/s",
                    f"{shards} partitions, {PARTITION_WRITES // POST_WRU} new or changed posts each", "FeedShards")
    instances = REQUESTS * REQUEST / 1_000
    # Half a unit for each 4 KB.
    part = (FEED_PAGE / shards + FEED_SPARE) * POST_WRU / 4 * 0.5 * 1_000 / constants["feed fresh"]
    yield Component("FEED index, reads", instances, PARTITION_READS / part, "instances",
                    "each instance reads its part of a page once per second", "FeedShards; FRESH_MILLIS in newest_page.rs")
    yield Component("FEED versions, writes", POSTS, PARTITION_WRITES, "writes/s",
                    "one partition; one write per relay batch and shard", "a higher BatchSize of the relay")
    yield Component("FEED versions, reads", instances, PARTITION_READS / 0.5 * constants["feed fresh"] / 1_000, "instances",
                    "one partition, read once per second", "FRESH_MILLIS in newest_page.rs")
    yield Component("merged author, reads", instances, PARTITION_READS / AUTHOR_RRU * constants["author fresh"] / 1_000, "instances",
                    "the author's partition of gsi1, 3 RRU per second and instance", "FRESH_MILLIS in often_read.rs")
    a_row = 1_000 / TRANSACTION
    yield Component("author row, followersCount", FOLLOWS_OF_ONE_AUTHOR, a_row, "follows/s",
                    "transactions on one row; further requests return 429", "nothing, unless the counter is sharded")
    concurrency = sum(worker(template, mapping)[0] for mapping in ("LikeSyncAdded", "LikeSyncRemoved"))
    of_likes = concurrency / constants["pace of a post"] * 1_000
    yield Component("replies to one viral post", REPLIES_TO_ONE_POST, a_row - of_likes, "replies/s",
                    f"transactions on one row, after up to {figure(of_likes)} for likes; further requests return 429", "PACE_MILLIS in apply.rs")
    viral = (REQUESTS + LIKES_OF_ONE_POST) * REQUEST / 1_000
    yield Component("one post's row, reads", viral, PARTITION_READS / 0.5 / constants["reads of a hot post"] * constants["hot fresh"] / 1_000,
                    "instances", f"each instance reads the row {constants['reads of a hot post']} times per second for likes",
                    "FRESH_MILLIS and READS_MAX in hot.rs")
    yield Component("STATS rows", REPLIES + POSTS + QUOTES, constants["statistics"] * a_row, "counts/s",
                    f"transactions on {constants['statistics']} rows", "SHARDS in statistics.rs")
    run = parameter(template, "NotificationKeysPerRun")
    yield Component("NEWS count", GROUPS, run * PARTITION_WRITES / math.ceil(run / 7), "groups/s",
                    f"one row, written once per {run} groups", "NotificationKeysPerRun")
    yield Component("HASHTAGS and TREND row", POSTS_OF_ONE_HASHTAG, a_row, "posts/s", "transactions on the rows of one hashtag",
                    "nothing; posts that are indexed together share a transaction")
    yield Component("TREND index", POSTS, PARTITION_WRITES / 2, "posts/s", "the partition of the hour, two writes per changed rank",
                    "nothing; posts that are indexed together share a write")
    yield Component("one session row", parameter(template, "WriteLimitPer5Min") / 300, PARTITION_WRITES, "writes/s",
                    "one row, one write per request", "nothing; WriteLimitPer5Min keeps it low")


def services(template, constants):
    limit = max(mapping["BatchSize"] * mapping["ScalingConfig"]["MaximumConcurrency"] for mapping in mappings(template).values())
    yield Component("SQS, one queue", limit, IN_FLIGHT, "in flight", "messages in flight; calls are unlimited", "a request to AWS support")
    alone = PUSHES - GROUPS + MESSAGES + FOLLOWS
    yield Component("EventBridge, PutEvents", GROUPS / constants["events of a call"] + alone, PUT_EVENTS, "calls/s",
                    "the account's quota; a call has up to ten notifications", "quota L-9B653E91")
    yield Component("EventBridge, invocations", PUSHES + MESSAGES + FOLLOWS, INVOCATIONS, "events/s",
                    "the account's quota; further events are delivered late", "quota L-5540C5E3")


if __name__ == "__main__":
    main()
