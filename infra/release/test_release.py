"""A release refuses what it should, and tags what is left with its notes."""

import copy
import json
import pathlib
import subprocess
import tempfile
import unittest

import release

POST = {"responses": {"201": {"description": "Created."}}}
DOCUMENT = {"paths": {"/posts": {"post": POST}}, "components": {"schemas": {}}}


class Releases(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.root = pathlib.Path(directory.name) / "repository"
        self.notes = pathlib.Path(directory.name) / "notes"
        self.root.mkdir()
        self.repository = release.Repository(self.root)
        self.git("init", "--quiet", "--initial-branch=main")
        self.document = copy.deepcopy(DOCUMENT)
        self.commits("Begin", "0.1.0")

    def git(self, *arguments):
        who = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com"]
        subprocess.run(["git", *who, *arguments], cwd=self.root, check=True, capture_output=True)

    def writes(self, path, text):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)

    def commits(self, subject, version, file=None, shown=None):
        self.writes("Cargo.toml", f'[workspace]\n[workspace.package]\nversion = "{version}"\n')
        info = {"info": {"version": shown or version}}
        self.writes("functions/docs-api/openapi.json", json.dumps(self.document | info))
        self.writes("functions/docs-api/asyncapi.json", json.dumps({"channels": {}} | info))
        if file:
            self.writes(file, subject)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", subject)

    def releases(self, version, check=""):
        self.git("config", "user.name", "Ann")
        self.git("config", "user.email", "ann@example.com")
        return release.release(self.repository, version, check, self.notes)

    def refuses(self, version, *words, check=""):
        tags = self.repository.git("tag")
        found = self.releases(version, check)
        self.assertEqual(len(found), len(words), found)
        for problem, word in zip(found, words, strict=True):
            self.assertIn(word, problem)
        self.assertEqual(self.repository.git("tag"), tags)

    def test_what_is_well_is_tagged_with_its_notes(self):
        self.assertEqual(self.releases("0.1.0", check="true"), [])
        self.assertEqual(self.repository.last(), "v0.1.0")
        self.document["paths"]["/more"] = {"post": POST}
        self.commits("Give clients more", "0.1.1")
        self.commits("Deploy more memory", "0.1.1", "template.yaml")
        self.commits("Tidy up", "0.1.1", "shared/a.rs")
        self.assertEqual(self.releases("0.1.1"), [])
        said = self.repository.git("tag", "--list", "--format=%(contents)", "v0.1.1")
        for line in ("# 0.1.1", ", after v0.1.0", "## For clients\n\n- Give clients more (", "## For operators\n\n- Deploy more",
                     "## Everything else\n\n- Tidy up ("):
            self.assertIn(line, said)
        self.assertNotIn("Begin", said)
        self.assertNotIn("What breaks clients", said)

    def test_a_version_is_three_numbers_and_that_of_the_workspace(self):
        for version in ("1", "v1.0.0", "1.0", "1.0.0-rc.1", "01.0.0", "1.0.0\n"):
            self.refuses(version, "is no version")
        self.commits("Raise", "0.2.0", shown="0.1.0")
        self.refuses("0.2.0", "openapi.json has version 0.1.0", "asyncapi.json has version 0.1.0")
        self.commits("Show", "0.1.0", shown="0.2.0")
        self.refuses("0.2.0", "Cargo.toml has version 0.1.0")

    def test_the_tree_is_clean_and_main(self):
        self.writes("new.txt", "new")
        self.refuses("0.1.0", "dirty")
        (self.root / "new.txt").unlink()
        self.git("switch", "--quiet", "--create", "other")
        self.refuses("0.1.0", "branch other, not main")

    def test_a_check_that_fails_or_changes_something_is_not_released(self):
        self.refuses("0.1.0", "false fails", check="false")
        self.refuses("0.1.0", "changed the tree", check="touch new.txt")

    def test_a_version_is_released_once_and_after_the_last_one(self):
        self.assertEqual(self.releases("0.1.0"), [])
        self.refuses("0.1.0", "released already", "at least 0.1.1")

    def test_what_breaks_clients_raises_the_first_number(self):
        self.commits("Promise", "1.0.0")
        self.assertEqual(self.releases("1.0.0"), [])
        del self.document["paths"]["/posts"]
        self.commits("Break", "1.9.0")
        self.refuses("1.9.0", "clients break, so it is at least 2.0.0")
        self.commits("Raise", "2.0.0")
        self.assertEqual(self.releases("2.0.0"), [])
        said = self.repository.git("tag", "--list", "--format=%(contents)", "v2.0.0")
        self.assertIn("## What breaks clients\n\n- POST /posts: is gone", said)

    def test_what_adds_raises_the_second_number(self):
        self.commits("Promise", "1.0.0")
        self.assertEqual(self.releases("1.0.0"), [])
        self.document["paths"]["/more"] = {"post": POST}
        self.commits("Add", "1.0.1")
        self.refuses("1.0.1", "clients get more, so it is at least 1.1.0")

    def test_before_the_first_promise_the_second_number_does_for_the_first(self):
        self.assertEqual(self.releases("0.1.0"), [])
        del self.document["paths"]["/posts"]
        self.commits("Break", "0.1.1")
        self.refuses("0.1.1", "clients break, so it is at least 0.2.0")


if __name__ == "__main__":
    unittest.main()
