"""Runs the example of the README and further requests on the local service. `LOCAL` is the path of its program."""

import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import unittest
import urllib.request

from social import ApiError, Network
from social_api.api.auth import get_me
from social_api.api.circles import create_circle, edit_circle
from social_api.api.posts import create_post, get_news_feed
from social_api.models import CircleDraft, CircleEdit, PostDraft

FOLDER = pathlib.Path(__file__).resolve().parent.parent
PHOTO = FOLDER / "../../documents/src/story/photo.png"
PASSWORD = "correct horse battery"


class ClientTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.service = subprocess.Popen([os.environ["LOCAL"], "--port", "0"], stdout=subprocess.PIPE, text=True)
        cls.url = next(filter(None, (re.search(r"http://127\.0\.0\.1:\d+", line) for line in cls.service.stdout)))[0]

    @classmethod
    def tearDownClass(cls):
        cls.service.terminate()
        cls.service.communicate()

    def test_the_example_of_the_readme_runs(self):
        example = re.search(r"```python\n(.*?)```", (FOLDER / "README.md").read_text(), re.DOTALL)[1]
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(PHOTO, pathlib.Path(folder, "river.png"))
            script = pathlib.Path(folder, "example.py")
            script.write_text(example.replace("//127.0.0.1:3000", self.url.removeprefix("http:")))
            path = os.pathsep.join([str(FOLDER), *os.environ.get("PYTHONPATH", "").split(os.pathsep)])
            done = subprocess.run([sys.executable, script], cwd=folder, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True)
        self.assertEqual(done.stderr, "", done.stderr)
        self.assertIn("ann Hello #river\n", done.stdout)
        self.assertIn("VALIDATION_FAILED content: must have", done.stdout)
        self.assertIn("friend-request:new private-user-", done.stdout)

    def test_expired_tokens_are_refreshed_once(self):
        changes = []
        network = Network(self.url, on_change=changes.append)
        self.join(network, "giang")
        self.advance(16 * 60)
        self.assertEqual(network.call(get_me).data.username, "giang")
        self.assertEqual(len(changes), 2)
        later = Network(self.url, tokens=changes[-1])
        self.addCleanup(later.close)
        self.assertEqual(later.call(get_me).data.username, "giang")
        network.sign_out()
        self.assertIsNone(changes[-1])
        with self.assertRaises(ApiError) as refused:
            network.call(get_me)
        self.assertEqual((refused.exception.status, refused.exception.code), (401, "UNAUTHORIZED"))

    def test_a_list_returns_each_row_once(self):
        network = Network(self.url)
        self.join(network, "chi")
        for number in range(5):
            network.call(create_post, body=PostDraft(content=f"Lamp {number}"))
        posts = [post.content for post in network.rows(get_news_feed, take=2) if post.user.username == "chi"]
        self.assertEqual(posts, [f"Lamp {number}" for number in reversed(range(5))])

    def test_a_lost_connection_is_opened_again_with_its_subscriptions(self):
        emi = Network(self.url)
        self.join(emi, "emi")
        circle = emi.call(create_circle, body=CircleDraft(name="Night readers")).data.public_id
        with emi.realtime("local", url=self.url.replace("http:", "ws:")) as live:
            live.join_circle(circle)
            live.on_connect = lambda: emi.call(edit_circle, circle, body=CircleEdit(description="Books after dark"))
            live.socket.socket.shutdown(socket.SHUT_RDWR)
            event = next(iter(live))
        self.assertEqual((event.channel, event.name), (f"presence-circle-{circle}", "circle:updated"))

    def test_a_connection_ends_with_the_session(self):
        phuc = Network(self.url)
        self.join(phuc, "phuc")
        with phuc.realtime("local", url=self.url.replace("http:", "ws:")) as live:
            other = Network(self.url, tokens=phuc.session.tokens)
            self.addCleanup(other.close)
            other.sign_out()
            with self.assertRaises(ApiError) as refused:
                next(iter(live))
        self.assertEqual(refused.exception.status, 401)

    def join(self, network, name):
        self.addCleanup(network.close)
        network.sign_up(name=name.title(), username=name, email=f"{name}@example.com", password=PASSWORD)

    def advance(self, seconds):
        body = json.dumps({"advanceSeconds": seconds}).encode()
        urllib.request.urlopen(urllib.request.Request(f"{self.url}/_local/clock", data=body, method="POST")).close()


if __name__ == "__main__":
    unittest.main()
