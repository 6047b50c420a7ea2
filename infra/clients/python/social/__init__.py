"""A thin client of the social network's API: signs in, refreshes tokens, pages through lists, uploads files and
receives events."""

from social.errors import ApiError
from social.network import Network
from social.realtime import Event, Realtime
from social.session import Tokens

__all__ = ["ApiError", "Event", "Network", "Realtime", "Tokens"]
