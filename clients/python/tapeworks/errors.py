"""Errors of the package, by what is wrong, whether a server said so or the files did."""

from __future__ import annotations

import json
from typing import Any, Optional


class TapeworksError(Exception):
    """The base of all errors; ``str()`` gives the message.

    Attributes:
        status: HTTP status of a server's response, else None.
        type: ``error.type`` of the response: ``rate_limit_error`` and others, else None.
        request_id: Name of the request in the server's log, else None.
        docs_url: A page about the type, else None.
        retry_after_s: Seconds after which the same request may pass, else None.
        position: First character that is wrong in an expression of a screen, from 1, else None.
    """

    status: Optional[int] = None
    type: Optional[str] = None
    request_id: Optional[str] = None
    docs_url: Optional[str] = None
    retry_after_s: Optional[int] = None
    position: Optional[int] = None


class InvalidRequestError(TapeworksError, ValueError):
    """A parameter breaks a rule; the message names both."""


class AuthenticationError(TapeworksError):
    """The key is missing, unknown or revoked."""


class ScopeError(TapeworksError):
    """The key lacks a scope, which the message names, or its account is suspended."""


class NotFoundError(TapeworksError, LookupError):
    """A symbol or a record does not exist."""


class RateLimitError(TapeworksError):
    """The limit of requests or tokens is reached, and a retry would wait too long."""


class OverloadedError(TapeworksError):
    """The server is busy, or its disk is full."""


class ServerError(TapeworksError):
    """The server failed; its log has the ``request_id``."""


class UnreachableError(TapeworksError, ConnectionError):
    """No server responded."""


class IncompleteError(TapeworksError, ConnectionError):
    """A response ended before its data did."""


class BackfillError(TapeworksError):
    """A backfill loaded nothing; the message is the source's reason."""


class NeedsServerError(TapeworksError):
    """The files alone cannot give this; the message says what can."""


class MissingDataError(TapeworksError):
    """Nothing is published in the folder, or a newer Tapeworks wrote it."""


_BY_TYPE = {
    "authentication_error": AuthenticationError,
    "permission_error": ScopeError,
    "not_found_error": NotFoundError,
    "rate_limit_error": RateLimitError,
    "overloaded_error": OverloadedError,
    "api_error": ServerError,
}


def error_from_response(
    status: int, body: bytes, retry_after_s: Optional[int] = None
) -> TapeworksError:
    """Builds the error of a response; also of a proxy's, which has no JSON."""
    envelope = _object(body)
    error = envelope.get("error")
    error = error if isinstance(error, dict) else {}
    kind = str(error.get("type") or ("api_error" if status >= 500 else "invalid_request_error"))
    message = error.get("message") or f"HTTP status {status} without an explanation"
    made = _BY_TYPE.get(kind, InvalidRequestError)(message)
    made.status = status
    made.type = kind
    made.request_id = envelope.get("request_id")
    made.docs_url = error.get("docs_url")
    made.retry_after_s = retry_after_s
    expression = envelope.get("expression")
    made.position = expression.get("position") if isinstance(expression, dict) else None
    return made


def _object(body: bytes) -> dict[str, Any]:
    try:
        parsed = json.loads(body)
    except ValueError:
        return {}
    return parsed if isinstance(parsed, dict) else {}
