"""Statements of companies. Written by ``node .ci/datasets.ts``; never edited."""

from __future__ import annotations

FIGURES = {
    "statements": (
        "revenue",
        "costOfRevenue",
        "grossProfit",
        "operatingIncome",
        "netIncome",
        "eps",
        "epsDiluted",
    ),
    "balance-sheet": (
        "totalAssets",
        "totalLiabilities",
        "totalEquity",
        "cash",
        "totalDebt",
        "netDebt",
    ),
    "cash-flow": (
        "operatingCashFlow",
        "investingCashFlow",
        "financingCashFlow",
        "exchangeEffect",
        "changeInCash",
        "unexplainedChange",
        "capitalExpenditure",
        "freeCashFlow",
        "depreciationAmortization",
        "stockCompensation",
        "dividendsPaid",
        "shareRepurchases",
        "shareIssuance",
        "debtIssued",
        "debtRepaid",
        "acquisitions",
        "interestPaid",
        "taxesPaid",
    ),
}
"""Figures of each statement, in the order of its rows."""

OF_MOMENT = ("balance-sheet",)
"""Statements of a moment: twelve months have those of the newest quarter."""
