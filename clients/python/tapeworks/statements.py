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
        "researchDevelopment",
        "sellingGeneralAdministrative",
        "interestExpense",
        "pretaxIncome",
        "incomeTax",
        "ebit",
        "ebitda",
        "minorityIncome",
    ),
    "balance-sheet": (
        "totalAssets",
        "totalLiabilities",
        "totalEquity",
        "cash",
        "totalDebt",
        "netDebt",
        "currentAssets",
        "currentLiabilities",
        "shortTermInvestments",
        "receivables",
        "inventory",
        "goodwill",
        "intangibleAssets",
        "accountsPayable",
        "retainedEarnings",
        "shortTermDebt",
        "longTermDebt",
        "leaseLiabilities",
        "minorityInterest",
        "preferredEquity",
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
