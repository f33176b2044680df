/** Datasets for forms and tables. Written by `node .ci/datasets.ts`; never edited. */

// biome-ignore-all format: one value a line.
// biome-ignore-all lint/complexity: as JSON.

/** A line, whose amounts are in US dollars by default. */
export interface StatementLine {
  field: string;
  title: string;
  isPerShare?: boolean;
  isFraction?: boolean;
  isPlain?: boolean;
  isSum?: boolean;
}

/** Statements of companies, with the lines of their tables. */
export const STATEMENTS: readonly {
  noun: string;
  title: string;
  lines: readonly StatementLine[];
  bars: readonly string[];
}[] = [
  {"noun":"statements","title":"Income","lines":[{"field":"revenue","title":"Revenue","isSum":true},{"field":"costOfRevenue","title":"Cost of revenue"},{"field":"grossProfit","title":"Gross profit","isSum":true},{"field":"operatingIncome","title":"Operating income"},{"field":"netIncome","title":"Net income","isSum":true},{"field":"eps","title":"Earnings per share, as filed","isPerShare":true},{"field":"epsDiluted","title":"Diluted, as filed","isPerShare":true},{"field":"researchDevelopment","title":"Research and development"},{"field":"sellingGeneralAdministrative","title":"Selling, general and administrative"},{"field":"interestExpense","title":"Interest expense"},{"field":"pretaxIncome","title":"Pretax income"},{"field":"incomeTax","title":"Income tax"},{"field":"ebit","title":"EBIT"},{"field":"ebitda","title":"EBITDA"},{"field":"minorityIncome","title":"Income of minorities"}],"bars":["revenue","netIncome"]},
  {"noun":"balance-sheet","title":"Balance sheet","lines":[{"field":"totalAssets","title":"Total assets","isSum":true},{"field":"totalLiabilities","title":"Total liabilities"},{"field":"totalEquity","title":"Total equity","isSum":true},{"field":"cash","title":"Cash"},{"field":"totalDebt","title":"Total debt"},{"field":"netDebt","title":"Net debt"},{"field":"currentAssets","title":"Current assets"},{"field":"currentLiabilities","title":"Current liabilities"},{"field":"shortTermInvestments","title":"Short-term investments"},{"field":"receivables","title":"Receivables"},{"field":"inventory","title":"Inventory"},{"field":"goodwill","title":"Goodwill"},{"field":"intangibleAssets","title":"Intangible assets"},{"field":"accountsPayable","title":"Accounts payable"},{"field":"retainedEarnings","title":"Retained earnings"},{"field":"shortTermDebt","title":"Short-term debt"},{"field":"longTermDebt","title":"Long-term debt"},{"field":"leaseLiabilities","title":"Lease liabilities"},{"field":"minorityInterest","title":"Minority interest"},{"field":"preferredEquity","title":"Preferred equity"},{"field":"temporaryEquity","title":"Temporary equity"},{"field":"unexplainedAssets","title":"Unexplained assets"}],"bars":["totalAssets","totalLiabilities"]},
  {"noun":"cash-flow","title":"Cash flow","lines":[{"field":"operatingCashFlow","title":"Operating cash flow","isSum":true},{"field":"investingCashFlow","title":"Investing cash flow"},{"field":"financingCashFlow","title":"Financing cash flow"},{"field":"exchangeEffect","title":"Exchange effect"},{"field":"changeInCash","title":"Change in cash","isSum":true},{"field":"unexplainedChange","title":"Unexplained change"},{"field":"capitalExpenditure","title":"Capital expenditure"},{"field":"freeCashFlow","title":"Free cash flow","isSum":true},{"field":"depreciationAmortization","title":"Depreciation and amortization"},{"field":"stockCompensation","title":"Stock compensation"},{"field":"dividendsPaid","title":"Dividends paid"},{"field":"shareRepurchases","title":"Share repurchases"},{"field":"shareIssuance","title":"Share issuance"},{"field":"debtIssued","title":"Debt issued"},{"field":"debtRepaid","title":"Debt repaid"},{"field":"acquisitions","title":"Acquisitions"},{"field":"interestPaid","title":"Interest paid"},{"field":"taxesPaid","title":"Taxes paid"}],"bars":["operatingCashFlow","freeCashFlow"]},
  {"noun":"ratios","title":"Ratios","lines":[{"field":"price","title":"Price"},{"field":"marketCap","title":"Market cap"},{"field":"grossMargin","title":"Gross margin","isFraction":true},{"field":"operatingMargin","title":"Operating margin","isFraction":true},{"field":"netMargin","title":"Net margin","isFraction":true},{"field":"roe","title":"Return on equity","isFraction":true},{"field":"roa","title":"Return on assets","isFraction":true},{"field":"roic","title":"Return on invested capital","isFraction":true},{"field":"currentRatio","title":"Current ratio","isPlain":true},{"field":"quickRatio","title":"Quick ratio","isPlain":true},{"field":"debtToEquity","title":"Debt to equity","isPlain":true},{"field":"interestCover","title":"Interest cover","isPlain":true},{"field":"assetTurnover","title":"Asset turnover","isPlain":true},{"field":"pe","title":"Price to earnings","isPlain":true},{"field":"ps","title":"Price to sales","isPlain":true},{"field":"pb","title":"Price to book","isPlain":true},{"field":"pfcf","title":"Price to free cash flow","isPlain":true},{"field":"enterpriseValue","title":"Enterprise value"},{"field":"evToEbitda","title":"EV to EBITDA","isPlain":true},{"field":"evToSales","title":"EV to sales","isPlain":true},{"field":"fcfYield","title":"Free cash flow yield","isFraction":true},{"field":"buybackYield","title":"Buyback yield","isFraction":true},{"field":"payoutRatio","title":"Payout ratio","isFraction":true},{"field":"revenueGrowth1y","title":"Revenue growth","isFraction":true},{"field":"revenueGrowth3y","title":"Revenue growth, 3 years","isFraction":true},{"field":"revenueGrowth5y","title":"Revenue growth, 5 years","isFraction":true},{"field":"epsGrowth1y","title":"EPS growth","isFraction":true},{"field":"epsGrowth3y","title":"EPS growth, 3 years","isFraction":true},{"field":"epsGrowth5y","title":"EPS growth, 5 years","isFraction":true},{"field":"shareChange1y","title":"Change of shares","isFraction":true},{"field":"piotroski","title":"Piotroski score","isPlain":true},{"field":"altmanZ","title":"Altman Z","isPlain":true}],"bars":[]},
];

/** Titles of the datasets that files may hold. */
export const DATASET_TITLES: Readonly<Record<string, string>> = {
  "statements": "Statements of companies",
  "balance-sheet": "Balance sheets",
  "cash-flow": "Cash flows",
  "filings": "Filings of companies",
  "shares": "Numbers of shares",
  "insider": "Insider transactions",
  "news": "News",
  "analyst-consensus": "Consensus of analysts",
  "analyst-targets": "Price targets of analysts",
  "upgrades-downgrades": "Rating changes",
  "expirations": "Option expirations",
  "earnings-calendar": "Earnings dates",
  "members": "Members of indexes and lists",
  "values": "Own columns",
  "corporate-actions": "Splits and dividends",
  "symbols": "Names and types of symbols",
};
