"""Tests of release.py."""

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

    def test_a_release_is_tagged_with_its_notes(self):
        self.assertEqual(self.releases("0.1.0", check="true"), [])
        self.assertEqual(self.repository.last(), "v0.1.0")
        self.document["paths"]["/more"] = {"post": POST}
        self.commits("Give clients more", "0.1.1")
        self.commits("Deploy more memory", "0.1.1", "template.yaml")
        self.commits("Tidy up", "0.1.1", "shared/a.rs")
        self.assertEqual(self.releases("0.1.1"), [])
        notes = self.repository.git("tag", "--list", "--format=%(contents)", "v0.1.1")
        for line in ("# 0.1.1", ", after v0.1.0", "## For clients\n\n- Give clients more (", "## For operators\n\n- Deploy more",
                     "## Other changes\n\n- Tidy up ("):
            self.assertIn(line, notes)
        self.assertNotIn("Begin", notes)
        self.assertNotIn("Breaking changes", notes)

    def test_a_version_has_three_numbers_and_matches_cargo_toml(self):
        for version in ("1", "v1.0.0", "1.0", "1.0.0-rc.1", "01.0.0", "1.0.0\n"):
            self.refuses(version, "is not a version")
        self.commits("Raise", "0.2.0", shown="0.1.0")
        self.refuses("0.2.0", "openapi.json has version 0.1.0", "asyncapi.json has version 0.1.0")
        self.commits("Show", "0.1.0", shown="0.2.0")
        self.refuses("0.2.0", "Cargo.toml has version 0.1.0")

    def test_uncommitted_changes_and_other_branches_are_refused(self):
        self.writes("new.txt", "new")
        self.refuses("0.1.0", "uncommitted")
        (self.root / "new.txt").unlink()
        self.git("switch", "--quiet", "--create", "other")
        self.refuses("0.1.0", "branch is other, not main")

    def test_a_failing_or_changing_check_is_refused(self):
        self.refuses("0.1.0", "false fails", check="false")
        self.refuses("0.1.0", "changed the tree", check="touch new.txt")

    def test_a_version_must_be_higher_than_the_last(self):
        self.assertEqual(self.releases("0.1.0"), [])
        self.refuses("0.1.0", "already released", "at least 0.1.1")

    def test_a_breaking_change_raises_the_major_version(self):
        self.commits("Promise", "1.0.0")
        self.assertEqual(self.releases("1.0.0"), [])
        del self.document["paths"]["/posts"]
        self.commits("Break", "1.9.0")
        self.refuses("1.9.0", "breaks clients, so it is at least 2.0.0")
        self.commits("Raise", "2.0.0")
        self.assertEqual(self.releases("2.0.0"), [])
        notes = self.repository.git("tag", "--list", "--format=%(contents)", "v2.0.0")
        self.assertIn("## Breaking changes\n\n- POST /posts: was removed", notes)

    def test_an_addition_raises_the_minor_version(self):
        self.commits("Promise", "1.0.0")
        self.assertEqual(self.releases("1.0.0"), [])
        self.document["paths"]["/more"] = {"post": POST}
        self.commits("Add", "1.0.1")
        self.refuses("1.0.1", "has additions, so it is at least 1.1.0")

    def test_before_1_0_0_a_breaking_change_raises_the_minor_version(self):
        self.assertEqual(self.releases("0.1.0"), [])
        del self.document["paths"]["/posts"]
        self.commits("Break", "0.1.1")
        self.refuses("0.1.1", "breaks clients, so it is at least 0.2.0")


if __name__ == "__main__":
    unittest.main()
