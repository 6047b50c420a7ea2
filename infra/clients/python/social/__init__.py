"""A thin client of the social network's API: signs in, refreshes tokens, pages through lists and uploads files."""

from social.errors import ApiError
from social.network import Network
from social.session import Tokens

__all__ = ["ApiError", "Network", "Tokens"]
