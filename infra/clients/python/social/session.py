"""The tokens of a signed-in user. Expired tokens are refreshed."""

import threading
from dataclasses import dataclass

import httpx

#: Paths of requests without a token, which return 401 for other reasons than an expired token.
WITHOUT_TOKEN = ("/auth/login", "/auth/register", "/auth/refresh-token")


@dataclass(frozen=True)
class Tokens:
    """An access token, and the token that renews it once."""

    access: str
    refresh: str


class Session(httpx.Auth):
    """Signs requests. After a 401, refreshes the tokens and sends the request again."""

    requires_response_body = True

    def __init__(self, url, tokens, on_change):
        self.url = url
        self.tokens = tokens
        self.on_change = on_change
        self.lock = threading.Lock()

    def set(self, tokens):
        """Stores the tokens. None ends the session."""
        self.tokens = tokens
        self.on_change(tokens)

    def auth_flow(self, request):
        tokens = self.tokens
        if tokens is None or request.url.path.endswith(WITHOUT_TOKEN):
            yield request
            return
        request.headers["authorization"] = f"Bearer {tokens.access}"
        response = yield request
        if response.status_code == 401:
            yield from self.refresh(tokens)
            if self.tokens is not None:
                request.headers["authorization"] = f"Bearer {self.tokens.access}"
                yield request

    def refresh(self, used):
        """Refreshes the tokens, unless another thread has refreshed `used` meanwhile."""
        with self.lock:
            if self.tokens is not used:
                return
            headers = {"x-refresh-token": used.refresh}
            response = yield httpx.Request("POST", f"{self.url}/auth/refresh-token", headers=headers)
            if response.status_code == 200:
                data = response.json()["data"]
                self.set(Tokens(data["accessToken"], data["refreshToken"]))
            elif response.status_code in (401, 403):
                self.set(None)
