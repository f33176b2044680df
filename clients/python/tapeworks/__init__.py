"""Market data of a Tapeworks server, or of its published files, as Arrow tables.

import tapeworks

tw = tapeworks.connect()            # TAPEWORKS_URL and TAPEWORKS_API_KEY
tw = tapeworks.open("data/live")    # the same methods, without a server or a key

tw.bars("*", start="2020-01-01").pl()
tw.bars(["AAPL", "MSFT"], wide="close").pd()
tw.screen("rsi(14) < 30 and close > sma(200)").pl()
tw.study("rsi(14) < 30 and close > sma(200)").summary.pl()
"""

from .errors import (
    AuthenticationError,
    BackfillError,
    IncompleteError,
    InvalidRequestError,
    MissingDataError,
    NeedsServerError,
    NotFoundError,
    OverloadedError,
    RateLimitError,
    ScopeError,
    ServerError,
    TapeworksError,
    UnreachableError,
)
from .files import Files
from .files import Files as open
from .market import Market
from .result import Result
from .server import Server
from .server import Server as connect
from .study import Study

__version__ = "1.0.0"
__all__ = [
    "AuthenticationError",
    "BackfillError",
    "Files",
    "IncompleteError",
    "InvalidRequestError",
    "Market",
    "MissingDataError",
    "NeedsServerError",
    "NotFoundError",
    "OverloadedError",
    "RateLimitError",
    "Result",
    "ScopeError",
    "Server",
    "ServerError",
    "Study",
    "TapeworksError",
    "UnreachableError",
    "connect",
    "open",
]
