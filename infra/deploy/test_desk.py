"""Tests of the upload of the page for moderators."""

import posixpath
import re
import unittest

import desk


class Bucket:
    def __init__(self):
        self.objects = {}

    def put_object(self, Bucket, Key, Body, ContentType, CacheControl):
        self.objects[Key] = (Body.decode(), ContentType)


class Files(unittest.TestCase):
    def setUp(self):
        self.bucket = Bucket()
        desk.upload(self.bucket, "bucket")

    def test_every_import_is_uploaded(self):
        for key, (text, _) in self.bucket.objects.items():
            if "/vendor/" not in key:
                for name in re.findall(r'(?:from|import\() ?"(\.[^"]+)"', text):
                    imported = posixpath.normpath(posixpath.join(posixpath.dirname(key), name))
                    self.assertIn(imported, self.bucket.objects, f"in {key}")

    def test_every_file_that_index_html_loads_is_uploaded(self):
        page, content_type = self.bucket.objects["desk/index.html"]
        for path in re.findall(r'(?:href|src)="/([^"]+)"', page):
            self.assertIn(path, self.bucket.objects)
        self.assertEqual(content_type, "text/html; charset=utf-8")

    def test_index_html_is_uploaded_last(self):
        self.assertEqual(list(self.bucket.objects)[-1], "desk/index.html")


if __name__ == "__main__":
    unittest.main()
