"""A connection to the API."""

import inspect
import mimetypes
import pathlib
import time
import uuid

import httpx
from social_api import Client
from social_api.api.auth import register_account, sign_in, sign_out
from social_api.api.uploads import begin_upload
from social_api.models import Credentials, Registration, UploadDraft
from social_api.types import UNSET

from social.errors import ApiError
from social.realtime import PUSHER, Realtime
from social.session import Session, Tokens

ATTEMPTS = 3
FIRST_PAUSE_SECONDS = 1
RETRY_AFTER_MAX_SECONDS = 5


class Network:
    """A client with the session of one user.

    `tokens` are the saved tokens of an earlier session. `on_change` gets new tokens, or None after the session ended.
    """

    def __init__(self, url, tokens=None, on_change=lambda tokens: None):
        self.session = Session(url, tokens, on_change)
        self.client = Client(base_url=url, httpx_args={"auth": self.session})

    def sign_up(self, **fields):
        """Registers a user with `name`, `username`, `email` and `password`, and signs in."""
        self._use(self.call(register_account, body=Registration(**fields)).data)

    def sign_in(self, identifier, password, code=UNSET):
        """Signs in. `code` is required if the account has a second factor."""
        self._use(self.call(sign_in, body=Credentials(identifier=identifier, password=password, code=code)).data)

    def sign_out(self):
        """Ends the session on the server, and forgets the tokens."""
        tokens = self.session.tokens
        if tokens is not None:
            self.call(sign_out, x_refresh_token=tokens.refresh)
            self.session.set(None)

    def call(self, operation, *path, **parameters):
        """Calls a generated function, and returns the body of the response. Raises an ApiError if it fails.

        Requests that have no effect, or that have an idempotency key, are repeated after network errors. POST and
        DELETE requests get a key if the operation accepts one.
        """
        accepted = inspect.signature(operation.sync_detailed).parameters
        if "idempotency_key" in accepted:
            parameters.setdefault("idempotency_key", str(uuid.uuid4()))
        is_safe = "idempotency_key" in accepted or "body" not in accepted
        response = self._send(operation, path, parameters, ATTEMPTS if is_safe else 1)
        if response.status_code >= 400:
            raise ApiError.of(response)
        return response.parsed

    def rows(self, operation, *path, **parameters):
        """Yields all rows of a list. Reads a page when its first row is requested."""
        accepted = inspect.signature(operation.sync_detailed).parameters
        cursor = "cursor" if "cursor" in accepted else "after"
        while True:
            page = self.call(operation, *path, **parameters)
            yield from page.data
            if not page.pagination.has_more:
                return
            parameters[cursor] = page.pagination.after

    def upload(self, file, content_type=None):
        """Uploads a photo or a video, and returns its upload. Its `id`, `key` and `url` are for the `media` of a post."""
        file = pathlib.Path(file)
        content = file.read_bytes()
        kind = content_type or mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        draft = UploadDraft(filename=file.name, content_type=kind, size=len(content))
        ticket = self.call(begin_upload, body=draft).data
        httpx.put(ticket.upload_url, content=content, headers=ticket.headers.to_dict()).raise_for_status()
        return ticket

    def realtime(self, key, cluster="mt1", url=None, on_connect=lambda: None):
        """Opens the realtime connection of the signed-in user. `url` selects a server other than Pusher."""
        return Realtime(self, key, url or PUSHER.format(cluster=cluster), on_connect)

    def close(self):
        """Closes the connections. The session stays valid."""
        self.client.get_httpx_client().close()

    def _use(self, pair):
        self.session.set(Tokens(pair.access_token, pair.refresh_token))

    def _send(self, operation, path, parameters, attempts):
        for attempt in range(1, attempts + 1):
            try:
                response = operation.sync_detailed(*path, client=self.client, **parameters)
            except httpx.TransportError:
                if attempt == attempts:
                    raise
                time.sleep(FIRST_PAUSE_SECONDS * 2 ** (attempt - 1))
                continue
            after = int(response.headers.get("retry-after") or 0)
            if response.status_code != 429 or attempt == attempts or after > RETRY_AFTER_MAX_SECONDS:
                return response
            time.sleep(after)
