"""Runs a stage on the emulator with light traffic in real time, and checks the conditions of its alarms.

    soak.py --bootstraps target/debug --parameters infra/parameters/prod.json --minutes 60

Fails at the first alarm that AWS would raise, and names it. Ignores alarms that the emulator cannot evaluate: throttles,
and loops that Lambda stops.
"""

import argparse
import json
import pathlib
import signal
import sys
import tempfile
import time
import urllib.error
import urllib.request

import deploy
import rehearsals
import sam
import test

LOOK_AGAIN_SECONDS = 20
TICKS_WITHIN_SECONDS = 300
DEAD_LETTERS = "DeadLetters"
PEOPLE = ("ann", "bob")


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    options = arguments()
    parameters = json.loads(options.parameters.read_text())
    late = int(parameters.get("LateSeconds", sam.read(options.template.read_text())["Parameters"]["LateSeconds"]["Default"]))
    with tempfile.TemporaryDirectory() as home, test.emulator(home) as endpoint:
        deploy.use(endpoint)
        stack = deploy.deploy(options.template, options.bootstraps, parameters)
        return watch(stack, Watcher(endpoint, pathlib.Path(home, "log"), late), options.minutes * 60)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--template", type=pathlib.Path, default="template.yaml")
    parser.add_argument("--bootstraps", type=pathlib.Path, required=True)
    parser.add_argument("--parameters", type=pathlib.Path, required=True)
    parser.add_argument("--minutes", type=int, default=60)
    return parser.parse_args()


def watch(stack, watcher, seconds):
    start = time.monotonic()
    for name in PEOPLE:
        rehearsals.ask(stack, "/auth/register", rehearsals.person(name))
    rounds = 0
    while time.monotonic() - start < seconds:
        problems = [*traffic(stack), *watcher.problems(time.monotonic() - start)]
        if problems:
            print("\n".join(problems), file=sys.stderr)
            return True
        rounds += 1
        time.sleep(LOOK_AGAIN_SECONDS)
    print(f"{seconds // 60} minutes, {rounds} rounds, {watcher.ticks()} ticks: no alarm, no dead letter")
    return False


def traffic(stack):
    """Signs in two users. One writes, the other follows, likes, reports and reads."""
    try:
        writer, reader = (rehearsals.ask(stack, "/auth/login", rehearsals.sign_in(name))["accessToken"] for name in PEOPLE)
        post = rehearsals.ask(stack, "/posts", {"content": f"buy now #soak {time.time()}"}, writer)
        path = f"/posts/{post['publicId']}"
        rehearsals.ask(stack, f"/user/{PEOPLE[0]}/follower", {"isFollowing": True}, reader)
        rehearsals.ask(stack, f"{path}/like", {"isLiked": True}, reader)
        rehearsals.ask(stack, f"{path}/report", {"reason": "spam", "type": "post"}, reader)
        rehearsals.ask(stack, "/posts/news-feed", token=reader)
    except urllib.error.HTTPError as error:
        yield f"ServerErrors: {error.url} returned {error.code} {error.read()[:300]}"


class Watcher:
    def __init__(self, endpoint, log, late):
        self.endpoint, self.log, self.late = endpoint, log, late
        self.seen = (0, 0.0)

    def problems(self, elapsed):
        for queue, messages in self.queues():
            if DEAD_LETTERS in queue and messages:
                yield f"{queue}: {messages}"
            oldest = max((age(message) for message in messages), default=0)
            if oldest > self.late:
                yield f"Late: {queue} has a message of {oldest:.0f} seconds"
        ticks = self.ticks()
        if ticks > self.seen[0]:
            self.seen = (ticks, elapsed)
        if elapsed - self.seen[1] > TICKS_WITHIN_SECONDS:
            yield "NotificationTickMissed"

    def queues(self):
        with urllib.request.urlopen(f"{self.endpoint}/_ministack/sqs/messages", timeout=60) as answer:
            accounts = json.load(answer)["messages"].values()
        return [pair for regions in accounts for queues in regions.values() for pair in queues.items()]

    def ticks(self):
        return self.log.read_text(errors="replace").count("-NotificationTickQueue-")


def age(message):
    return time.time() - message["SentTimestamp"]


if __name__ == "__main__":
    sys.exit(main())
