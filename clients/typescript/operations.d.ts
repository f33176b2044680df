/** Generated from `/v1/openapi.json` by `generate.ts`; do not edit. */

export const API_VERSION: '1.0.0';

/** Values of `error.type`. */
export type ErrorType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'permission_error'
  | 'not_found_error'
  | 'idempotency_error'
  | 'rate_limit_error'
  | 'api_error'
  | 'overloaded_error';

export type Scope =
  | 'quotes:read'
  | 'fundamentals:read'
  | 'technicals:read'
  | 'news:read'
  | 'analyst:read'
  | 'earnings:read'
  | 'insider:read'
  | 'options:read'
  | 'sentiment:read'
  | 'etf:read'
  | 'ai:read'
  | 'developer:read'
  | 'developer:write'
  | 'webhooks:read'
  | 'webhooks:write'
  | 'screens:write'
  | 'ingest:write'
  | 'accounts:write';

export type Event =
  | 'quote.updated'
  | 'candles.updated'
  | 'news.published'
  | 'insider.transaction_created'
  | 'fundamentals.statement_created'
  | 'earnings.updated'
  | 'analyst.rating_changed'
  | 'screener.matched'
  | 'data.ready'
  | 'ingest.failed'
  | 'webhook.test';

export type TransactionType =
  | 'buy'
  | 'sell'
  | 'award'
  | 'exercise'
  | 'conversion'
  | 'tax'
  | 'gift'
  | 'return'
  | 'other';

export type PageLast<Row> = {
  /** The rows of this page. */
  data: Row[];
  /** Rows on all pages together. */
  total: number;
  page_info: LastPageInfo;
  has_more: false;
  cursor: null;
};

export type PageMore<Row> = {
  /** The rows of this page. */
  data: Row[];
  /** Rows on all pages together. */
  total: number;
  page_info: MorePageInfo;
  has_more: true;
  /** Send it to get the next page; null on the last one. */
  cursor: string;
};

export type AcceptedBackfill = {
  id: string;
  state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
};

export type Account = {
  id: string;
  label: string;
  plan: Plan;
  suspended: boolean;
  createdAt: string;
  suspendedAt: string | null;
};

export type AccountChange = {
  /** A name for people to read. */
  label?: string;
  plan?: PlanChange;
  /** Requests with keys of a suspended account get 403. */
  suspended?: boolean;
};

export type AccountPage = AccountPageMore | AccountPageLast;

export type AccountPageLast = PageLast<Account>;

export type AccountPageMore = PageMore<Account>;

export type AccountUsage = {
  data: AccountUsageRow[];
};

export type AccountUsageRow = UsageRow & {
  account: string;
  keyId: string;
};

export type AdjustedPrices = {
  adjustment: 'raw' | 'split' | 'all';
  open: number;
  high: number;
  low: number;
  close: number;
  /** Shares, with at most six decimals. */
  volume: number;
};

export type AnalystConsensus = {
  symbol: string;
  consensus: 'Strong Buy' | 'Buy' | 'Hold' | 'Sell' | 'Strong Sell' | null;
  totalAnalysts: number | null;
  targetHigh: number | null;
  targetLow: number | null;
  targetMean: number | null;
  targetMedian: number | null;
  buy: number | null;
  hold: number | null;
  sell: number | null;
};

export type AnalystRatingChangedEvent = {
  /** Identical in every attempt. */
  id: string;
  type: 'analyst.rating_changed';
  /** When it happened. */
  timestamp: string;
  data:
    | {
        dataset: 'upgrades-downgrades';
        symbol: string;
        row: RatingChange;
      }
    | {
        dataset: 'analyst-targets';
        symbol: string;
        row: PriceTarget;
      }
    | {
        dataset: 'analyst-consensus';
        symbol: string;
        row: AnalystConsensus;
      };
};

export type ApiDescription = {
  openapi: '3.1.0';
  info: {
    title: string;
    version: string;
  } & Record<string, unknown | string>;
  paths: Record<string, unknown>;
  components: Record<string, unknown>;
} & Record<
  string,
  | unknown
  | '3.1.0'
  | ({
      title: string;
      version: string;
    } & Record<string, unknown | string>)
  | Record<string, unknown>
>;

export type Article = {
  id: string;
  title: string;
  summary: string | null;
  source: string;
  /** Address of the article. */
  url: string;
  publishedAt: string;
  symbols: string[];
  /** Tone of the article, judged by its words. */
  sentiment: 'positive' | 'neutral' | 'negative' | null;
};

export type Backfill = {
  id: string;
  /** `waiting`, `running`, then `done`, `failed` if nothing was loaded, or `cancelled`. */
  state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
  source: string;
  dataset: string;
  /** Null: all symbols of the file. */
  symbols: string[] | null;
  from: string | null;
  to: string | null;
  /** The uploaded file; null for other sources. */
  file: {
    name: string;
    bytes: number;
  } | null;
  /** Units done in the current step: `fetch`, `load`, then steps of the publish. */
  progress: {
    step: string;
    done: number;
    total: number;
  } | null;
  /** Whom or what it waits for; null if for nothing. */
  waitsFor: string | null;
  /** Present once the run has ended. */
  result: BackfillResult | null;
  /** Why it failed, in the words of the source. */
  error: string | null;
  createdAt: string;
  startedAt: string | null;
  endedAt: string | null;
};

export type BackfillPage = BackfillPageMore | BackfillPageLast;

export type BackfillPageLast = PageLast<Backfill>;

export type BackfillPageMore = PageMore<Backfill>;

export type BackfillResult = {
  /** Rows that were loaded. */
  accepted: number;
  /** Rows that break a rule; they are in the quarantine. */
  refused: number;
  /** Most frequent first. */
  refusedByReason: {
    reason: string;
    count: number;
  }[];
  /** Loaded rows by dataset. */
  loaded: {
    dataset: string;
    /** Interval of bars; null for other rows. */
    interval: string | null;
    rows: number;
    symbols: number;
    from: string | null;
    to: string | null;
    /** Symbol with a row of the last day. */
    lastSymbol: string | null;
  }[];
  /** For the source `any`: where each symbol comes from. */
  sources: {
    symbol: string;
    /** Source that has its bars; null: none has. */
    source: string | null;
    /** True if all its bars were stored before. */
    isUpToDate: boolean;
    /** Sources before that one, and what each said. */
    tried: {
      source: string;
      /** `not configured`, `unknown symbol`, `rate limited`, … */
      outcome: string;
      /** Cause and remedy in words. */
      message: string;
    }[];
  }[];
  /** Symbols and files that gave nothing. */
  skipped: {
    name: string;
    reason: string;
  }[];
  /** Parts that failed, in the words of the source. */
  failures: {
    title: string;
    reason: string;
  }[];
  /** How each kind of file was read, with the facts that decided. */
  readings: string[];
  notes: string[];
};

export type BalanceSheet = {
  /** Last day of the period. */
  date: string;
  period: 'annual' | 'quarterly' | 'semiannual' | 'ttm';
  totalAssets: number | null;
  totalLiabilities: number | null;
  totalEquity: number | null;
  /** Cash and cash equivalents without marketable securities. */
  cash: number | null;
  /** Short and long borrowings without operating leases. */
  totalDebt: number | null;
  /** `totalDebt` minus `cash`. */
  netDebt: number | null;
  currentAssets: number | null;
  currentLiabilities: number | null;
  shortTermInvestments: number | null;
  receivables: number | null;
  inventory: number | null;
  goodwill: number | null;
  intangibleAssets: number | null;
  accountsPayable: number | null;
  retainedEarnings: number | null;
  shortTermDebt: number | null;
  longTermDebt: number | null;
  leaseLiabilities: number | null;
  minorityInterest: number | null;
  preferredEquity: number | null;
  /** Redeemable shares and minorities, between liabilities and equity. */
  temporaryEquity: number | null;
  /** `totalAssets` less liabilities, equity and temporary equity: 0 if they add up. */
  unexplainedAssets: number | null;
};

export type BalanceSheets = {
  data: ExplainedBalanceSheet[];
};

export type BollingerPoint = {
  /** Start of the bar in UTC; a day is stamped with 00:00Z. */
  timestamp: string;
  /** Same as `middle`. */
  value: number;
  upper: number;
  middle: number;
  lower: number;
};

export type Candle = {
  /** Start of the bar in UTC; a day is stamped with 00:00Z. */
  timestamp: string;
  /** With `session`: the date that the bar counts for; null on days without trading. */
  tradeDate?: string | null;
  /** With `session`: that of the bar; null outside of every session. */
  session?: 'overnight' | 'pre' | 'regular' | 'post' | null;
  open: number;
  high: number;
  low: number;
  close: number;
  /** Shares, with at most six decimals. */
  volume: number;
};

export type CandleOrigin = {
  /** Canonical spelling of the ticker: `BRK.B`. */
  symbol: string;
  interval: '1m' | '5m' | '15m' | '1h' | '4h' | '1d' | '1w' | '1M';
  /** Start of the bar, in UTC. */
  timestamp: string;
  /** Source of the series. If loads were joined, of the load that ranks first. */
  source: string;
  /** Interval of the stored bars. If it is shorter, the bar is made from them. */
  sourceInterval: '1m' | '5m' | '15m' | '1h' | '4h' | '1d' | '1w' | '1M';
  /** Price basis of the stored bars. */
  sourceBasis: 'raw' | 'split' | 'all';
  /** Vintage of adjusted prices; null for raw ones, which never change. */
  asOf: string | null;
  /** The bar on each basis that can be derived. */
  prices: AdjustedPrices[];
  /** Splits and dividends after the bar, up to the newest bar; the oldest first. */
  actionsSince: CorporateAction[];
  /** Days for which actions are known; null where splits are not. */
  actionCoverage: {
    from: string;
    to: string;
    /** Days for which all dividends are known; null for none. */
    dividends: {
      from: string;
      to: string;
    } | null;
  } | null;
};

export type CandlesUpdatedEvent = {
  /** Identical in every attempt. */
  id: string;
  type: 'candles.updated';
  /** When it happened. */
  timestamp: string;
  data: {
    interval: '1d' | '1m' | '5m';
    source: string;
    /** No bar before this time has changed. */
    from: string;
    /** Number of symbols concerned. */
    symbolCount: number;
    /** The first symbols. */
    symbols: string[];
  };
};

export type CashFlowStatement = {
  /** Last day of the period. */
  date: string;
  period: 'annual' | 'quarterly' | 'semiannual' | 'ttm';
  operatingCashFlow: number | null;
  investingCashFlow: number | null;
  financingCashFlow: number | null;
  exchangeEffect: number | null;
  changeInCash: number | null;
  /** `changeInCash` less its four parts: 0 if they add up. */
  unexplainedChange: number | null;
  capitalExpenditure: number | null;
  /** `operatingCashFlow` minus `capitalExpenditure`. */
  freeCashFlow: number | null;
  depreciationAmortization: number | null;
  stockCompensation: number | null;
  dividendsPaid: number | null;
  shareRepurchases: number | null;
  shareIssuance: number | null;
  debtIssued: number | null;
  debtRepaid: number | null;
  acquisitions: number | null;
  interestPaid: number | null;
  taxesPaid: number | null;
};

export type CashFlowStatements = {
  data: ExplainedCashFlowStatement[];
};

export type CorporateAction = {
  /** Canonical spelling of the ticker: `BRK.B`. */
  symbol: string;
  /** A spin-off counts for the adjustment `all` like a dividend, and is in no yield. */
  type: 'split' | 'dividend' | 'spin-off';
  exDate: string;
  /** For a 4-for-1 split: 4; null for dividends. */
  numerator: number | null;
  /** For a 4-for-1 split: 1; null for dividends. */
  denominator: number | null;
  /** Dividend per share, as declared; null for splits. */
  amount: number | null;
  /** ISO 4217 code of the amount; null for splits. A dividend that is not in USD is listed only: it is in no yield, and prices across its ex-date have no adjustment `all`. */
  currency: string | null;
};

export type CorporateActions = {
  /** Newest first. */
  data: CorporateAction[];
  /** Days for which actions are known; absent where splits are not. */
  coverage?: {
    from: string;
    to: string;
    /** Days for which all dividends are known; null for none. */
    dividends: {
      from: string;
      to: string;
    } | null;
  };
};

export type CreatedKey = {
  id: string;
  /** First characters of the key, to recognise it by. */
  keyPrefix: string;
  label: string;
  scopes: Scope[];
  createdAt: string;
  /** The key itself. Shown only in this response. */
  rawKey: string;
};

export type CreatedWebhook = Webhook & {
  /** Signing secret. Shown only in this response. */
  secret: string;
};

export type DataReadyEvent = {
  /** Identical in every attempt. */
  id: string;
  type: 'data.ready';
  /** When it happened. */
  timestamp: string;
  data: {
    mode: 'live' | 'sandbox';
    version: number;
    /** Datasets loaded since the last such event. */
    datasets: string[];
  };
};

export type Delivery = {
  /** Sent to receivers as `webhook-id`. */
  eventId: string;
  type: Event;
  status: 'pending' | 'delivered' | 'failed';
  /** Finished attempts. */
  attempts: number;
  /** Status of the last attempt; null: no response. */
  responseStatus: number | null;
  /** Why the last attempt failed. */
  error: string | null;
  createdAt: string;
  lastAttemptAt: string | null;
  nextAttemptAt: string | null;
};

export type DeliveryPage = DeliveryPageMore | DeliveryPageLast;

export type DeliveryPageLast = PageLast<Delivery>;

export type DeliveryPageMore = PageMore<Delivery>;

export type EarningsPage = EarningsPageMore | EarningsPageLast;

export type EarningsPageLast = PageLast<EarningsReport>;

export type EarningsPageMore = PageMore<EarningsReport>;

export type EarningsReport = {
  symbol: string;
  companyName: string | null;
  date: string;
  fiscalQuarter: string | null;
  time: 'before_market' | 'after_market' | 'during_market' | 'unknown';
  epsEstimate: number | null;
  revenueEstimate: number | null;
};

export type EarningsUpdatedEvent = {
  /** Identical in every attempt. */
  id: string;
  type: 'earnings.updated';
  /** When it happened. */
  timestamp: string;
  data: {
    dataset: 'earnings-calendar';
    symbol: string;
    row: EarningsReport;
  };
};

export type Error = {
  error: {
    /** For people: what is wrong, and what was expected. */
    message: string;
    /** For programs; see `docs_url`. */
    type: ErrorType;
    /** A page on this server about errors of the type. */
    docs_url: string;
  };
  /** As in the header `X-Request-Id` and in the log of the server. */
  request_id: string;
};

export type Expirations = {
  /** In ascending order. */
  data: string[];
};

export type ExplainedBalanceSheet = BalanceSheet & {
  /** When the filing was accepted; of twelve months, the newest one. */
  filedAt: string;
  /** The company’s own. */
  fiscalYear: number | null;
  /** ISO 4217 code of the amounts. */
  currency: string | null;
  form: string | null;
  /** With `explain=true`. */
  explained?: StatementEvidence;
};

export type ExplainedCashFlowStatement = CashFlowStatement & {
  /** When the filing was accepted; of twelve months, the newest one. */
  filedAt: string;
  /** The company’s own. */
  fiscalYear: number | null;
  /** ISO 4217 code of the amounts. */
  currency: string | null;
  form: string | null;
  /** With `explain=true`. */
  explained?: StatementEvidence;
};

export type ExplainedIncomeStatement = IncomeStatement & {
  /** As filed, on the split basis of today. */
  epsAdjusted: number | null;
  /** As filed, on the split basis of today. */
  epsDilutedAdjusted: number | null;
  /** When the filing was accepted; of twelve months, the newest one. */
  filedAt: string;
  /** The company’s own. */
  fiscalYear: number | null;
  /** ISO 4217 code of the amounts. */
  currency: string | null;
  form: string | null;
  /** With `explain=true`. */
  explained?: StatementEvidence;
};

export type ExplainedQuote = Quote & {
  /** With `explain=true`: why a figure of the company is null, by name. */
  reasons?: Record<string, string>;
};

export type ExplainedRatio = Ratio & {
  /** With `explain=true`. */
  explained?: StatementEvidence;
};

export type Factor = {
  /** First day of the factors, which hold until the next row. */
  date: string;
  /** Price adjusted for splits ÷ price as traded. */
  splitFactor: number | null;
  /** Price adjusted for splits and dividends ÷ for splits alone. */
  dividendFactor: number | null;
  /** Both: price adjusted for splits and dividends ÷ price as traded. */
  factor: number | null;
};

export type Factors = {
  /** Oldest first; empty without bars. */
  data: Factor[];
  /** Reason for factors that are null. */
  reason?: string;
};

export type FigureEvidence = {
  /** `stated` on a line, `summed` of lines, `proved` by arithmetic that the filing shows, or the `difference` of longer and shorter periods. Null if unknown. */
  verdict: 'stated' | 'summed' | 'proved' | 'difference' | null;
  /** Reason for a null, or why nothing is known of a figure. */
  reason: string | null;
  /** Number of the filing of the lines. */
  accession: string | null;
  lines: FigureLine[];
};

export type FigureLine = {
  /** XBRL concept, or the period of a difference. */
  concept: string;
  /** The statement's label; null from company facts. */
  label: string | null;
  value: number | null;
};

export type File = {
  /** Only datasets that the scopes of the key allow. */
  dataset:
    | 'candles'
    | 'adjustments'
    | 'corporate-actions'
    | 'symbols'
    | 'quotes'
    | 'statements'
    | 'balance-sheet'
    | 'cash-flow'
    | 'filings'
    | 'insider'
    | 'news'
    | 'upgrades-downgrades';
  /** For candles; else null. */
  interval: '1d' | '5m' | '1m' | null;
  /** Year of all rows, in UTC; null: the whole dataset. */
  year: number | null;
  /** 1 to 12, for candles below a day; else null. */
  month: number | null;
  /** Signed: it needs no header. Readable for at least an hour, at most two days. */
  url: string;
  bytes: number;
  /** Version of the data; all files of a response have the same one. */
  version: string;
};

export type Files = {
  /** Empty until the first files are made. */
  data: File[];
};

export type Filing = {
  symbol: string;
  /** Number of the filing at the SEC. */
  accession: string;
  form: string;
  /** Last day of the period that it reports on. */
  period: string | null;
  /** Day of filing. */
  filedAt: string;
  /** When the SEC accepted it. Null if only company facts were loaded. */
  acceptedAt: string | null;
  link: string | null;
};

export type FilingsPage = FilingsPageMore | FilingsPageLast;

export type FilingsPageLast = PageLast<Filing>;

export type FilingsPageMore = PageMore<Filing>;

export type FundamentalsStatementCreatedEvent = {
  /** Identical in every attempt. */
  id: string;
  type: 'fundamentals.statement_created';
  /** When it happened. */
  timestamp: string;
  data:
    | {
        dataset: 'statements';
        symbol: string;
        row: IncomeStatement;
      }
    | {
        dataset: 'balance-sheet';
        symbol: string;
        row: BalanceSheet;
      }
    | {
        dataset: 'cash-flow';
        symbol: string;
        row: CashFlowStatement;
      }
    | {
        dataset: 'ratios';
        symbol: string;
        row: Ratio;
      };
};

export type Health = {
  status: 'ok';
};

export type IncomeStatement = {
  /** Last day of the period. */
  date: string;
  period: 'annual' | 'quarterly' | 'semiannual' | 'ttm';
  revenue: number | null;
  costOfRevenue: number | null;
  grossProfit: number | null;
  operatingIncome: number | null;
  netIncome: number | null;
  /** Basic earnings per share, as filed. */
  eps: number | null;
  /** Diluted earnings per share, as filed. */
  epsDiluted: number | null;
  researchDevelopment: number | null;
  sellingGeneralAdministrative: number | null;
  interestExpense: number | null;
  pretaxIncome: number | null;
  incomeTax: number | null;
  /** `pretaxIncome` plus `interestExpense`. */
  ebit: number | null;
  /** `ebit` plus `depreciationAmortization` of the cash flow statement. */
  ebitda: number | null;
  minorityIncome: number | null;
};

export type IncomeStatements = {
  data: ExplainedIncomeStatement[];
};

export type Indicator = {
  /** The name in requests: `sma`. */
  name: string;
  title: string;
  /** In the order of the values in `name:a:b`. */
  params: IndicatorParameter[];
  outputs: IndicatorOutput[];
  /** The output that JSON has as `value`. */
  mainOutput: string;
};

export type IndicatorOutput = {
  name: string;
  /** The column in CSV and Arrow, behind the request's text: empty, or `_upper`. */
  column: string;
  /** True for prices, which charts draw over the bars. */
  isPrice: boolean;
};

export type IndicatorParameter = {
  name: string;
  default: number;
  /** The defaults of other intervals, by interval, where they are not `default`. */
  defaults?: Record<string, number>;
  /** Smallest allowed value. */
  min: number;
  /** Largest allowed value. */
  max: number;
  /** True if only whole numbers are allowed. */
  integer: boolean;
};

/** A point of an indicator with one output, such as `sma`. */
export type IndicatorPoint = {
  /** Start of the bar in UTC; a day is stamped with 00:00Z. */
  timestamp: string;
  value: number;
};

export type Indicators = {
  data: Indicator[];
};

export type IngestFailedEvent = {
  /** Identical in every attempt. */
  id: string;
  type: 'ingest.failed';
  /** When it happened. */
  timestamp: string;
  data: {
    source: string;
    dataset: string | null;
    failures: number;
    /** Kind of the first failure; `reason` is from the same one. */
    kind: string;
    reason: string;
  };
};

export type InsiderPage = InsiderPageMore | InsiderPageLast;

export type InsiderPageLast = PageLast<InsiderTransaction>;

export type InsiderPageMore = PageMore<InsiderTransaction>;

export type InsiderSummary = {
  symbol: string;
  /** Shares bought minus sold, filed within 30 days. */
  netShares30d: number | null;
  /** The same as an amount of money. */
  netValue30d: number | null;
  /** Shares bought minus sold, filed within 90 days. */
  netShares90d: number | null;
  /** The same as an amount of money. */
  netValue90d: number | null;
  buyCount90d: number;
  sellCount90d: number;
  /** Reason for a null among the sums. */
  reason: string | null;
  mostRecentTransaction: InsiderTransaction | null;
};

export type InsiderTransaction = {
  symbol: string;
  insiderName: string;
  /** The officer's title, else `Director` or `10% Owner`. */
  title: string | null;
  transactionType: TransactionType;
  shares: number | null;
  price: number | null;
  totalValue: number | null;
  /** Shares held after the transaction. */
  sharesOwnedAfter: number | null;
  /** When the SEC accepted the filing. */
  filedAt: string;
  transactionDate: string | null;
  /** The filing's letter: `P` or `S` in markets. */
  transactionCode: string | null;
  /** The security's name in the filing. */
  securityTitle: string | null;
  direction: 'acquired' | 'disposed' | null;
  /** `indirect`: through a fund or a trust. */
  ownership: 'direct' | 'indirect' | null;
  isDerivative: boolean | null;
  /** Made by a plan under rule 10b5-1. */
  isPlanned: boolean | null;
  /** Number of the filing at the SEC. */
  accession: string;
  /** Address of the filing; null for rows without a number. */
  link: string | null;
};

export type InsiderTransactionCreatedEvent = {
  /** Identical in every attempt. */
  id: string;
  type: 'insider.transaction_created';
  /** When it happened. */
  timestamp: string;
  data: {
    dataset: 'insider';
    symbol: string;
    row: InsiderTransaction;
  };
};

export type KeyPage = KeyPageMore | KeyPageLast;

export type KeyPageLast = PageLast<KeyRow>;

export type KeyPageMore = PageMore<KeyRow>;

export type KeyRow = {
  id: string;
  /** First characters of the key, to recognise it by. */
  keyPrefix: string;
  label: string;
  scopes: Scope[];
  createdAt: string;
  lastUsedAt: string | null;
  revokedAt: string | null;
  /** Present for keys that expire. */
  expiresAt?: string;
};

export type LastPageInfo = {
  hasNext: false;
  /** Rows on all pages together. */
  totalCount: number;
};

export type MacdPoint = {
  /** Start of the bar in UTC; a day is stamped with 00:00Z. */
  timestamp: string;
  /** The MACD line. */
  value: number;
  /** Null until its first value, as is `histogram`. */
  signal: number | null;
  histogram: number | null;
};

export type Member = {
  /** Canonical spelling of the ticker: `BRK.B`. */
  symbol: string;
  companyName: string | null;
  /** First day of this membership; in `all` and `active` of the bars. */
  from: string;
  /** Last day; null for a member of the newest day. */
  to: string | null;
};

export type Members = {
  /** Ascending by symbol. */
  data: Member[];
};

export type MorePageInfo = {
  hasNext: true;
  /** Send it to get the next page; absent on the last one. */
  cursor: string;
  /** Rows on all pages together. */
  totalCount: number;
};

export type NewAccount = {
  /** Default: a random id. An existing id gets 400. */
  id?: string;
  /** A name for people to read. */
  label: string;
  plan?: PlanChange;
};

export type NewBackfill = {
  /** Vendor to request the data from. `any` tries the configured vendors of bars in a fixed order, and takes each symbol from the first one that has it. */
  source:
    | 'any'
    | 'alpaca'
    | 'massive'
    | 'tiingo'
    | 'eodhd'
    | 'yahoo'
    | 'sec'
    | 'form4'
    | 'fmp'
    | 'finnhub'
    | 'cboe';
  /** Default: `candles`, or the only dataset of the source. `yahoo` also has `analysts` and `expirations`. */
  dataset?: string;
  /** Symbols to load. */
  symbols: string[];
  /** First day. Default: all that is missing. */
  from?: string;
  /** Last day. Default: the latest completed session. */
  to?: string;
  /** Load the data even if a sanity check would hold it. Default: false. */
  accept?: boolean;
};

export type NewKey = {
  /** A name for people to read. */
  label: string;
  /** `all` stands for every scope except `ingest:write` and `accounts:write`. */
  scopes: ('all' | Scope)[];
};

export type NewScreen = {
  /** A name for people to read. */
  name: string;
  /** Parameters as in the query of `/svc/screener`, without those that only shape a response: `limit`, `cursor`, `format`, `as_of` and `explain`. */
  query: string;
};

export type NewWebhook = {
  /** Address that events are sent to: https and public. */
  url: string;
  /** Types of events to send. */
  events: Event[];
  /** Send only events about these symbols; default: all. */
  symbols?: string[];
  /** A name for people to read. */
  description?: string;
  /** Filters and `where` as in the query of `/svc/screener`. The event `screener.matched` needs this or `screen`; without that event both are forbidden. */
  screener?: string;
  /** The `id` of a saved screen, instead of `screener`. The webhook keeps its query. */
  screen?: string;
};

export type NewsPage = NewsPageMore | NewsPageLast;

export type NewsPageLast = PageLast<Article>;

export type NewsPageMore = PageMore<Article>;

export type NewsPublishedEvent = {
  /** Identical in every attempt. */
  id: string;
  type: 'news.published';
  /** When it happened. */
  timestamp: string;
  data: {
    dataset: 'news';
    row: Article;
  };
};

/** A point of an indicator with several outputs: the others by their names. */
export type OutputsPoint = {
  /** Start of the bar in UTC; a day is stamped with 00:00Z. */
  timestamp: string;
  /** The output named first. */
  value: number;
} & Record<string, number | null | string | number>;

export type Plan = {
  /** For each key without its own limit; null: the limit of the server. */
  rateLimit: {
    requests: number;
    windowSeconds: number;
  } | null;
  /** For all keys together, in each mode; null: unlimited. */
  tokensPerDay: number | null;
  /** Scopes that keys can have; null: all. */
  scopes: Scope[] | null;
  /** Lifetime of new keys; null: until revoked. */
  keyExpiryDays: number | null;
};

/** Absent fields keep their values; null removes a limit. */
export type PlanChange = {
  rateLimit?: {
    requests: number;
    windowSeconds: number;
  } | null;
  tokensPerDay?: number | null;
  scopes?: Scope[] | null;
  keyExpiryDays?: number | null;
};

export type PriceTarget = {
  analystName: string | null;
  firm: string;
  target: number;
  rating: string | null;
  publishedAt: string;
};

export type PriceTargets = {
  data: PriceTarget[];
};

export type Quote = {
  /** Canonical spelling of the ticker: `BRK.B`. */
  symbol: string;
  /** Close of the newest bar (a minute or a day). */
  price: number;
  /** Difference from `previousClose`, with no more decimals than the two have. */
  change: number | null;
  /** `change` in percent of `previousClose`, rounded to six decimals. */
  changePct: number | null;
  /** Volume of the session so far. */
  volume: number;
  /** End of the newest bar. */
  timestamp: string;
  dayHigh: number;
  dayLow: number;
  dayOpen: number;
  /** Close of the previous session, adjusted for splits. */
  previousClose: number | null;
  /** Price times shares outstanding by the newest filing; null if it is unknown, or 400 days newer than the price. */
  marketCap: number | null;
};

export type QuoteBatch = {
  /** In the order requested. */
  data: Quote[];
  /** Symbols that are unknown or have no bars; absent if there are none. */
  notFound?: string[];
};

export type QuoteUpdatedEvent = {
  /** Identical in every attempt. */
  id: string;
  type: 'quote.updated';
  /** When it happened. */
  timestamp: string;
  data: {
    /** Number of symbols concerned. */
    symbolCount: number;
    /** The first symbols. */
    symbols: string[];
    /** For the first symbols. */
    quotes: Quote[];
  };
};

export type RatingChange = {
  symbol: string;
  firm: string;
  analystName: string | null;
  action: 'upgrade' | 'downgrade' | 'initiate' | 'maintain' | 'reiterate';
  fromGrade: string | null;
  toGrade: string | null;
  publishedAt: string;
};

export type RatingPage = RatingPageMore | RatingPageLast;

export type RatingPageLast = PageLast<RatingChange>;

export type RatingPageMore = PageMore<RatingChange>;

export type Ratio = {
  /** Last day of the period. */
  date: string;
  period: 'annual' | 'quarterly' | 'semiannual' | 'ttm';
  /** Day of `price`. */
  priceDate: string | null;
  /** Close on `priceDate`, on the split basis of that day. */
  price: number | null;
  /** `price` times shares outstanding by the filings known then. */
  marketCap: number | null;
  /** `grossProfit` over `revenue`. */
  grossMargin: number | null;
  /** `operatingIncome` over `revenue`. */
  operatingMargin: number | null;
  /** `netIncome` over `revenue`. */
  netMargin: number | null;
  /** `netIncome` over `totalEquity`. */
  roe: number | null;
  /** `netIncome` over `totalAssets`. */
  roa: number | null;
  /** `operatingIncome` after tax over `totalDebt` + `totalEquity` − `cash`. The tax rate is `incomeTax` over `pretaxIncome`; null if that is below 0 or above 1. */
  roic: number | null;
  /** `currentAssets` over `currentLiabilities`. */
  currentRatio: number | null;
  /** `currentAssets` − `inventory`, over `currentLiabilities`. */
  quickRatio: number | null;
  /** `totalDebt` over `totalEquity`. */
  debtToEquity: number | null;
  /** `ebit` over `interestExpense`. */
  interestCover: number | null;
  /** `revenue` over `totalAssets`. */
  assetTurnover: number | null;
  /** `price` over `epsDiluted`. */
  pe: number | null;
  /** `marketCap` over `revenue`. */
  ps: number | null;
  /** `marketCap` over `totalEquity`. */
  pb: number | null;
  /** `marketCap` over `freeCashFlow`. */
  pfcf: number | null;
  /** `marketCap` + `totalDebt` − `cash`. */
  enterpriseValue: number | null;
  /** `enterpriseValue` over `ebitda`. */
  evToEbitda: number | null;
  /** `enterpriseValue` over `revenue`. */
  evToSales: number | null;
  /** `freeCashFlow` over `marketCap`. */
  fcfYield: number | null;
  /** `shareRepurchases` over `marketCap`. */
  buybackYield: number | null;
  /** `dividendsPaid` over `netIncome`. */
  payoutRatio: number | null;
  /** Change of `revenue` of twelve months, as a fraction. */
  revenueGrowth1y: number | null;
  /** Mean yearly change over 3 years of `revenue` of twelve months, as a fraction, compounded. */
  revenueGrowth3y: number | null;
  /** Mean yearly change over 5 years of `revenue` of twelve months, as a fraction, compounded. */
  revenueGrowth5y: number | null;
  /** Change of `epsDiluted` of twelve months, as a fraction. */
  epsGrowth1y: number | null;
  /** Mean yearly change over 3 years of `epsDiluted` of twelve months, as a fraction, compounded. */
  epsGrowth3y: number | null;
  /** Mean yearly change over 5 years of `epsDiluted` of twelve months, as a fraction, compounded. */
  epsGrowth5y: number | null;
  /** Change of `sharesDiluted` of twelve months, as a fraction. */
  shareChange1y: number | null;
  /** Number of nine tests passed, against the year before; null if one can not be made. */
  piotroski: number | null;
  /** 1.2 × working capital + 1.4 × `retainedEarnings` + 3.3 × `ebit` + `revenue`, over `totalAssets`, + 0.6 × `marketCap` over `totalLiabilities`. Working capital is `currentAssets` − `currentLiabilities`. */
  altmanZ: number | null;
};

export type Ratios = {
  data: ExplainedRatio[];
};

export type Readiness = {
  status: 'ready' | 'empty';
  modes: {
    live: 'ready' | 'stale' | 'empty' | 'damaged';
    sandbox: 'ready' | 'stale' | 'empty' | 'damaged';
  };
  /** End of the newest bar; null without bars. */
  newestBars: {
    live: string | null;
    sandbox: string | null;
  };
  diskFull: boolean;
  /** Only of a replica: how it follows the object storage. */
  replicas?: {
    live: ReplicaState;
    sandbox: ReplicaState;
  };
};

export type ReplicaState = {
  state: 'waiting' | 'empty' | 'downloading' | 'current' | 'failing';
  version: number | null;
  /** Version that is downloaded. */
  target: number | null;
  bytesDone: number;
  bytesTotal: number;
  /** Last time at which no newer version was known. */
  confirmedAt: string | null;
  failure: string | null;
} | null;

export type SavedScreen = {
  id: string;
  name: string;
  /** Query of `/svc/screener`, as it was saved. */
  query: string;
  createdAt: string;
};

export type SavedScreenPage = SavedScreenPageMore | SavedScreenPageLast;

export type SavedScreenPageLast = PageLast<SavedScreen>;

export type SavedScreenPageMore = PageMore<SavedScreen>;

export type ScreenCondition = {
  /** Its text, as in `where`. */
  condition: string;
  /** Null if a value of it is unknown. */
  result: boolean | null;
  /** Values of its two sides, by their text. */
  values: Record<string, number | boolean | string | null>;
};

export type ScreenedDay = {
  /** The ticker of that day. */
  symbol: string;
  /** Day of the bar; every value is as of its close. */
  date: string;
  columns?: Record<string, number | boolean | string | null>;
};

export type ScreenedDaysPage = ScreenedDaysPageMore | ScreenedDaysPageLast;

export type ScreenedDaysPageLast = {
  /** The rows of this page. */
  data: ScreenedDay[];
  /** Rows on all pages together. */
  total: number;
  page_info: LastPageInfo;
  has_more: false;
  cursor: null;
  /** Without a row: which fields or conditions have no value for any symbol. */
  warnings?: string[];
};

export type ScreenedDaysPageMore = PageMore<ScreenedDay>;

export type ScreenedRow = ScreenerRow & {
  /** With `columns`: the values of these expressions, by their text. */
  columns?: Record<string, number | boolean | string | null>;
  /** With `explain=true`: whether the row passes `where`. Null passes nothing. */
  matches?: boolean | null;
  /** With `explain=true`: the conditions that `and` joins in `where`. */
  conditions?: ScreenCondition[];
  /** With `explain=true`: why figures of the company are null, by name. */
  reasons?: Record<string, string>;
};

export type ScreenerError = {
  error: {
    /** For people: what is wrong, and what was expected. */
    message: string;
    /** For programs; see `docs_url`. */
    type: ErrorType;
    /** A page on this server about errors of the type. */
    docs_url: string;
  };
  /** As in the header `X-Request-Id` and in the log of the server. */
  request_id: string;
  /** Place of an error in an expression. */
  expression?: {
    field: 'where' | 'columns' | 'sort' | 'universe' | 'factor' | 'by';
    /** Character of the text, from 1 on. */
    position: number;
    /** What may stand there. */
    expected?: string;
    /** The known name that is nearest to the one found. */
    nearest?: string;
  };
};

export type ScreenerMatchedEvent = {
  /** Identical in every attempt. */
  id: string;
  type: 'screener.matched';
  /** When it happened. */
  timestamp: string;
  data: {
    /** The query of the webhook; its first 2048 characters. */
    screener: string;
    /** The saved screen that the query is from, while it exists. */
    screen?: {
      id: string;
      name: string;
    };
    /** Number of symbols that match now. */
    total: number;
    /** Number of symbols concerned. */
    symbolCount: number;
    /** The first symbols. */
    symbols: string[];
    /** For the first symbols. */
    rows: ScreenerRow[];
  };
};

export type ScreenerPage = ScreenerPageMore | ScreenerPageLast;

export type ScreenerPageLast = {
  /** The rows of this page. */
  data: ScreenedRow[];
  /** Rows on all pages together. */
  total: number;
  page_info: LastPageInfo;
  has_more: false;
  cursor: null;
  /** Without a row: which fields or conditions have no value for any symbol. */
  warnings?: string[];
};

export type ScreenerPageMore = PageMore<ScreenedRow>;

export type ScreenerRow = {
  /** Canonical spelling of the ticker: `BRK.B`. */
  symbol: string;
  companyName: string | null;
  /** Close of the newest bar. */
  price: number;
  /** Change since the previous session, in percent; as in a quote. */
  changePct: number | null;
  /** As in a quote. */
  marketCap: number | null;
  /** Price over the diluted earnings per share of the last twelve months filed. */
  peRatio: number | null;
  /** The last year's dividends as a fraction of the price. */
  dividendYield: number | null;
  sector: string | null;
  industry: string | null;
  /** Volume of the newest session. */
  volume: number;
  /** 14-day RSI. */
  rsi14: number | null;
};

export type StatementEvidence = {
  /** When the filing was accepted. */
  filedAt: string;
  form: string | null;
  accession: string | null;
  currency: string | null;
  fiscalYear: number | null;
  fiscalQuarter: number | null;
  /** By the name of the figure. */
  figures: Record<string, FigureEvidence>;
};

export type Study = {
  data: StudySummaryRow[] | StudyRow[];
  definition: StudyDefinition;
  /** What a reader of the numbers has to know. */
  warnings: string[];
};

export type StudyDefinition = {
  where: string | null;
  factor: string | null;
  mode: 'begins' | 'matches';
  entry: 'next_open' | 'next_close';
  horizons: number[];
  /** First market session of the study. */
  from: string | null;
  to: string | null;
  universe: string | null;
  by: string;
  currentFields: boolean;
  /** Basis of the prices that returns are made from. */
  adjustment: 'split';
  /** Version of the data. */
  version: string;
  /** Market sessions of the study. */
  sessions: number;
  /** Symbols with a bar in these sessions. */
  symbols: number;
  /** Combinations of `$` parameters. */
  tried: number;
};

export type StudyRow = Record<string, string | number | boolean | null>;

export type StudySummaryRow = {
  /** With `rows=groups`: the year, the month or the text. */
  group?: string;
  /** Sessions of the symbol until the exit. */
  horizon: number;
  /** Days on which the condition begins or matches. */
  events: number;
  /** Events with a bar after the signal. */
  entered: number;
  /** Events with a return. */
  returns: number;
  /** Returns of symbols that ended before the horizon. */
  early: number;
  /** Entered events whose exit is still to come. */
  open: number;
  /** Different days of events. */
  days: number;
  /** Different symbols of events. */
  symbols: number;
  mean: number | null;
  median: number | null;
  /** Share of returns above 0. */
  hit: number | null;
  /** Standard deviation, with n − 1. */
  sd: number | null;
  p05: number | null;
  p25: number | null;
  p75: number | null;
  p95: number | null;
  /** Mean over events of the return of the universe of their day. */
  universeMean: number | null;
  universeMedian: number | null;
  /** Mean of the return less that of the universe. */
  excessMean: number | null;
  excessMedian: number | null;
  /** t value of the mean excess, with events of one day and overlapping horizons allowed for. */
  tClustered: number | null;
  /** Returns above 1,000 %. */
  extreme: number;
  /** Returns with a flagged price on a bar from entry to exit. */
  flagged: number;
} & Record<string, number | string | number | null>;

export type SymbolDetails = {
  /** Canonical spelling of the ticker: `BRK.B`. */
  symbol: string;
  companyName: string | null;
  exchange: 'NYSE' | 'NASDAQ' | 'AMEX' | null;
  /** `stock`, `etf`, `preferred` and so on. */
  type: string | null;
  /** ISO 3166 alpha-2. */
  country: string | null;
  sector: string | null;
  industry: string | null;
  /** The SEC's number of the registrant. */
  cik: number | null;
  /** Last trading day; null while it is listed. */
  delistedOn: string | null;
  /** Why it was delisted, if that is known. */
  delistedReason: string | null;
  /** The security that took it over, as stated with the delisting. */
  successor: string | null;
  /** The security that it was spun off from, as stated. */
  parent: string | null;
  formerTickers: {
    ticker: string;
    /** Last day under this ticker. */
    lastDate: string;
  }[];
  /** Intervals that have bars, the shortest first; empty without any. */
  intervals: SymbolInterval[];
  /** Datasets that have rows of the symbol. */
  datasets: (
    | 'statements'
    | 'balance-sheet'
    | 'cash-flow'
    | 'filings'
    | 'insider'
    | 'news'
    | 'analyst-consensus'
    | 'analyst-targets'
    | 'upgrades-downgrades'
    | 'expirations'
  )[];
};

export type SymbolInterval = {
  interval: '1m' | '5m' | '15m' | '1h' | '4h' | '1d' | '1w' | '1M';
  firstBar: string;
  lastBar: string;
  source: string;
  /** Price bases that requests can choose. */
  adjustments: ('raw' | 'split' | 'all')[];
  defaultAdjustment: 'raw' | 'split' | 'all';
};

export type SymbolPage = SymbolPageMore | SymbolPageLast;

export type SymbolPageLast = PageLast<SymbolRow>;

export type SymbolPageMore = PageMore<SymbolRow>;

export type SymbolRow = {
  /** Canonical spelling of the ticker: `BRK.B`. */
  symbol: string;
  companyName: string | null;
  exchange: 'NYSE' | 'NASDAQ' | 'AMEX' | null;
  /** `stock`, `etf`, `preferred` and so on. */
  type: string | null;
  /** Day of the first bar; null without any. */
  firstBar: string | null;
  /** Day of the newest bar. */
  lastBar: string | null;
  /** Source of the bars, or else of the listing. */
  source: string | null;
};

export type Technical = {
  /** Canonical spelling of the ticker: `BRK.B`. */
  symbol: string;
  interval: '1m' | '5m' | '15m' | '1h' | '4h' | '1d' | '1w' | '1M';
  /** Keyed by the requested text; points before the first value are left out. */
  indicators: Record<string, IndicatorPoint[] | MacdPoint[] | BollingerPoint[] | OutputsPoint[]>;
  /** In ascending order. */
  candles: Candle[];
};

export type Universe = {
  /** Name in requests and in `in universe(…)`. */
  name: string;
  title: string;
  /** Members on the day of the newest bar. */
  members: number;
  /** First day with a member; null without any. */
  from: string | null;
  /** Last day with a member; null if there are members now. */
  to: string | null;
};

export type Universes = {
  /** Ascending by name. */
  data: Universe[];
};

export type Unready = {
  error: {
    /** For people: what is wrong, and what was expected. */
    message: string;
    /** For programs; see `docs_url`. */
    type: ErrorType;
    /** A page on this server about errors of the type. */
    docs_url: string;
  };
  /** As in the header `X-Request-Id` and in the log of the server. */
  request_id: string;
  status: 'empty';
  modes: {
    live: 'ready' | 'stale' | 'empty' | 'damaged';
    sandbox: 'ready' | 'stale' | 'empty' | 'damaged';
  };
  /** End of the newest bar; null without bars. */
  newestBars: {
    live: string | null;
    sandbox: string | null;
  };
  diskFull: boolean;
  /** Only of a replica: how it follows the object storage. */
  replicas?: {
    live: ReplicaState;
    sandbox: ReplicaState;
  };
};

export type Usage = {
  data: UsageRow[];
};

export type UsageRow = {
  /** In UTC. */
  day: string;
  /** A path of this description, or `(none)`. */
  endpoint: string;
  method: string;
  callCount: number;
  errorCount: number;
  tokensUsed: number;
};

export type Webhook = {
  id: string;
  url: string;
  events: Event[];
  /** Canonical; null: all. */
  symbols: string[] | null;
  description: string | null;
  /** Present for webhooks that subscribe to `screener.matched`. */
  screener?: string;
  /** Present if `screener` is the query of a saved screen that still exists. */
  screen?: string;
  /** Present if the screener was not evaluated at the last publish: the reason. The next publish tries again. */
  screenerError?: string;
  /** Whether it receives events. */
  active: boolean;
  createdAt: string;
  /** Present if the webhook is not active. */
  disabledAt?: string;
  /** Present if the webhook is not active. */
  disabledReason?: string;
};

export type WebhookPage = WebhookPageMore | WebhookPageLast;

export type WebhookPageLast = PageLast<Webhook>;

export type WebhookPageMore = PageMore<Webhook>;

export type WebhookTestEvent = {
  /** Identical in every attempt. */
  id: string;
  type: 'webhook.test';
  /** When it happened. */
  timestamp: string;
  data: {
    webhookId: string;
    message: string;
  };
};

/** Parameters that several operations have. */
export interface SharedParameters {
  /** Overrides the header `Accept`; default: JSON. */
  format?: 'json' | 'csv' | 'arrow' | 'parquet';
  /** A ticker in any vendor's spelling (`BRK.B`, `brk-b`); the response has the canonical one. A former ticker stands for the security that had it last. */
  symbol: string;
  /** The `cursor` of the previous page. Valid for 24 hours and with the same parameters; only `limit` and `format` may change. */
  cursor?: string;
  /** Rows per page. */
  limit?: number;
  /** Makes a repeat safe: within 24 hours the same request with the same API key creates nothing new and gets the same response. Errors are not stored. */
  'Idempotency-Key'?: string;
  /** The `id` of an account. */
  accountId: string;
  /** What was served then, before later corrections, adjustments and renames: a date-time, or a date for the end of that day in New York. */
  as_of?: string;
  /** The `id` of a webhook. */
  id: string;
  /** `semiannual`: half years, of companies that file no quarters. `ttm`: the four quarters, or two halves, up to each one's end; for a balance sheet, the latest. */
  period?: 'annual' | 'quarterly' | 'semiannual' | 'ttm';
  /** `true` adds each figure's lines, filing and verdict, or why it is null, in JSON. */
  explain?: 'true' | 'false';
  /** Latest `timestamp`, inclusive; a date means that whole day in UTC. */
  to?: string;
  /** `regular`: bars of the regular session. `extended`: from 04:00 to 20:00 in New York. `all`: overnight too. With the last two each bar has its `session` (`overnight`, `pre`, `regular`, `post`) and `tradeDate`. Days, weeks and months are of the regular session. */
  session?: 'regular' | 'extended' | 'all';
  /** First day in UTC; default: 30 days up to `to`. */
  from?: string;
  /** A path of this description; `(none)` stands for all others. */
  endpoint?:
    | '/svc/accounts'
    | '/svc/accounts/usage/daily'
    | '/svc/accounts/{accountId}'
    | '/svc/accounts/{accountId}/keys'
    | '/svc/accounts/{accountId}/keys/{keyId}'
    | '/svc/analyst-consensus/{symbol}'
    | '/svc/analyst-targets/{symbol}'
    | '/svc/backfills'
    | '/svc/backfills/files'
    | '/svc/backfills/{id}'
    | '/svc/candles'
    | '/svc/candles/{symbol}/origin'
    | '/svc/corporate-actions/{symbol}'
    | '/svc/developer/keys'
    | '/svc/developer/keys/{keyId}'
    | '/svc/developer/usage/daily'
    | '/svc/earnings/calendar'
    | '/svc/factors/{symbol}'
    | '/svc/files'
    | '/svc/files/{version}/{name}'
    | '/svc/filings/{symbol}'
    | '/svc/fundamentals/{symbol}/balance-sheet'
    | '/svc/fundamentals/{symbol}/cash-flow'
    | '/svc/fundamentals/{symbol}/ratios'
    | '/svc/fundamentals/{symbol}/statements'
    | '/svc/indicators'
    | '/svc/insider/{symbol}'
    | '/svc/insider/{symbol}/summary'
    | '/svc/news'
    | '/svc/news/{symbol}'
    | '/svc/options/{symbol}/expirations'
    | '/svc/quotes/batch'
    | '/svc/quotes/{symbol}'
    | '/svc/screener'
    | '/svc/screens'
    | '/svc/screens/{id}'
    | '/svc/screens/{id}/rows'
    | '/svc/stream'
    | '/svc/study'
    | '/svc/symbols'
    | '/svc/symbols/{symbol}'
    | '/svc/technical'
    | '/svc/technical/{symbol}'
    | '/svc/universes'
    | '/svc/universes/{name}'
    | '/svc/upgrades-downgrades/{symbol}'
    | '/svc/webhooks'
    | '/svc/webhooks/{id}'
    | '/svc/webhooks/{id}/deliveries'
    | '/svc/webhooks/{id}/rotate-secret'
    | '/svc/webhooks/{id}/test'
    | '(none)';
  /** One key; an unknown one has no rows. */
  key_id?: string;
  /** The `id` of a key. */
  keyId: string;
  /** `*` for every symbol with bars; `@sp500` for every security that was a member of this [universe](#listUniverses) on any day from `from` to `to`; or at most 2000 symbols. An unknown symbol gets 404, because these formats have no place to list it. */
  symbols: string | readonly string[];
  /** Prices of all symbols as traded (`raw`), adjusted for splits, or for splits and dividends (`all`). Default, for each symbol: `split` if it can be derived, else as stored. 400 if the stored bars of a symbol do not allow it. */
  adjustment?: 'raw' | 'split' | 'all';
  /** One or more. */
  sentiment?:
    | 'positive'
    | 'neutral'
    | 'negative'
    | readonly ('positive' | 'neutral' | 'negative')[];
  /** One or more, as in `source`; case does not matter. */
  source?: string | readonly string[];
  /** One or more; case does not matter. Arca counts as AMEX. */
  exchange?: 'NYSE' | 'NASDAQ' | 'AMEX' | readonly ('NYSE' | 'NASDAQ' | 'AMEX')[];
  /** Significant digits of `columns` and of the values of `explain`, rounded to the nearest. Prices, volumes and amounts keep all of theirs, and so do the fields of a row. JSON and CSV only. Default: all digits. */
  digits?: number;
}

/** Request and response of each operation. */
export interface Operations {
  /**
   * Check liveness
   *
   * Succeeds while the process runs; checks no data.
   */
  getHealth: {
    request: Record<never, never>;
    response: Health;
  };
  /**
   * Get the API description
   *
   * OpenAPI 3.1, made from the schemas that requests are checked against.
   */
  getDescription: {
    request: Record<never, never>;
    response: ApiDescription;
  };
  /**
   * Check readiness
   *
   * Each mode is `ready`, `stale` (the newest bar is older than the session before the latest completed one; the data is still served), `empty` or `damaged` (some or all data is damaged; the intact part is still served). The status is 503 while no mode has readable data, and while a replica downloads the first version of a mode.
   */
  getReadiness: {
    request: Record<never, never>;
    response: Readiness;
  };
  /**
   * List accounts
   *
   * Newest first. An account covers both modes.
   */
  listAccounts: {
    request: Pick<SharedParameters, 'limit' | 'cursor'>;
    response: AccountPage;
  };
  /**
   * Create an account
   *
   * Limits that the plan does not set are null.
   */
  createAccount: {
    request: Pick<SharedParameters, 'Idempotency-Key'> & {
      body: NewAccount;
    };
    response: Account;
  };
  /**
   * List daily usage of all accounts
   *
   * As `/svc/developer/usage/daily`, in the mode of the caller's key, with rows per key.
   */
  getAccountUsage: {
    request: Pick<SharedParameters, 'from' | 'endpoint' | 'key_id' | 'format'> & {
      /** Last day in UTC; default: today. */
      to?: string;
      /** One account; an unknown one has no rows. */
      account?: string;
    };
    response: AccountUsage;
  };
  /**
   * Get an account
   *
   * Returns its plan and whether it is suspended.
   */
  getAccount: {
    request: Pick<SharedParameters, 'accountId'>;
    response: Account;
  };
  /**
   * Change an account
   *
   * Fields that the body does not name keep their values; null removes a limit of the plan. You cannot suspend your own account.
   */
  changeAccount: {
    request: Pick<SharedParameters, 'accountId'> & {
      body: AccountChange;
    };
    response: Account;
  };
  /**
   * List keys of an account
   *
   * Returns its keys in the mode of the caller's key, newest first, including revoked ones.
   */
  listAccountKeys: {
    request: Pick<SharedParameters, 'accountId' | 'limit' | 'cursor'>;
    response: KeyPage;
  };
  /**
   * Create a key for an account
   *
   * The new key has the mode of the caller's key. It can only have scopes that the caller's key has and that the account's plan includes. `rawKey` is shown only in this response.
   */
  createAccountKey: {
    request: Pick<SharedParameters, 'accountId' | 'Idempotency-Key'> & {
      body: NewKey;
    };
    response: CreatedKey;
  };
  /**
   * Revoke a key of an account
   *
   * The key stops working within a second. Revoking it again is 204 too. A key of another account or mode is 404.
   */
  revokeAccountKey: {
    request: Pick<SharedParameters, 'accountId' | 'keyId'>;
    response: undefined;
  };
  /**
   * Get the analyst consensus
   *
   * `buy` and `sell` include strong ratings. If the source gives only counts, `consensus` follows from their mean (buy 1, hold 0, sell −1): `Strong Buy` from 0.6, `Buy` from 0.2, `Hold` above −0.2, `Sell` above −0.6, else `Strong Sell`. A known symbol without analyst data is 404.
   */
  getAnalystConsensus: {
    request: Pick<SharedParameters, 'symbol'>;
    response: AnalystConsensus;
  };
  /**
   * List price targets
   *
   * Newest first. A known symbol without any has an empty list.
   */
  listAnalystTargets: {
    request: Pick<SharedParameters, 'symbol' | 'format'> & {
      /** Maximum number of targets. */
      limit?: number;
    };
    response: PriceTargets;
  };
  /**
   * List backfills
   *
   * Returns the backfills of your account in the last 30 days, newest first.
   */
  listBackfills: {
    request: Pick<SharedParameters, 'limit' | 'cursor'>;
    response: BackfillPage;
  };
  /**
   * Create a backfill
   *
   * Loads what is missing of the symbols into live mode, as the command `backfill` does, and publishes it. The response comes at once; `GET /svc/backfills/{id}` shows the progress. A request names at most 100 symbols, and an account can have 20 unfinished backfills. The server needs the key of the source in its settings.
   */
  createBackfill: {
    request: Pick<SharedParameters, 'Idempotency-Key'> & {
      body: NewBackfill;
    };
    response: AcceptedBackfill;
  };
  /**
   * Create a backfill of a file
   *
   * Loads the file in the body into live mode, as the command `backfill files` does: CSV, JSON, JSON lines, Parquet, gzip or zip, of at most 64 MiB. Rows that break a rule go to the quarantine, and the rest is published. The server removes the file when the backfill has ended, and a day after one that has failed.
   */
  uploadBackfillFile: {
    request: {
      /** Name of the file. A file of bars without a column of symbols has their symbol. */
      name: string;
      /** Dataset in the file. */
      dataset?:
        | 'candles'
        | 'statements'
        | 'balance-sheet'
        | 'cash-flow'
        | 'filings'
        | 'shares'
        | 'insider'
        | 'news'
        | 'analyst-consensus'
        | 'analyst-targets'
        | 'upgrades-downgrades'
        | 'expirations'
        | 'earnings-calendar'
        | 'members'
        | 'values'
        | 'corporate-actions'
        | 'symbols';
      /** Symbol of the file, instead of its name. */
      symbol?: string;
      /** Interval of the bars, if their times do not show it. */
      interval?: '1d' | '1m' | '5m';
      /** Time zone of times without one: `America/New_York`. */
      zone?: string;
      /** Times mark the start or the end of a bar. Default: start. */
      stamps?: 'start' | 'end';
      /** Session of a daily bar: its date as written, the next day or the day before. */
      dates?: 'written' | 'next' | 'previous';
      /** Price adjustment of the file, if its columns do not show it. */
      basis?: 'raw' | 'split' | 'all';
      /** Order of ambiguous dates. */
      date_format?: 'mdy' | 'dmy' | 'ymd';
      /** Decimal mark of numbers like `12,345`, if no other number of the file shows it. */
      decimal?: 'point' | 'comma';
      /** Corporate actions of one type: there are none of the other. Default: false. */
      complete?: 'true' | 'false';
      /** Corporate actions are complete for these symbols, too; `*`: all without any. */
      complete_for?: string | readonly string[];
      /** Values: name of the column, which screens then have. */
      column?: string;
      /** Load the data even if a sanity check would hold it. Default: false. */
      accept?: 'true' | 'false';
      body: Blob | Uint8Array<ArrayBuffer>;
    };
    response: AcceptedBackfill;
  };
  /**
   * Get a backfill
   *
   * Shows its state and progress and, once it has ended, its result.
   */
  getBackfill: {
    request: {
      /** The `id` of a backfill. */
      id: string;
    };
    response: Backfill;
  };
  /**
   * Cancel a backfill
   *
   * Cancels a backfill that waits or runs. One that runs begins no further part: it loads what it has fetched, and `GET /svc/backfills/{id}` shows it as `cancelled` once it has ended, with its result.
   */
  cancelBackfill: {
    request: {
      /** The `id` of a backfill. */
      id: string;
    };
    response: undefined;
  };
  /**
   * Download candles of many symbols
   *
   * Streams one response from a single version of the data. The columns are `symbol`, `timestamp`, `date` (only for days, weeks and months), `open`, `high`, `low`, `close`, `volume` and `adjustment`, the price basis of the row. Rows are sorted by symbol in the order requested, then by time.
   *
   * In Arrow, `symbol` and `adjustment` are dictionaries. A stream without its end-of-stream mark is incomplete. JSON is not available.
   */
  getCandles: {
    request: Pick<SharedParameters, 'symbols' | 'to' | 'adjustment' | 'session' | 'as_of'> & {
      /** Length of a bar. */
      interval?: '1m' | '5m' | '15m' | '1h' | '4h' | '1d' | '1w' | '1M';
      /** Earliest `timestamp`: a date or a date-time. */
      from?: string;
      /** Only the newest bars of each symbol in the window, at most this many. */
      limit?: number;
      /** Overrides the header `Accept`; default: Arrow. */
      format?: 'arrow' | 'csv' | 'parquet';
    };
    response: Uint8Array;
  };
  /**
   * Get the origin of a candle
   *
   * Returns the source of one bar, its prices on each basis, and the splits and dividends since then. For a daily bar, `tapeworks explain` on the server adds the file and the bars that were not served.
   */
  getCandleOrigin: {
    request: Pick<SharedParameters, 'symbol'> & {
      /** The bar's `timestamp`: a date for days, weeks and months. */
      at: string;
      /** Length of the bar. */
      interval?: '1m' | '5m' | '15m' | '1h' | '4h' | '1d' | '1w' | '1M';
    };
    response: CandleOrigin;
  };
  /**
   * List splits and dividends
   *
   * Newest first. A split has a ratio, a dividend an amount per share as declared; fields that do not apply are null. A known symbol without any has an empty list, with `coverage` where it is known that there is none.
   */
  listCorporateActions: {
    request: Pick<SharedParameters, 'symbol' | 'format'>;
    response: CorporateActions;
  };
  /**
   * List your keys
   *
   * Returns the keys of your account in the mode of your key, newest first, including revoked ones. The keys themselves are not stored.
   */
  listKeys: {
    request: Pick<SharedParameters, 'limit' | 'cursor'>;
    response: KeyPage;
  };
  /**
   * Create a key
   *
   * The new key belongs to your account and mode. It can only have scopes that your own key has (else 403), and it inherits your key's rate limit. `rawKey` is shown only in this response. An account can have 1000 active keys in each mode.
   */
  createKey: {
    request: Pick<SharedParameters, 'Idempotency-Key'> & {
      body: NewKey;
    };
    response: CreatedKey;
  };
  /**
   * Revoke a key
   *
   * The key stops working within a second. Revoking it again is 204 too. A key of another account or mode is 404.
   */
  revokeKey: {
    request: Pick<SharedParameters, 'keyId'>;
    response: undefined;
  };
  /**
   * List daily usage
   *
   * In ascending order, in the mode of the caller's key. Every request with a valid key counts once, including refused ones, and shows within a second. Errors are statuses from 400 up. A query for more than 50,000 rows gets 400.
   */
  getUsage: {
    request: Pick<SharedParameters, 'from' | 'endpoint' | 'key_id' | 'format'> & {
      /** Last day in UTC; default: today. */
      to?: string;
    };
    response: Usage;
  };
  /**
   * List earnings dates
   *
   * Sorted by day, then symbol. `fiscalQuarter` is the company's own fiscal quarter. Unknown symbols have no rows.
   */
  listEarnings: {
    request: Pick<SharedParameters, 'limit' | 'cursor' | 'format'> & {
      /** First day; default: today in New York. */
      from?: string;
      /** Last day, at most 92 days after `from`; default: 14 days after `from`. */
      to?: string;
      /** At most 100. */
      symbols?: string | readonly string[];
    };
    response: EarningsPage;
  };
  /**
   * List adjustment factors
   *
   * Oldest first, a row for each day from which other factors apply. A price as traded times `splitFactor` is adjusted for splits, and times `factor` for splits and dividends; a volume as traded is divided by `splitFactor`. These are the factors of the parameter `adjustment`. Factors that are not known are null, and `reason` says why.
   */
  listFactors: {
    request: Pick<SharedParameters, 'symbol' | 'format'>;
    response: Factors;
  };
  /**
   * List files
   *
   * Whole datasets as Parquet files that DuckDB, polars, pandas, pyarrow and ClickHouse read where they are. Made in the background after a publish: daily bars by year, bars below a day by month, all as stored, with the factors that adjust them in `adjustments`.
   *
   * Each `url` is signed: it needs no header, and reads as the key of this request until the end of the next day in UTC. Treat it as you treat the key.
   */
  listFiles: {
    request: Pick<SharedParameters, 'format'>;
    response: Files;
  };
  /**
   * Download a file
   *
   * The bytes of a file, which never change, or one range of them. A signed `url` of the list needs no key; a bare version in its place needs one. Each request counts once, and costs a token for each started 8 MiB. A key may send 20 times as many of these requests as of all others, which they do not count with. `statements`, `balance-sheet`, `cash-flow`, `filings`, `insider`, `news` and `upgrades-downgrades` need their scope too.
   */
  getFile: {
    request: {
      /** A version that the list of files names, or its signed form in a `url`. */
      version: string;
      /** As in the `url` of the list. */
      name: string;
      /** One range of bytes, as `bytes=0-99`, `bytes=100-` or `bytes=-8`: 206 with them. */
      Range?: string;
    };
    response: Uint8Array;
  };
  /**
   * List filings
   *
   * Reports from which statements were read, newest first. A known symbol without any has an empty list.
   */
  listFilings: {
    request: Pick<SharedParameters, 'symbol' | 'limit' | 'cursor' | 'format'> & {
      /** Earliest `filedAt`: a date or a date-time. */
      from?: string;
      /** Latest `filedAt`, inclusive. */
      to?: string;
      /** Only this form: `10-K`, `10-Q/A`. */
      form?: string;
    };
    response: FilingsPage;
  };
  /**
   * List balance sheets
   *
   * Newest period first. Figures that a company does not report are null. A known symbol without any has an empty list.
   */
  listBalanceSheets: {
    request: Pick<SharedParameters, 'symbol' | 'period' | 'explain' | 'format'> & {
      /** Maximum number of periods. */
      limit?: number;
      /** Only filings known by the end of that day in New York, without later restatements. */
      as_of?: string;
    };
    response: BalanceSheets;
  };
  /**
   * List cash flow statements
   *
   * Newest period first. Figures that a company does not report are null. A known symbol without any has an empty list.
   */
  listCashFlowStatements: {
    request: Pick<SharedParameters, 'symbol' | 'period' | 'explain' | 'format'> & {
      /** Maximum number of periods. */
      limit?: number;
      /** Only filings known by the end of that day in New York, without later restatements. */
      as_of?: string;
    };
    response: CashFlowStatements;
  };
  /**
   * List ratios
   *
   * Newest period first. Flows are of twelve months, amounts of the balance sheet at their end, as they were known before the next report. The price is the last close up to the end of the period; in the newest row of `ttm` it is the newest one, or that of `as_of`. A ratio is null if an input is unknown or a divisor is not above zero.
   */
  listRatios: {
    request: Pick<SharedParameters, 'symbol' | 'period' | 'explain' | 'format'> & {
      /** Maximum number of periods. */
      limit?: number;
      /** Only filings known by the end of that day in New York, without later restatements. */
      as_of?: string;
    };
    response: Ratios;
  };
  /**
   * List income statements
   *
   * Newest period first. Per-share figures are as filed; figures that a company does not report are null. A known symbol without any has an empty list.
   */
  listStatements: {
    request: Pick<SharedParameters, 'symbol' | 'period' | 'explain' | 'format'> & {
      /** Maximum number of periods. */
      limit?: number;
      /** Only filings known by the end of that day in New York, without later restatements. */
      as_of?: string;
    };
    response: IncomeStatements;
  };
  /**
   * List indicators
   *
   * Returns every indicator with its parameters and outputs. A request names one with optional values, in the order of `params`: `bollinger:20:2`.
   */
  listIndicators: {
    request: Record<never, never>;
    response: Indicators;
  };
  /**
   * List insider transactions
   *
   * Newest filing first. An amendment replaces the transaction it amends. A known symbol without any has an empty list.
   */
  listInsiderTransactions: {
    request: Pick<SharedParameters, 'symbol' | 'limit' | 'cursor' | 'format'> & {
      /** Earliest `filedAt`: a date or a date-time. */
      from?: string;
      /** Latest `filedAt`, inclusive; a date means that whole day in UTC. */
      to?: string;
      /** One or more. In codes of the SEC: `buy` is P, `sell` S, `award` A, `exercise` M, X and O, `conversion` C, `tax` F, `gift` G, `return` D. */
      transaction_type?: TransactionType | readonly TransactionType[];
    };
    response: InsiderPage;
  };
  /**
   * Get the insider summary
   *
   * Open-market purchases minus sales, by filing date, over the 30 and 90 days up to the latest trading day. A known symbol without any has zeros and null.
   */
  getInsiderSummary: {
    request: Pick<SharedParameters, 'symbol'>;
    response: InsiderSummary;
  };
  /**
   * List news
   *
   * Newest first.
   */
  listNews: {
    request: Pick<SharedParameters, 'sentiment' | 'source' | 'limit' | 'cursor' | 'format'> & {
      /** Articles about any of these symbols, besides the one in the path; at most 100. */
      symbols?: string | readonly string[];
      /** Earliest `publishedAt`: a date or a date-time. */
      from?: string;
      /** Latest `publishedAt`, inclusive; a date means that whole day in UTC. */
      to?: string;
    };
    response: NewsPage;
  };
  /**
   * List news of a symbol
   *
   * Newest first. Give the id of an article (`news_` and 26 lower-case letters and digits) instead of a symbol to get that article as JSON; it takes no parameters.
   */
  listNewsOfSymbol: {
    request: Pick<SharedParameters, 'sentiment' | 'source' | 'limit' | 'cursor' | 'format'> & {
      /** A ticker in any vendor's spelling, or the id of an article. */
      symbol: string;
      /** Articles about any of these symbols, besides the one in the path; at most 100. */
      symbols?: string | readonly string[];
      /** Earliest `publishedAt`: a date or a date-time. */
      from?: string;
      /** Latest `publishedAt`, inclusive; a date means that whole day in UTC. */
      to?: string;
    };
    response: NewsPage | Article;
  };
  /**
   * List option expirations
   *
   * In ascending order, from today (New York) on. A known symbol without any has an empty list.
   */
  listOptionExpirations: {
    request: Pick<SharedParameters, 'symbol' | 'format'>;
    response: Expirations;
  };
  /**
   * Get quotes of many symbols
   *
   * Returns the quote of each symbol, as `/svc/quotes/{symbol}` does, in the order requested. `notFound` lists unknown symbols and those without bars.
   */
  getQuotes: {
    request: Pick<SharedParameters, 'as_of' | 'format'> & {
      /** At most 100; a repeated symbol is returned once. */
      symbols: string | readonly string[];
    };
    response: QuoteBatch;
  };
  /**
   * Get a quote
   *
   * Returns the latest regular session so far, compared with the one before. A listed symbol without bars gets 404.
   */
  getQuote: {
    request: Pick<SharedParameters, 'symbol' | 'as_of' | 'format'> & {
      /** `true` adds `reasons`: why the market cap is null, in JSON and without `as_of`. */
      explain?: 'true' | 'false';
    };
    response: ExplainedQuote;
  };
  /**
   * Screen symbols
   *
   * Returns the symbols that have a quote and pass all filters and `where`, sorted and paged. A minimum must not be above its maximum. All pages come from the data version of the first page for at least 15 minutes; later pages continue after the last row in the newest version.
   *
   * A screen with `where`, `columns`, `explain`, `as_of` or an expression to sort by costs 10 tokens. In CSV and Arrow, `columns` are columns named by their text. An error in an expression has its place in `expression`, next to `error`.
   */
  getScreener: {
    request: Pick<SharedParameters, 'exchange' | 'cursor' | 'digits' | 'format'> & {
      /** Smallest `marketCap`. Null passes no filter. */
      market_cap_min?: number;
      /** Largest `marketCap`. */
      market_cap_max?: number;
      /** Smallest `peRatio`. */
      pe_ratio_min?: number;
      /** Largest `peRatio`. */
      pe_ratio_max?: number;
      /** Smallest `dividendYield`, a fraction: 0.02 is two percent. */
      dividend_yield_min?: number;
      /** Smallest `volume`. */
      volume_min?: number;
      /** Smallest `price`. */
      price_min?: number;
      /** Largest `price`. */
      price_max?: number;
      /** Smallest `changePct`, in percent. */
      change_pct_min?: number;
      /** Largest `changePct`, in percent. */
      change_pct_max?: number;
      /** Smallest `rsi14`. */
      rsi14_min?: number;
      /** Largest `rsi14`. */
      rsi14_max?: number;
      /** One or more; case does not matter. */
      sector?: string | readonly string[];
      /** One or more; case does not matter. */
      industry?: string | readonly string[];
      /** One or more two-letter country codes (ISO 3166). */
      country?: string | readonly string[];
      /** The newest bar is on this day or later. */
      active_since?: string;
      /** Only these symbols, at most 2000. Unknown ones have no row. */
      symbols?: string | readonly string[];
      /** A condition over bars, indicators and fields of the company, for example `rsi(14) < 30 and close > sma(200)`. Rows must pass it and all filters. */
      where?: string;
      /** Further values of each row, for example `sma(50), volume / avg(volume, 20)`. */
      columns?: string | readonly string[];
      /** `true`: rows need not pass `where`. Each row says whether it does, and gives the result and the values of each condition. JSON only. */
      explain?: 'true' | 'false';
      /** Runs the screen as of the close of that day: with its bars, prices and securities, and with the filings known by then. */
      as_of?: string;
      /** Rows over days: one for each symbol and day, from this one on, on which `where` is true as of that day. With `from` or `to`, rows have `symbol`, `date` and `columns`, by day and symbol. */
      from?: string;
      /** Last day of rows over days. */
      to?: string;
      /** `true`: over days, only those on which `where` begins to be true. */
      begins?: 'true' | 'false';
      /** `true`: over days, fields that are known as of today alone may be used. */
      current_fields?: 'true' | 'false';
      /** One of market_cap, pe_ratio, dividend_yield, volume, change_pct, or an expression with a number. */
      sort?: string;
      /** Nulls come last in both orders; ties are sorted by symbol. */
      order?: 'asc' | 'desc';
      /** Rows per page. Over days it bounds JSON alone; other formats have a million rows. */
      limit?: number;
    };
    response: ScreenerPage | ScreenedDaysPage;
  };
  /**
   * List saved screens
   *
   * Returns the saved screens of your account in the mode of the key, newest first.
   */
  listScreens: {
    request: Pick<SharedParameters, 'limit' | 'cursor'>;
    response: SavedScreenPage;
  };
  /**
   * Create a saved screen
   *
   * Saves a query of `/svc/screener` under a name. The query is checked as there. A saved screen never changes: to change it, save another and delete this one. An account can have 200 saved screens in each mode.
   */
  createScreen: {
    request: Pick<SharedParameters, 'Idempotency-Key'> & {
      body: NewScreen;
    };
    response: SavedScreen;
  };
  /**
   * Get a saved screen
   *
   * Returns its name and its query.
   */
  getScreen: {
    request: {
      /** The `id` of a saved screen. */
      id: string;
    };
    response: SavedScreen;
  };
  /**
   * Delete a saved screen
   *
   * Webhooks that were created with the screen keep its query: delete them too.
   */
  deleteScreen: {
    request: {
      /** The `id` of a saved screen. */
      id: string;
    };
    response: undefined;
  };
  /**
   * Get rows of a saved screen
   *
   * Responds as `/svc/screener` does to the query of the screen, and costs as much. `symbols` is for screens without symbols of their own.
   */
  getScreenRows: {
    request: Pick<SharedParameters, 'cursor' | 'digits' | 'format'> & {
      /** The `id` of a saved screen. */
      id: string;
      /** Rows per page. Over days it bounds JSON alone; other formats have a million rows. */
      limit?: number;
      /** Runs the screen as of the close of that day: with its bars, prices and securities, and with the filings known by then. */
      as_of?: string;
      /** `true`: rows need not pass `where`. Each row says whether it does, and gives the result and the values of each condition. JSON only. */
      explain?: 'true' | 'false';
      /** Only these symbols, at most 2000. Unknown ones have no row. */
      symbols?: string | readonly string[];
    };
    response: ScreenerPage;
  };
  /**
   * Get events on an open connection
   *
   * Sends events as server-sent events while the connection is open, a second after the publish, with the ids and bodies that webhooks get. `data.ready` says which datasets a publish has changed.
   *
   * A client that reconnects with `Last-Event-ID` within 14 minutes misses nothing. If its id is older, or the parameters differ, the stream starts with `stream.reset`: request the data again. Browsers use `fetch`, since `EventSource` sends no key. A key may have 16 open streams. A stream costs one request, however long it lasts.
   */
  streamEvents: {
    request: {
      /** Types of events. Each needs the scope of its data; the table of events lists the scopes. */
      events:
        | 'quote.updated'
        | 'candles.updated'
        | 'news.published'
        | 'insider.transaction_created'
        | 'fundamentals.statement_created'
        | 'earnings.updated'
        | 'analyst.rating_changed'
        | 'screener.matched'
        | 'data.ready'
        | 'ingest.failed'
        | readonly (
            | 'quote.updated'
            | 'candles.updated'
            | 'news.published'
            | 'insider.transaction_created'
            | 'fundamentals.statement_created'
            | 'earnings.updated'
            | 'analyst.rating_changed'
            | 'screener.matched'
            | 'data.ready'
            | 'ingest.failed'
          )[];
      /** Only events about these symbols, at most 100; default: all. */
      symbols?: string | readonly string[];
      /** Saved screens whose new matches `screener.matched` reports; required with it. */
      screens?: string | readonly string[];
      /** The last `id` of an earlier connection with the same parameters. The stream continues after it, or starts with `stream.reset` if it is too old. */
      'Last-Event-ID'?: string;
    };
    response: string;
  };
  /**
   * Get what followed a condition
   *
   * Finds the days on which a condition of a screen was true, over all days and symbols, and the returns after them. Each day is judged by what was known then: its prices, filings and splits. Each horizon stands alone; nothing is a portfolio.
   *
   * A parameter such as `$n=2..20:2` runs the study for each value of `$n` in its texts. `definition` says what was computed, and `warnings` what to know before the numbers are used.
   */
  getStudy: {
    request: Pick<SharedParameters, 'format'> & {
      /** The condition, in the language of screens: `rsi(14) < 30 and close > sma(200)`. Each day is judged as a screen as of that day. `$n` in it stands for values that a parameter `$n` gives. */
      where?: string;
      /** Id of a saved screen without filters, whose condition stands in place of `where`. */
      screen?: string;
      /** A number in place of `where`: at the end of each month symbols are divided into tenths by it. */
      factor?: string;
      /** `begins`: only days on which the condition becomes true. `matches`: all on which it is. */
      mode?: 'begins' | 'matches';
      /** The price of the entry, one bar after the signal. The signal's own close is not offered. */
      entry?: 'next_open' | 'next_close';
      /** Sessions of the symbol until the exit; the entry session is the first. */
      horizons?: number | readonly number[];
      /** First day of signals. */
      from?: string;
      /** Last day of signals. */
      to?: string;
      /** Only symbols that meet this condition, as of each day: `avg(close * volume, 20) > 1e6`. */
      universe?: string;
      /** Groups of `rows=groups`: `year`, `month`, `none`, or a field known on the day, such as `exchange`. A number such as `market_cap` has five: its fifths among all symbols of the day. */
      by?: string;
      /** `true`: fields that are known as of today alone may be used, with a warning. */
      current_fields?: 'true' | 'false';
      /** A row for each horizon (default), for each group and horizon, for each day, or for each event. Of a factor a row for each horizon and tenth; `deciles`: for each month, too. */
      rows?: 'summary' | 'groups' | 'days' | 'events' | 'deciles';
    };
    response: Study;
  };
  /**
   * List symbols
   *
   * Returns every symbol that any source names, with or without bars, in ascending order. `firstBar` and `lastBar` are days of daily bars, or of intraday bars if there are no daily ones; null without bars. A walk keeps the symbols and the total of the version of its first page, as a walk of the screener does.
   */
  listSymbols: {
    request: Pick<SharedParameters, 'exchange' | 'limit' | 'cursor' | 'format'> & {
      /** The start of a ticker, a complete former ticker, or the start of words in the company's name. Case does not matter. */
      search?: string;
      /** One or more: `stock`, `etf`, `preferred` and so on. Case does not matter. */
      type?: string | readonly string[];
      /** `true`: not delisted, and its newest bar is at most 7 days older than the newest bar of all symbols; `false`: all others. */
      active?: 'true' | 'false';
      /** Only securities that traded on this day, by the tickers, names and exchanges of then. Their other facts are those of today. Not with `active`. */
      as_of?: string;
    };
    response: SymbolPage;
  };
  /**
   * Get a symbol
   *
   * Returns the facts about a listed security, the intervals that have bars, and the datasets that have rows. An interval has the days of its first and newest bar and the adjustments that it can be given in.
   */
  getSymbol: {
    request: Pick<SharedParameters, 'symbol'>;
    response: SymbolDetails;
  };
  /**
   * Download indicators of many symbols
   *
   * Streams one response from a single version of the data. The columns are those of `/svc/candles`, then one for each line of an indicator: `sma:20`, `macd`, `macd_signal`, `bollinger_upper` and so on. Indicators use the whole history, so a window never lacks its warm-up; before its first value an indicator is empty in CSV and null in Arrow.
   *
   * A stream without its end-of-stream mark is incomplete. JSON is not available.
   */
  getTechnicalOfSymbols: {
    request: Pick<SharedParameters, 'symbols' | 'to' | 'adjustment' | 'session' | 'as_of'> & {
      /** Length of a bar. Intervals below a day are available for one symbol at a time. */
      interval?: '1d' | '1w' | '1M';
      /** Earliest `timestamp`: a date or a date-time. */
      from?: string;
      /** Only the newest bars of each symbol in the window, at most this many. */
      limit?: number;
      /** Overrides the header `Accept`; default: Arrow. */
      format?: 'arrow' | 'csv' | 'parquet';
      /** Indicators, or expressions over bars, as for one symbol: `sma:50,macd,sma(volume, 50)`. */
      indicators: string | readonly string[];
      /** `true` gives only the newest row of each symbol in the window. */
      latest?: 'true' | 'false';
      /** Significant digits of indicators, rounded to the nearest; prices and volumes keep all of theirs. CSV only. Default: all digits. */
      digits?: number;
    };
    response: Uint8Array;
  };
  /**
   * Get candles and indicators
   *
   * Bars are in ascending order. Indicators use the whole history, so a window never lacks its warm-up; points before the first value of an indicator are left out. Bars of days, weeks and months are of regular sessions, and shorter ones too unless `session` chooses others. They start at the open of their session in New York. A listed symbol without bars has empty lists.
   *
   * CSV and Arrow have a column for each line of an indicator: `sma:20`, `macd`, `macd_signal`, `macd_histogram`, `bollinger_upper` and so on; days, weeks and months also have a column `date`.
   */
  getTechnical: {
    request: Pick<SharedParameters, 'symbol' | 'to' | 'session' | 'as_of' | 'format'> & {
      /** Indicators with optional parameters after colons (`sma:50`): `sma:period`, `ema:period`, `rsi:period`, `macd:fast:slow:signal`, `bollinger:period:k`, `atr:period`, `dema:period`, `tema:period`, `t3:period:factor`, `wma:period`, `rma:period`, `hma:period`, `kama:period:fast:slow`, `vwma:period`, `vwap:period`, `zlema:period`, `linreg:period`, `midpoint:period`, `alma:period:offset:sigma`, `adx:period`, `aroon:period`, `psar:step:most`, `supertrend:period:k`, `ichimoku:conversion:base:span`, `vortex:period`, `highest:period`, `lowest:period`, `change:bars`, `heikin_ashi`, `pivot_points`, `candles`, `stddev:period`, `zscore:period`, `natr:period`, `keltner:period:k:atr`, `donchian:period`, `percent_b:period:k`, `bandwidth:period:k`, `chop:period`, `historical_volatility:period:year`, `true_range`, `chandelier:period:k`, `squeeze:period:k:width`, `ulcer:period`, `roc:period`, `momentum:period`, `ppo:fast:slow:signal`, `trix:period:signal`, `stochastic:period:smooth:signal`, `stochastic_rsi:rsi:period:smooth:signal`, `williams_r:period`, `cci:period`, `ultimate:short:medium:long`, `cmo:period`, `tsi:long:short:signal`, `awesome:fast:slow`, `dpo:period`, `coppock:average:long:short`, `kst:roc1:roc2:roc3:roc4:mean1:mean2:mean3:mean4:signal`, `bop`, `elder_ray:period`, `mass_index:average:period`, `connors_rsi:rsi:streak:rank`, `fisher:period`, `schaff:fast:slow:period`, `stochastic_momentum:period:long:short:signal`, `mfi:period`, `obv`, `ad`, `cmf:period`, `chaikin:fast:slow`, `pvt`, `force_index:period`, `eom:period:divisor`, `nvi`, `pvi`, `klinger:fast:slow:signal`, `pvo:fast:slow:signal`; or expressions of screens over bars: `sma(volume, 50)`, `weekly(rsi(14))`, `macd.signal`, `close / sma(200)`. The response has each one in `indicators`, under the text that you sent. */
      indicators?: string | readonly string[];
      /** Length of a bar. Weeks start on Monday; the current week is included. */
      interval?: '1m' | '5m' | '15m' | '1h' | '4h' | '1d' | '1w' | '1M';
      /** The `period` of every indicator that has one and gives none itself. Without it each has its own default; 14 for `sma`, `ema`, `rsi` and `bollinger`. */
      period?: number;
      /** Earliest `timestamp`: a date or a date-time. Without it the latest bars. */
      from?: string;
      /** Maximum number of bars. `all` only in CSV and Arrow. With `from`, a window of more bars gets 400, and the message says how many there are. */
      limit?: 'all' | number;
      /** Prices as traded (`raw`), adjusted for splits, or for splits and dividends (`all`). Default: `split` if it can be derived, else as stored. 400 if the stored bars do not allow it. */
      adjustment?: 'raw' | 'split' | 'all';
      /** Significant digits of indicators, rounded to the nearest; prices and volumes keep all of theirs. JSON and CSV only. Default: all digits. */
      digits?: number;
    };
    response: Technical;
  };
  /**
   * List universes
   *
   * `all` and `active` follow from the bars and always exist; the others are those of loaded files of `members`. `in universe(…)` tests for them in screens and studies, and `@name` stands for their symbols in bulk requests.
   */
  listUniverses: {
    request: Pick<SharedParameters, 'format'>;
    response: Universes;
  };
  /**
   * List members of a universe
   *
   * The members as of a day: also those that left, were renamed or were delisted later. A security that came back has the days of the membership in force.
   */
  listMembers: {
    request: Pick<SharedParameters, 'format'> & {
      /** Name of a universe: `sp500`. */
      name: string;
      /** The day, with the tickers and names of that day. Default: that of the newest bar. */
      as_of?: string;
    };
    response: Members;
  };
  /**
   * List rating changes
   *
   * Newest first. A known symbol without any has an empty list.
   */
  listRatingChanges: {
    request: Pick<SharedParameters, 'symbol' | 'limit' | 'cursor' | 'format'>;
    response: RatingPage;
  };
  /**
   * List webhooks
   *
   * Returns the webhooks of your account in the mode of the key, newest first.
   */
  listWebhooks: {
    request: Pick<SharedParameters, 'limit' | 'cursor'>;
    response: WebhookPage;
  };
  /**
   * Create a webhook
   *
   * From now on the server sends every event of these types (and of these symbols, if you name any) to the address, as in the Standard Webhooks specification. The response has the signing secret, which is never shown again. The address must be https and public; the server checks it again at each connection.
   */
  createWebhook: {
    request: Pick<SharedParameters, 'Idempotency-Key'> & {
      body: NewWebhook;
    };
    response: CreatedWebhook;
  };
  /**
   * Get a webhook
   *
   * Shows whether it receives events and, if not, why.
   */
  getWebhook: {
    request: Pick<SharedParameters, 'id'>;
    response: Webhook;
  };
  /**
   * Delete a webhook
   *
   * Also deletes its deliveries; events not sent yet are never sent.
   */
  deleteWebhook: {
    request: Pick<SharedParameters, 'id'>;
    response: undefined;
  };
  /**
   * List webhook deliveries
   *
   * Returns the events of the last week for this webhook and their status, newest first.
   */
  listWebhookDeliveries: {
    request: Pick<SharedParameters, 'id' | 'limit' | 'cursor'>;
    response: DeliveryPage;
  };
  /**
   * Rotate a webhook secret
   *
   * The new secret signs requests at once. For 24 hours the old one signs them too, so that receivers can switch. The response has the new secret, which is never shown again. The body may be empty.
   */
  rotateWebhookSecret: {
    request: Pick<SharedParameters, 'id' | 'Idempotency-Key'> & {
      body?: Record<string, never>;
    };
    response: CreatedWebhook;
  };
  /**
   * Send a test event
   *
   * Sends a `webhook.test` event to this webhook only, whatever it subscribed to. An inactive webhook that accepts the event becomes active again. `deliveries` shows the result. The body may be empty.
   */
  testWebhook: {
    request: Pick<SharedParameters, 'id'> & {
      body?: Record<string, never>;
    };
    response: Delivery;
  };
}

export const OPERATIONS: {
  readonly [Name in keyof Operations]: {
    readonly method: string;
    /** From the server's root on, with `{names}`. */
    readonly path: string;
    /** Parameters that are headers. Those in neither path nor headers are in the query. */
    readonly headers: readonly string[];
  };
};
