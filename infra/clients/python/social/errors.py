"""Errors of the API."""

import json
from dataclasses import dataclass


@dataclass
class ApiError(Exception):
    """An error response of the API or its gateway."""

    status: int
    #: Value of the header `x-error-code`, or None if the gateway refused the request.
    code: str | None
    message: str
    #: ID of the request, for operators.
    request_id: str | None
    #: Seconds until the client can try again, or None.
    retry_after: int | None

    def __str__(self):
        return f"{self.status} {self.code}: {self.message}"

    @classmethod
    def of(cls, response):
        """Returns the error for a response of a generated function."""
        headers = response.headers
        after = headers.get("retry-after")
        return cls(
            status=int(response.status_code),
            code=headers.get("x-error-code"),
            message=message_of(response.content),
            request_id=headers.get("x-request-id"),
            retry_after=int(after) if after else None,
        )


def message_of(content):
    try:
        return json.loads(content).get("message", "")
    except (ValueError, AttributeError):
        return content.decode(errors="replace")[:200]
