/** Generated from `/v1/openapi.json` by `generate.ts`; do not edit. */

export const API_VERSION = '1.0.0';

export type Account = {
  id: string;
  label: string;
  plan: Plan;
  suspended: boolean;
  createdAt: string;
  suspendedAt: string | null;
};

export type AccountChange = {
  /** For people. */
  label?: string;
  plan?: PlanChange;
  /** Keys of a suspended account are answered 403. */
  suspended?: boolean;
};

export type AccountPage = AccountPageMore | AccountPageLast;

export type AccountPageLast = {
  /** The rows of this page. */
  data: Account[];
  /** Rows on all pages together. */
  total: number;
  page_info: LastPageInfo;
  has_more: false;
  cursor: null;
};

export type AccountPageMore = {
  /** The rows of this page. */
  data: Account[];
  /** Rows on all pages together. */
  total: number;
  page_info: MorePageInfo;
  has_more: true;
  /** Where the next page begins; null on the last one. */
  cursor: string;
};

export type AccountUsage = {
  data: AccountUsageRow[];
};

export type AccountUsageRow = {
  account: string;
  keyId: string;
  /** In UTC. */
  day: string;
  /** A path of this description, or `(none)`. */
  endpoint: string;
  method: string;
  callCount: number;
  errorCount: number;
  tokensUsed: number;
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
  /** The same in every attempt. */
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
  } & Record<string, unknown>;
  paths: Record<string, unknown>;
  components: Record<string, unknown>;
} & Record<string, unknown>;

export type Article = {
  id: string;
  title: string;
  summary: string | null;
  source: string;
  /** Where it can be read. */
  url: string;
  publishedAt: string;
  symbols: string[];
  /** Its tone, by the words it uses. */
  sentiment: 'positive' | 'neutral' | 'negative' | null;
};

export type BalanceSheet = {
  /** Last day of the period. */
  date: string;
  period: 'annual' | 'quarterly' | 'ttm';
  totalAssets: number | null;
  totalLiabilities: number | null;
  totalEquity: number | null;
  /** Cash and cash equivalents without marketable securities. */
  cash: number | null;
  /** Short and long borrowings without operating leases. */
  totalDebt: number | null;
  /** `totalDebt` less `cash`. */
  netDebt: number | null;
};

export type BalanceSheets = {
  data: BalanceSheet[];
};

export type BollingerPoint = {
  /** Start of the bar in UTC; a day is stamped with 00:00Z. */
  timestamp: string;
  /** As `middle`. */
  value: number;
  upper: number;
  middle: number;
  lower: number;
};

export type Candle = {
  /** Start of the bar in UTC; a day is stamped with 00:00Z. */
  timestamp: string;
  open: number;
  high: number;
  low: number;
  close: number;
  /** Rounded to a whole number. */
  volume: number;
};

export type CandlesUpdatedEvent = {
  /** The same in every attempt. */
  id: string;
  type: 'candles.updated';
  /** When it happened. */
  timestamp: string;
  data: {
    interval: '1d' | '1m' | '5m';
    source: string;
    /** No bar before that moment differs. */
    from: string;
    /** How many it concerns. */
    symbolCount: number;
    /** The first of them. */
    symbols: string[];
  };
};

export type CorporateAction = {
  /** Canonical spelling of the ticker: `BRK.B`. */
  symbol: string;
  type: 'split' | 'dividend';
  exDate: string;
  /** Of a split: 4 of 4 for 1; else null. */
  numerator: number | null;
  /** Of a split: 1 of 4 for 1; else null. */
  denominator: number | null;
  /** Of a dividend: per share, as declared; else null. */
  amount: number | null;
};

export type CorporateActions = {
  /** Newest first. */
  data: CorporateAction[];
};

export type CreatedKey = {
  id: string;
  /** The first characters of the key, to tell it by. */
  keyPrefix: string;
  label: string;
  scopes: (
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
    | 'accounts:write'
  )[];
  createdAt: string;
  /** The key itself: shown here and never again. */
  rawKey: string;
};

export type CreatedWebhook = {
  id: string;
  url: string;
  events: (
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
    | 'webhook.test'
  )[];
  /** Canonical; null: all. */
  symbols: string[] | null;
  description: string | null;
  /** Of webhooks that get `screener.matched`. */
  screener?: string;
  /** Whether it gets events. */
  active: boolean;
  createdAt: string;
  /** Of webhooks that are not active. */
  disabledAt?: string;
  /** Likewise. */
  disabledReason?: string;
  /** What its requests are signed with: shown here and never again. */
  secret: string;
};

export type DataReadyEvent = {
  /** The same in every attempt. */
  id: string;
  type: 'data.ready';
  /** When it happened. */
  timestamp: string;
  data: {
    mode: 'live' | 'sandbox';
    version: number;
    /** Of the loads since the last such event. */
    datasets: string[];
  };
};

export type Delivery = {
  /** What receivers get as `webhook-id`. */
  eventId: string;
  type:
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
  status: 'pending' | 'delivered' | 'failed';
  /** Attempts that have ended. */
  attempts: number;
  /** Of the last attempt; null: it got no answer. */
  responseStatus: number | null;
  /** Why the last attempt failed. */
  error: string | null;
  createdAt: string;
  lastAttemptAt: string | null;
  nextAttemptAt: string | null;
};

export type DeliveryPage = DeliveryPageMore | DeliveryPageLast;

export type DeliveryPageLast = {
  /** The rows of this page. */
  data: Delivery[];
  /** Rows on all pages together. */
  total: number;
  page_info: LastPageInfo;
  has_more: false;
  cursor: null;
};

export type DeliveryPageMore = {
  /** The rows of this page. */
  data: Delivery[];
  /** Rows on all pages together. */
  total: number;
  page_info: MorePageInfo;
  has_more: true;
  /** Where the next page begins; null on the last one. */
  cursor: string;
};

export type EarningsPage = EarningsPageMore | EarningsPageLast;

export type EarningsPageLast = {
  /** The rows of this page. */
  data: EarningsReport[];
  /** Rows on all pages together. */
  total: number;
  page_info: LastPageInfo;
  has_more: false;
  cursor: null;
};

export type EarningsPageMore = {
  /** The rows of this page. */
  data: EarningsReport[];
  /** Rows on all pages together. */
  total: number;
  page_info: MorePageInfo;
  has_more: true;
  /** Where the next page begins; null on the last one. */
  cursor: string;
};

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
  /** The same in every attempt. */
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
    type:
      | 'invalid_request_error'
      | 'authentication_error'
      | 'permission_error'
      | 'not_found_error'
      | 'idempotency_error'
      | 'rate_limit_error'
      | 'api_error'
      | 'overloaded_error';
    /** A page on this server about errors of the type. */
    docs_url: string;
  };
  /** As in the header `X-Request-Id` and in the log of the server. */
  request_id: string;
};

export type Expirations = {
  /** Ascending. */
  data: string[];
};

export type FundamentalsStatementCreatedEvent = {
  /** The same in every attempt. */
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
      };
};

export type Health = {
  status: 'ok';
};

export type IncomeStatement = {
  /** Last day of the period. */
  date: string;
  period: 'annual' | 'quarterly' | 'ttm';
  revenue: number | null;
  costOfRevenue: number | null;
  grossProfit: number | null;
  operatingIncome: number | null;
  netIncome: number | null;
  /** Basic earnings per share, as filed. */
  eps: number | null;
  /** Diluted earnings per share, as filed. */
  epsDiluted: number | null;
};

export type IncomeStatements = {
  data: IncomeStatement[];
};

/** Of `sma`, `ema` and `rsi`. */
export type IndicatorPoint = {
  /** Start of the bar in UTC; a day is stamped with 00:00Z. */
  timestamp: string;
  value: number;
};

export type IngestFailedEvent = {
  /** The same in every attempt. */
  id: string;
  type: 'ingest.failed';
  /** When it happened. */
  timestamp: string;
  data: {
    source: string;
    dataset: string | null;
    failures: number;
    /** Of the first failure, and so is `reason`. */
    kind: string;
    reason: string;
  };
};

export type InsiderPage = InsiderPageMore | InsiderPageLast;

export type InsiderPageLast = {
  /** The rows of this page. */
  data: InsiderTransaction[];
  /** Rows on all pages together. */
  total: number;
  page_info: LastPageInfo;
  has_more: false;
  cursor: null;
};

export type InsiderPageMore = {
  /** The rows of this page. */
  data: InsiderTransaction[];
  /** Rows on all pages together. */
  total: number;
  page_info: MorePageInfo;
  has_more: true;
  /** Where the next page begins; null on the last one. */
  cursor: string;
};

export type InsiderSummary = {
  symbol: string;
  /** Bought less sold, filed within 30 days. */
  netShares30d: number;
  /** The same in money. */
  netValue30d: number;
  /** Bought less sold, filed within 90 days. */
  netShares90d: number;
  /** The same in money. */
  netValue90d: number;
  buyCount90d: number;
  sellCount90d: number;
  mostRecentTransaction: InsiderTransaction | null;
};

export type InsiderTransaction = {
  symbol: string;
  insiderName: string;
  /** The officer's title, else `Director` or `10% Owner`. */
  title: string | null;
  transactionType:
    | 'buy'
    | 'sell'
    | 'award'
    | 'exercise'
    | 'conversion'
    | 'tax'
    | 'gift'
    | 'return'
    | 'other';
  shares: number | null;
  price: number | null;
  totalValue: number | null;
  /** Held once it was done. */
  sharesOwnedAfter: number | null;
  /** When the SEC accepted the filing. */
  filedAt: string;
};

export type InsiderTransactionCreatedEvent = {
  /** The same in every attempt. */
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

export type KeyPageLast = {
  /** The rows of this page. */
  data: KeyRow[];
  /** Rows on all pages together. */
  total: number;
  page_info: LastPageInfo;
  has_more: false;
  cursor: null;
};

export type KeyPageMore = {
  /** The rows of this page. */
  data: KeyRow[];
  /** Rows on all pages together. */
  total: number;
  page_info: MorePageInfo;
  has_more: true;
  /** Where the next page begins; null on the last one. */
  cursor: string;
};

export type KeyRow = {
  id: string;
  /** The first characters of the key, to tell it by. */
  keyPrefix: string;
  label: string;
  scopes: (
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
    | 'accounts:write'
  )[];
  createdAt: string;
  lastUsedAt: string | null;
  revokedAt: string | null;
  /** Of keys that have an end. */
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
  /** Null until it exists, and `histogram` with it. */
  signal: number | null;
  histogram: number | null;
};

export type MorePageInfo = {
  hasNext: true;
  /** Where the next page begins; absent on the last one. */
  cursor: string;
  /** Rows on all pages together. */
  totalCount: number;
};

export type NewAccount = {
  /** A random one where it is absent; one that exists is 400. */
  id?: string;
  /** For people. */
  label: string;
  plan?: PlanChange;
};

export type NewKey = {
  /** For people. */
  label: string;
  /** `all` stands for every scope except `accounts:write`. */
  scopes: (
    | 'all'
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
    | 'accounts:write'
  )[];
};

export type NewWebhook = {
  /** Where events are sent: https, and nothing private. */
  url: string;
  /** The types of events it gets. */
  events: (
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
    | 'webhook.test'
  )[];
  /** Only events that concern one of these; absent: all. */
  symbols?: string[];
  /** For people. */
  description?: string;
  /** Filters as in the query of `/svc/screener`; there if and only if `events` has `screener.matched`. */
  screener?: string;
};

export type NewsPage = NewsPageMore | NewsPageLast;

export type NewsPageLast = {
  /** The rows of this page. */
  data: Article[];
  /** Rows on all pages together. */
  total: number;
  page_info: LastPageInfo;
  has_more: false;
  cursor: null;
};

export type NewsPageMore = {
  /** The rows of this page. */
  data: Article[];
  /** Rows on all pages together. */
  total: number;
  page_info: MorePageInfo;
  has_more: true;
  /** Where the next page begins; null on the last one. */
  cursor: string;
};

export type NewsPublishedEvent = {
  /** The same in every attempt. */
  id: string;
  type: 'news.published';
  /** When it happened. */
  timestamp: string;
  data: {
    dataset: 'news';
    row: Article;
  };
};

export type Plan = {
  /** Of each key that has no limit of its own; null: the limit of the server. */
  rateLimit: {
    requests: number;
    windowSeconds: number;
  } | null;
  /** Of all keys together in each mode; null: no bound. */
  tokensPerDay: number | null;
  /** What keys may do at most; null: everything. */
  scopes:
    | (
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
        | 'accounts:write'
      )[]
    | null;
  /** How long new keys are valid; null: until they are revoked. */
  keyExpiryDays: number | null;
};

/** What is absent stays as it is; null takes a bound away. */
export type PlanChange = {
  rateLimit?: {
    requests: number;
    windowSeconds: number;
  } | null;
  tokensPerDay?: number | null;
  scopes?:
    | (
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
        | 'accounts:write'
      )[]
    | null;
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
  /** Close of the newest bar, of a minute or a day. */
  price: number;
  /** `price` less `previousClose`, with no more decimals than they have. */
  change: number | null;
  /** `change` in percent of `previousClose`, rounded to six decimals. */
  changePct: number | null;
  /** Of the session so far. */
  volume: number;
  /** End of the newest bar. */
  timestamp: string;
  dayHigh: number;
  dayLow: number;
  dayOpen: number;
  /** Of the session before, on the split basis. */
  previousClose: number | null;
  /** Price times shares outstanding by the newest filing; null where none is known. */
  marketCap: number | null;
};

export type QuoteBatch = {
  /** In the order asked. */
  data: Quote[];
  /** Symbols that are unknown or have no bars; absent where there are none. */
  notFound?: string[];
};

export type QuoteUpdatedEvent = {
  /** The same in every attempt. */
  id: string;
  type: 'quote.updated';
  /** When it happened. */
  timestamp: string;
  data: {
    /** How many it concerns. */
    symbolCount: number;
    /** The first of them. */
    symbols: string[];
    /** Of the first symbols. */
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

export type RatingPageLast = {
  /** The rows of this page. */
  data: RatingChange[];
  /** Rows on all pages together. */
  total: number;
  page_info: LastPageInfo;
  has_more: false;
  cursor: null;
};

export type RatingPageMore = {
  /** The rows of this page. */
  data: RatingChange[];
  /** Rows on all pages together. */
  total: number;
  page_info: MorePageInfo;
  has_more: true;
  /** Where the next page begins; null on the last one. */
  cursor: string;
};

export type Readiness = {
  status: 'ready' | 'empty';
  modes: {
    live: 'ready' | 'stale' | 'empty' | 'damaged';
    sandbox: 'ready' | 'stale' | 'empty' | 'damaged';
  };
  diskFull: boolean;
};

export type ScreenerMatchedEvent = {
  /** The same in every attempt. */
  id: string;
  type: 'screener.matched';
  /** When it happened. */
  timestamp: string;
  data: {
    /** The query of the webhook. */
    screener: string;
    /** How many match by now. */
    total: number;
    /** How many it concerns. */
    symbolCount: number;
    /** The first of them. */
    symbols: string[];
    /** Of the first symbols. */
    rows: ScreenerRow[];
  };
};

export type ScreenerPage = ScreenerPageMore | ScreenerPageLast;

export type ScreenerPageLast = {
  /** The rows of this page. */
  data: ScreenerRow[];
  /** Rows on all pages together. */
  total: number;
  page_info: LastPageInfo;
  has_more: false;
  cursor: null;
};

export type ScreenerPageMore = {
  /** The rows of this page. */
  data: ScreenerRow[];
  /** Rows on all pages together. */
  total: number;
  page_info: MorePageInfo;
  has_more: true;
  /** Where the next page begins; null on the last one. */
  cursor: string;
};

export type ScreenerRow = {
  /** Canonical spelling of the ticker: `BRK.B`. */
  symbol: string;
  companyName: string | null;
  /** Close of the newest bar. */
  price: number;
  /** As in the quote, in percent. */
  changePct: number | null;
  /** As in the quote. */
  marketCap: number | null;
  /** Price over the diluted earnings per share of the last twelve months filed. */
  peRatio: number | null;
  /** The last year's dividends as a fraction of the price. */
  dividendYield: number | null;
  sector: string | null;
  industry: string | null;
  /** Of the newest session. */
  volume: number;
  /** The RSI of 14 days. */
  rsi14: number | null;
};

export type SymbolPage = SymbolPageMore | SymbolPageLast;

export type SymbolPageLast = {
  /** The rows of this page. */
  data: SymbolRow[];
  /** Rows on all pages together. */
  total: number;
  page_info: LastPageInfo;
  has_more: false;
  cursor: null;
};

export type SymbolPageMore = {
  /** The rows of this page. */
  data: SymbolRow[];
  /** Rows on all pages together. */
  total: number;
  page_info: MorePageInfo;
  has_more: true;
  /** Where the next page begins; null on the last one. */
  cursor: string;
};

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
  /** Who gives the bars, else who names the symbol. */
  source: string | null;
};

export type Technical = {
  /** Canonical spelling of the ticker: `BRK.B`. */
  symbol: string;
  interval: '1m' | '5m' | '15m' | '1h' | '4h' | '1d' | '1w' | '1M';
  /** By the text that was asked; points before the first value are left out. */
  indicators: Record<string, IndicatorPoint[] | MacdPoint[] | BollingerPoint[]>;
  /** Ascending. */
  candles: Candle[];
};

export type Unready = {
  error: {
    /** For people: what is wrong, and what was expected. */
    message: string;
    /** For programs; see `docs_url`. */
    type:
      | 'invalid_request_error'
      | 'authentication_error'
      | 'permission_error'
      | 'not_found_error'
      | 'idempotency_error'
      | 'rate_limit_error'
      | 'api_error'
      | 'overloaded_error';
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
  diskFull: boolean;
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
  events: (
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
    | 'webhook.test'
  )[];
  /** Canonical; null: all. */
  symbols: string[] | null;
  description: string | null;
  /** Of webhooks that get `screener.matched`. */
  screener?: string;
  /** Whether it gets events. */
  active: boolean;
  createdAt: string;
  /** Of webhooks that are not active. */
  disabledAt?: string;
  /** Likewise. */
  disabledReason?: string;
};

export type WebhookPage = WebhookPageMore | WebhookPageLast;

export type WebhookPageLast = {
  /** The rows of this page. */
  data: Webhook[];
  /** Rows on all pages together. */
  total: number;
  page_info: LastPageInfo;
  has_more: false;
  cursor: null;
};

export type WebhookPageMore = {
  /** The rows of this page. */
  data: Webhook[];
  /** Rows on all pages together. */
  total: number;
  page_info: MorePageInfo;
  has_more: true;
  /** Where the next page begins; null on the last one. */
  cursor: string;
};

export type WebhookTestEvent = {
  /** The same in every attempt. */
  id: string;
  type: 'webhook.test';
  /** When it happened. */
  timestamp: string;
  data: {
    webhookId: string;
    message: string;
  };
};

/** What `error.type` can be. */
export type ErrorType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'permission_error'
  | 'not_found_error'
  | 'idempotency_error'
  | 'rate_limit_error'
  | 'api_error'
  | 'overloaded_error';

/** What each operation takes and gives. */
export interface Operations {
  /**
   * Whether the process answers
   *
   * Looks at nothing else.
   */
  getHealth: {
    request: Record<never, never>;
    answer: Health;
  };
  /**
   * This API description
   *
   * OpenAPI 3.1, made from the schemas that requests are checked against.
   */
  getDescription: {
    request: Record<never, never>;
    answer: ApiDescription;
  };
  /**
   * Whether there is data to answer with
   *
   * A mode is `ready`; `stale`, where its newest bar is older than the session before the latest completed one, and is served all the same; `empty`; or `damaged`, where some of it was found damaged, or all: what is whole is served. 503 while no mode has readable data.
   */
  getReadiness: {
    request: Record<never, never>;
    answer: Readiness;
  };
  /**
   * All accounts
   *
   * Newest first. Accounts belong to both modes.
   */
  listAccounts: {
    request: {
      /** Rows a page. */
      limit?: number;
      /** Where the page before ended, as its answer says. Good for 24 hours, with the same other parameters; `limit` and `format` may change. */
      cursor?: string;
    };
    answer: AccountPage;
  };
  /**
   * A new account
   *
   * Bounds that the plan does not name are null.
   */
  createAccount: {
    request: {
      /** Makes a repeat safe: within 24 hours the same request of the same API key makes nothing new and gets the same answer. What failed is not kept. */
      'Idempotency-Key'?: string;
      body: NewAccount;
    };
    answer: Account;
  };
  /**
   * What all accounts asked, by day
   *
   * As `/svc/developer/usage/daily` in the mode of the caller's key, each key apart.
   */
  getAccountUsage: {
    request: {
      /** First day in UTC; without it 30 days up to `to`. */
      from?: string;
      /** Last day in UTC; without it today. */
      to?: string;
      /** A path of this description; `(none)` stands for all others. */
      endpoint?:
        | '/svc/accounts'
        | '/svc/accounts/usage/daily'
        | '/svc/accounts/{accountId}'
        | '/svc/accounts/{accountId}/keys'
        | '/svc/accounts/{accountId}/keys/{keyId}'
        | '/svc/analyst-consensus/{symbol}'
        | '/svc/analyst-targets/{symbol}'
        | '/svc/candles'
        | '/svc/corporate-actions/{symbol}'
        | '/svc/developer/keys'
        | '/svc/developer/keys/{keyId}'
        | '/svc/developer/usage/daily'
        | '/svc/earnings/calendar'
        | '/svc/fundamentals/{symbol}/balance-sheet'
        | '/svc/fundamentals/{symbol}/statements'
        | '/svc/insider/{symbol}'
        | '/svc/insider/{symbol}/summary'
        | '/svc/news'
        | '/svc/news/{symbol}'
        | '/svc/options/{symbol}/expirations'
        | '/svc/quotes/batch'
        | '/svc/quotes/{symbol}'
        | '/svc/screener'
        | '/svc/symbols'
        | '/svc/technical/{symbol}'
        | '/svc/upgrades-downgrades/{symbol}'
        | '/svc/webhooks'
        | '/svc/webhooks/{id}'
        | '/svc/webhooks/{id}/deliveries'
        | '/svc/webhooks/{id}/rotate-secret'
        | '/svc/webhooks/{id}/test'
        | '(none)';
      /** One key; an unknown one has no rows. */
      key_id?: string;
      /** Wins over the header `Accept`; without either the answer is JSON. */
      format?: 'json' | 'csv' | 'arrow';
      /** One account; an unknown one has no rows. */
      account?: string;
    };
    answer: AccountUsage;
  };
  /**
   * One account
   *
   * Its plan, and whether it is suspended.
   */
  getAccount: {
    request: {
      /** The `id` of an account. */
      accountId: string;
    };
    answer: Account;
  };
  /**
   * Change an account
   *
   * What the body does not name stays; null takes a bound of the plan away. The account of the caller can't be suspended.
   */
  changeAccount: {
    request: {
      /** The `id` of an account. */
      accountId: string;
      body: AccountChange;
    };
    answer: Account;
  };
  /**
   * Keys of an account
   *
   * In the mode of the caller's key, newest first, revoked ones too.
   */
  listAccountKeys: {
    request: {
      /** The `id` of an account. */
      accountId: string;
      /** Rows a page. */
      limit?: number;
      /** Where the page before ended, as its answer says. Good for 24 hours, with the same other parameters; `limit` and `format` may change. */
      cursor?: string;
    };
    answer: KeyPage;
  };
  /**
   * A new key of an account
   *
   * In the mode of the caller's key, with scopes that the caller's key has itself and the plan of the account includes. `rawKey` is shown here and never again.
   */
  createAccountKey: {
    request: {
      /** The `id` of an account. */
      accountId: string;
      /** Makes a repeat safe: within 24 hours the same request of the same API key makes nothing new and gets the same answer. What failed is not kept. */
      'Idempotency-Key'?: string;
      body: NewKey;
    };
    answer: CreatedKey;
  };
  /**
   * Revoke a key of an account
   *
   * It stops working within a second. 204 also where it was revoked before. An id of another account or mode is unknown here.
   */
  revokeAccountKey: {
    request: {
      /** The `id` of an account. */
      accountId: string;
      /** The `id` of a key. */
      keyId: string;
    };
    answer: undefined;
  };
  /**
   * What analysts say of a symbol
   *
   * Strong counts are in `buy` and `sell`. Where the source gives only counts, `consensus` follows from their mean (buy 1, hold 0, sell −1): `Strong Buy` from 0.6, `Buy` from 0.2, `Hold` above −0.2, `Sell` above −0.6, else `Strong Sell`. A known symbol without analyst data is 404.
   */
  getAnalystConsensus: {
    request: {
      /** A ticker in the spelling of any vendor (`BRK.B`, `brk-b`); the answer has the canonical one. A former ticker means the security that had it last. */
      symbol: string;
    };
    answer: AnalystConsensus;
  };
  /**
   * Price targets of a symbol
   *
   * Newest first. A known symbol without any has an empty list.
   */
  listAnalystTargets: {
    request: {
      /** A ticker in the spelling of any vendor (`BRK.B`, `brk-b`); the answer has the canonical one. A former ticker means the security that had it last. */
      symbol: string;
      /** Targets. */
      limit?: number;
      /** Wins over the header `Accept`; without either the answer is JSON. */
      format?: 'json' | 'csv' | 'arrow';
    };
    answer: PriceTargets;
  };
  /**
   * Bars of many symbols, or of all
   *
   * One answer that is sent while it is read, of one version of the data throughout. Columns are `symbol`, `timestamp`, `date` (only of days, weeks and months), `open`, `high`, `low`, `close`, `volume` and `adjustment`, the basis of the row. Rows are ordered by symbol as asked, then by time.
   *
   * In Arrow `symbol` and `adjustment` are dictionaries. An answer without the mark that ends an Arrow stream is incomplete. There is no JSON of it.
   */
  getCandles: {
    request: {
      /** `*` for every symbol with bars, or at most 2000 different ones. An unknown one is 404, as an answer in these formats has no place to list it. */
      symbols: string | readonly string[];
      /** Length of the bars. */
      interval?: '1m' | '5m' | '15m' | '1h' | '4h' | '1d' | '1w' | '1M';
      /** Earliest `timestamp`: a date or a date-time. */
      from?: string;
      /** Latest `timestamp`, inclusive; a date means that whole day in UTC. */
      to?: string;
      /** For all symbols alike: as traded, for splits, or for splits and dividends. Without it each symbol has its own: `split` where it can be derived, else the stored basis. 400 where the stored bars of some symbol cannot give it. */
      adjustment?: 'raw' | 'split' | 'all';
      /** Wins over the header `Accept`; without either the answer is Arrow. */
      format?: 'arrow' | 'csv';
    };
    answer: Uint8Array;
  };
  /**
   * Splits and dividends of a symbol
   *
   * Newest first. A split has a ratio, a dividend an amount per share as it was declared; what does not apply is null. A known symbol without any has an empty list.
   */
  listCorporateActions: {
    request: {
      /** A ticker in the spelling of any vendor (`BRK.B`, `brk-b`); the answer has the canonical one. A former ticker means the security that had it last. */
      symbol: string;
      /** Wins over the header `Accept`; without either the answer is JSON. */
      format?: 'json' | 'csv' | 'arrow';
    };
    answer: CorporateActions;
  };
  /**
   * Your keys
   *
   * Of the account in the mode of the caller's key, newest first, revoked ones too. The keys themselves are not stored.
   */
  listKeys: {
    request: {
      /** Rows a page. */
      limit?: number;
      /** Where the page before ended, as its answer says. Good for 24 hours, with the same other parameters; `limit` and `format` may change. */
      cursor?: string;
    };
    answer: KeyPage;
  };
  /**
   * A new key
   *
   * Of the caller's account and mode, with scopes that the caller's key has itself, else 403. A rate limit of its own goes over to the new key. `rawKey` is shown here and never again. An account has at most 1000 keys that are not revoked, in each mode.
   */
  createKey: {
    request: {
      /** Makes a repeat safe: within 24 hours the same request of the same API key makes nothing new and gets the same answer. What failed is not kept. */
      'Idempotency-Key'?: string;
      body: NewKey;
    };
    answer: CreatedKey;
  };
  /**
   * Revoke a key
   *
   * It stops working within a second. 204 also where it was revoked before. An id of another account or mode is unknown here.
   */
  revokeKey: {
    request: {
      /** The `id` of a key. */
      keyId: string;
    };
    answer: undefined;
  };
  /**
   * What your keys asked, by day
   *
   * Ascending, in the mode of the caller's key. Every request of a valid key is counted once, refused ones too; it shows within a second. Errors are statuses from 400 on. More than 50,000 rows are 400.
   */
  getUsage: {
    request: {
      /** First day in UTC; without it 30 days up to `to`. */
      from?: string;
      /** Last day in UTC; without it today. */
      to?: string;
      /** A path of this description; `(none)` stands for all others. */
      endpoint?:
        | '/svc/accounts'
        | '/svc/accounts/usage/daily'
        | '/svc/accounts/{accountId}'
        | '/svc/accounts/{accountId}/keys'
        | '/svc/accounts/{accountId}/keys/{keyId}'
        | '/svc/analyst-consensus/{symbol}'
        | '/svc/analyst-targets/{symbol}'
        | '/svc/candles'
        | '/svc/corporate-actions/{symbol}'
        | '/svc/developer/keys'
        | '/svc/developer/keys/{keyId}'
        | '/svc/developer/usage/daily'
        | '/svc/earnings/calendar'
        | '/svc/fundamentals/{symbol}/balance-sheet'
        | '/svc/fundamentals/{symbol}/statements'
        | '/svc/insider/{symbol}'
        | '/svc/insider/{symbol}/summary'
        | '/svc/news'
        | '/svc/news/{symbol}'
        | '/svc/options/{symbol}/expirations'
        | '/svc/quotes/batch'
        | '/svc/quotes/{symbol}'
        | '/svc/screener'
        | '/svc/symbols'
        | '/svc/technical/{symbol}'
        | '/svc/upgrades-downgrades/{symbol}'
        | '/svc/webhooks'
        | '/svc/webhooks/{id}'
        | '/svc/webhooks/{id}/deliveries'
        | '/svc/webhooks/{id}/rotate-secret'
        | '/svc/webhooks/{id}/test'
        | '(none)';
      /** One key; an unknown one has no rows. */
      key_id?: string;
      /** Wins over the header `Accept`; without either the answer is JSON. */
      format?: 'json' | 'csv' | 'arrow';
    };
    answer: Usage;
  };
  /**
   * Reports of earnings by day
   *
   * By day, then symbol. `fiscalQuarter` is the company's own. Unknown symbols have no rows.
   */
  listEarnings: {
    request: {
      /** First day; without it today in New York. */
      from?: string;
      /** Last day, at most 92 days after `from`; without it 14 days after `from`. */
      to?: string;
      /** At most 100 different ones. */
      symbols?: string | readonly string[];
      /** Rows a page. */
      limit?: number;
      /** Where the page before ended, as its answer says. Good for 24 hours, with the same other parameters; `limit` and `format` may change. */
      cursor?: string;
      /** Wins over the header `Accept`; without either the answer is JSON. */
      format?: 'json' | 'csv' | 'arrow';
    };
    answer: EarningsPage;
  };
  /**
   * Balance sheets of a symbol
   *
   * Newest period first. What a company does not report is null. A known symbol without any has an empty list.
   */
  listBalanceSheets: {
    request: {
      /** A ticker in the spelling of any vendor (`BRK.B`, `brk-b`); the answer has the canonical one. A former ticker means the security that had it last. */
      symbol: string;
      /** `ttm`: the four quarters up to each quarter's end; of a balance sheet the latest. */
      period?: 'annual' | 'quarterly' | 'ttm';
      /** Periods. */
      limit?: number;
      /** What was known at the end of that day in New York, before later filings and restatements. */
      as_of?: string;
      /** Wins over the header `Accept`; without either the answer is JSON. */
      format?: 'json' | 'csv' | 'arrow';
    };
    answer: BalanceSheets;
  };
  /**
   * Income statements of a symbol
   *
   * Newest period first. Per-share figures are as they were filed; what a company does not report is null. A known symbol without any has an empty list.
   */
  listStatements: {
    request: {
      /** A ticker in the spelling of any vendor (`BRK.B`, `brk-b`); the answer has the canonical one. A former ticker means the security that had it last. */
      symbol: string;
      /** `ttm`: the four quarters up to each quarter's end; of a balance sheet the latest. */
      period?: 'annual' | 'quarterly' | 'ttm';
      /** Periods. */
      limit?: number;
      /** What was known at the end of that day in New York, before later filings and restatements. */
      as_of?: string;
      /** Wins over the header `Accept`; without either the answer is JSON. */
      format?: 'json' | 'csv' | 'arrow';
    };
    answer: IncomeStatements;
  };
  /**
   * Transactions of insiders of a symbol
   *
   * Newest filing first. An amendment replaces what it amends. A known symbol without any has an empty list.
   */
  listInsiderTransactions: {
    request: {
      /** A ticker in the spelling of any vendor (`BRK.B`, `brk-b`); the answer has the canonical one. A former ticker means the security that had it last. */
      symbol: string;
      /** Earliest `filedAt`: a date or a date-time. */
      from?: string;
      /** Latest `filedAt`, inclusive; a date means that whole day in UTC. */
      to?: string;
      /** Any of them; by the codes of the SEC `buy` is P, `sell` S, `award` A, `exercise` M, X and O, `conversion` C, `tax` F, `gift` G, `return` D. */
      transaction_type?:
        | 'buy'
        | 'sell'
        | 'award'
        | 'exercise'
        | 'conversion'
        | 'tax'
        | 'gift'
        | 'return'
        | 'other'
        | readonly (
            | 'buy'
            | 'sell'
            | 'award'
            | 'exercise'
            | 'conversion'
            | 'tax'
            | 'gift'
            | 'return'
            | 'other'
          )[];
      /** Rows a page. */
      limit?: number;
      /** Where the page before ended, as its answer says. Good for 24 hours, with the same other parameters; `limit` and `format` may change. */
      cursor?: string;
      /** Wins over the header `Accept`; without either the answer is JSON. */
      format?: 'json' | 'csv' | 'arrow';
    };
    answer: InsiderPage;
  };
  /**
   * Purchases less sales of insiders
   *
   * Buys less sells on the market, by the day they were filed, over the 30 and 90 days to the latest trading day; zeros and null for a known symbol without any.
   */
  getInsiderSummary: {
    request: {
      /** A ticker in the spelling of any vendor (`BRK.B`, `brk-b`); the answer has the canonical one. A former ticker means the security that had it last. */
      symbol: string;
    };
    answer: InsiderSummary;
  };
  /**
   * Articles about all symbols
   *
   * Newest first.
   */
  listNews: {
    request: {
      /** Articles of any of them, added to that of the path; at most 100 different ones. */
      symbols?: string | readonly string[];
      /** Earliest `publishedAt`: a date or a date-time. */
      from?: string;
      /** Latest `publishedAt`, inclusive; a date means that whole day in UTC. */
      to?: string;
      /** Any of them. */
      sentiment?:
        | 'positive'
        | 'neutral'
        | 'negative'
        | readonly ('positive' | 'neutral' | 'negative')[];
      /** Any of them, as `source` spells them; case does not matter. */
      source?: string | readonly string[];
      /** Rows a page. */
      limit?: number;
      /** Where the page before ended, as its answer says. Good for 24 hours, with the same other parameters; `limit` and `format` may change. */
      cursor?: string;
      /** Wins over the header `Accept`; without either the answer is JSON. */
      format?: 'json' | 'csv' | 'arrow';
    };
    answer: NewsPage;
  };
  /**
   * Articles about a symbol, or one article
   *
   * Newest first. With the id of an article in the place of the symbol (`news_` and 26 lower-case letters and digits, which no symbol looks like) the answer is that one article as JSON, and no parameter is taken.
   */
  listNewsOfSymbol: {
    request: {
      /** A ticker in the spelling of any vendor, or the id of an article. */
      symbol: string;
      /** Articles of any of them, added to that of the path; at most 100 different ones. */
      symbols?: string | readonly string[];
      /** Earliest `publishedAt`: a date or a date-time. */
      from?: string;
      /** Latest `publishedAt`, inclusive; a date means that whole day in UTC. */
      to?: string;
      /** Any of them. */
      sentiment?:
        | 'positive'
        | 'neutral'
        | 'negative'
        | readonly ('positive' | 'neutral' | 'negative')[];
      /** Any of them, as `source` spells them; case does not matter. */
      source?: string | readonly string[];
      /** Rows a page. */
      limit?: number;
      /** Where the page before ended, as its answer says. Good for 24 hours, with the same other parameters; `limit` and `format` may change. */
      cursor?: string;
      /** Wins over the header `Accept`; without either the answer is JSON. */
      format?: 'json' | 'csv' | 'arrow';
    };
    answer: NewsPage | Article;
  };
  /**
   * Days on which options of a symbol end
   *
   * Ascending, from today in New York on. A known symbol without any has an empty list.
   */
  listOptionExpirations: {
    request: {
      /** A ticker in the spelling of any vendor (`BRK.B`, `brk-b`); the answer has the canonical one. A former ticker means the security that had it last. */
      symbol: string;
      /** Wins over the header `Accept`; without either the answer is JSON. */
      format?: 'json' | 'csv' | 'arrow';
    };
    answer: Expirations;
  };
  /**
   * Quotes of up to 100 symbols
   *
   * The same as `/svc/quotes/{symbol}` for each symbol, in the order asked. Unknown symbols and those without bars are in `notFound`.
   */
  getQuotes: {
    request: {
      /** At most 100 different ones; a repeated one is answered once. */
      symbols: string | readonly string[];
      /** Wins over the header `Accept`; without either the answer is JSON. */
      format?: 'json' | 'csv' | 'arrow';
    };
    answer: QuoteBatch;
  };
  /**
   * The newest quote of a symbol
   *
   * The newest bar's session, as far as it goes, against the session before. A listed symbol without any bars has no quote: 404.
   */
  getQuote: {
    request: {
      /** A ticker in the spelling of any vendor (`BRK.B`, `brk-b`); the answer has the canonical one. A former ticker means the security that had it last. */
      symbol: string;
      /** Wins over the header `Accept`; without either the answer is JSON. */
      format?: 'json' | 'csv' | 'arrow';
    };
    answer: Quote;
  };
  /**
   * Symbols that pass filters
   *
   * Symbols with a quote that pass all filters, sorted, page by page. A minimum must not lie above its maximum. A walk stays on the version of the data that its first page came from for 15 minutes at least, then goes on behind the last row in the newest one.
   */
  getScreener: {
    request: {
      /** Smallest `marketCap`; null passes no filter. */
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
      /** Any of them; case does not matter. */
      sector?: string | readonly string[];
      /** Any of them; case does not matter. */
      industry?: string | readonly string[];
      /** Any of them, as ISO 3166 writes them with two letters. */
      country?: string | readonly string[];
      /** Any of them; case does not matter. Arca counts as AMEX. */
      exchange?: 'NYSE' | 'NASDAQ' | 'AMEX' | readonly ('NYSE' | 'NASDAQ' | 'AMEX')[];
      /** Newest bar on that day or later. */
      active_since?: string;
      /** What rows are ordered by. */
      sort?: 'market_cap' | 'pe_ratio' | 'dividend_yield' | 'volume' | 'change_pct';
      /** Null comes last in both; ties are in order of the symbol. */
      order?: 'asc' | 'desc';
      /** Rows a page. */
      limit?: number;
      /** Where the page before ended, as its answer says. Good for 24 hours, with the same other parameters; `limit` and `format` may change. */
      cursor?: string;
      /** Wins over the header `Accept`; without either the answer is JSON. */
      format?: 'json' | 'csv' | 'arrow';
    };
    answer: ScreenerPage;
  };
  /**
   * The directory of symbols
   *
   * Every symbol that any source names, ascending, with bars or without. `firstBar` and `lastBar` are of daily bars, of intraday ones where there are no daily ones, null without any.
   */
  listSymbols: {
    request: {
      /** The start of a ticker, a whole former ticker, or words of the company's name, each from its beginning. Case does not matter. */
      search?: string;
      /** Any of them; case does not matter. Arca counts as AMEX. */
      exchange?: 'NYSE' | 'NASDAQ' | 'AMEX' | readonly ('NYSE' | 'NASDAQ' | 'AMEX')[];
      /** Any of them: `stock`, `etf`, `preferred` and so on. Case does not matter. */
      type?: string | readonly string[];
      /** `true`: not delisted, and the newest bar is at most 7 days older than the newest of all; `false`: the others. */
      active?: 'true' | 'false';
      /** Rows a page. */
      limit?: number;
      /** Where the page before ended, as its answer says. Good for 24 hours, with the same other parameters; `limit` and `format` may change. */
      cursor?: string;
      /** Wins over the header `Accept`; without either the answer is JSON. */
      format?: 'json' | 'csv' | 'arrow';
    };
    answer: SymbolPage;
  };
  /**
   * Candles and indicators of a symbol
   *
   * Bars ascend. Indicators are computed from the whole history on the basis of the answer, so a window never costs warm-up points; points before the first value of an indicator are left out. Below a day bars hold the trades of regular sessions, counted from the open in New York. A listed symbol without bars is answered with empty lists.
   *
   * CSV and Arrow have a column for each line of an indicator: `sma:20`, `macd`, `macd_signal`, `macd_histogram`, `bollinger_upper` and so on; days, weeks and months also have a column `date`.
   */
  getTechnical: {
    request: {
      /** A ticker in the spelling of any vendor (`BRK.B`, `brk-b`); the answer has the canonical one. A former ticker means the security that had it last. */
      symbol: string;
      /** Each with parameters of its own behind colons where wanted, else the defaults: `sma:period`, `ema:period`, `rsi:period`, `macd:fast:slow:signal`, `bollinger:period:k`. The key in `indicators` of the answer is the text asked. */
      indicators?: string | readonly string[];
      /** Length of the bars. Weeks start on Monday; the running one is included. */
      interval?: '1m' | '5m' | '15m' | '1h' | '4h' | '1d' | '1w' | '1M';
      /** Of `sma`, `ema`, `rsi` and `bollinger` where they name none. */
      period?: number;
      /** Earliest `timestamp`: a date or a date-time. Without it the latest bars. */
      from?: string;
      /** Latest `timestamp`, inclusive; a date means that whole day in UTC. */
      to?: string;
      /** Bars. `all` in CSV and Arrow only. With `from` a window of more bars than this is 400, and the message has their number. */
      limit?: 'all' | number;
      /** As traded, for splits, or for splits and dividends. Default: `split` where it can be derived, else the stored basis. 400 where the stored bars cannot give it. */
      adjustment?: 'raw' | 'split' | 'all';
      /** Wins over the header `Accept`; without either the answer is JSON. */
      format?: 'json' | 'csv' | 'arrow';
    };
    answer: Technical;
  };
  /**
   * Changes of ratings of a symbol
   *
   * Newest first. A known symbol without any has an empty list.
   */
  listRatingChanges: {
    request: {
      /** A ticker in the spelling of any vendor (`BRK.B`, `brk-b`); the answer has the canonical one. A former ticker means the security that had it last. */
      symbol: string;
      /** Rows a page. */
      limit?: number;
      /** Where the page before ended, as its answer says. Good for 24 hours, with the same other parameters; `limit` and `format` may change. */
      cursor?: string;
      /** Wins over the header `Accept`; without either the answer is JSON. */
      format?: 'json' | 'csv' | 'arrow';
    };
    answer: RatingPage;
  };
  /**
   * Your webhooks
   *
   * Webhooks of your account in the mode of the key, newest first.
   */
  listWebhooks: {
    request: {
      /** Rows a page. */
      limit?: number;
      /** Where the page before ended, as its answer says. Good for 24 hours, with the same other parameters; `limit` and `format` may change. */
      cursor?: string;
    };
    answer: WebhookPage;
  };
  /**
   * Get events
   *
   * Every event of these types, and of these symbols where any are named, is sent to the address as the Standard Webhooks specification says, from now on. The secret that requests are signed with is in this answer and never shown again. The address must be https and public; each connection is checked again.
   */
  createWebhook: {
    request: {
      /** Makes a repeat safe: within 24 hours the same request of the same API key makes nothing new and gets the same answer. What failed is not kept. */
      'Idempotency-Key'?: string;
      body: NewWebhook;
    };
    answer: CreatedWebhook;
  };
  /**
   * One webhook
   *
   * Whether it gets events, and where it does not, why.
   */
  getWebhook: {
    request: {
      /** The `id` of a webhook. */
      id: string;
    };
    answer: Webhook;
  };
  /**
   * Delete a webhook
   *
   * With its deliveries: what has not been sent by now never is.
   */
  deleteWebhook: {
    request: {
      /** The `id` of a webhook. */
      id: string;
    };
    answer: undefined;
  };
  /**
   * What became of its events
   *
   * Events of the last week that the webhook gets, newest first.
   */
  listWebhookDeliveries: {
    request: {
      /** The `id` of a webhook. */
      id: string;
      /** Rows a page. */
      limit?: number;
      /** Where the page before ended, as its answer says. Good for 24 hours, with the same other parameters; `limit` and `format` may change. */
      cursor?: string;
    };
    answer: DeliveryPage;
  };
  /**
   * A new secret
   *
   * Requests are signed with the new secret at once, and for 24 hours with the one before too, so that receivers can change over. The new one is in this answer and never shown again. The body may be empty.
   */
  rotateWebhookSecret: {
    request: {
      /** The `id` of a webhook. */
      id: string;
      /** Makes a repeat safe: within 24 hours the same request of the same API key makes nothing new and gets the same answer. What failed is not kept. */
      'Idempotency-Key'?: string;
      body?: Record<string, never>;
    };
    answer: CreatedWebhook;
  };
  /**
   * Send a test
   *
   * Sends a `webhook.test` event to this webhook alone, whatever it has subscribed to and also where it is not active: one that takes it is active again. `deliveries` tells what became of it. The body may be empty.
   */
  testWebhook: {
    request: {
      /** The `id` of a webhook. */
      id: string;
      body?: Record<string, never>;
    };
    answer: Delivery;
  };
}

export const OPERATIONS = {
  getHealth: { method: 'GET', path: '/healthz', headers: [] },
  getDescription: { method: 'GET', path: '/v1/openapi.json', headers: [] },
  getReadiness: { method: 'GET', path: '/readyz', headers: [] },
  listAccounts: { method: 'GET', path: '/v1/svc/accounts', headers: [] },
  createAccount: { method: 'POST', path: '/v1/svc/accounts', headers: ['Idempotency-Key'] },
  getAccountUsage: { method: 'GET', path: '/v1/svc/accounts/usage/daily', headers: [] },
  getAccount: { method: 'GET', path: '/v1/svc/accounts/{accountId}', headers: [] },
  changeAccount: { method: 'PATCH', path: '/v1/svc/accounts/{accountId}', headers: [] },
  listAccountKeys: { method: 'GET', path: '/v1/svc/accounts/{accountId}/keys', headers: [] },
  createAccountKey: {
    method: 'POST',
    path: '/v1/svc/accounts/{accountId}/keys',
    headers: ['Idempotency-Key'],
  },
  revokeAccountKey: {
    method: 'DELETE',
    path: '/v1/svc/accounts/{accountId}/keys/{keyId}',
    headers: [],
  },
  getAnalystConsensus: { method: 'GET', path: '/v1/svc/analyst-consensus/{symbol}', headers: [] },
  listAnalystTargets: { method: 'GET', path: '/v1/svc/analyst-targets/{symbol}', headers: [] },
  getCandles: { method: 'GET', path: '/v1/svc/candles', headers: [] },
  listCorporateActions: { method: 'GET', path: '/v1/svc/corporate-actions/{symbol}', headers: [] },
  listKeys: { method: 'GET', path: '/v1/svc/developer/keys', headers: [] },
  createKey: { method: 'POST', path: '/v1/svc/developer/keys', headers: ['Idempotency-Key'] },
  revokeKey: { method: 'DELETE', path: '/v1/svc/developer/keys/{keyId}', headers: [] },
  getUsage: { method: 'GET', path: '/v1/svc/developer/usage/daily', headers: [] },
  listEarnings: { method: 'GET', path: '/v1/svc/earnings/calendar', headers: [] },
  listBalanceSheets: {
    method: 'GET',
    path: '/v1/svc/fundamentals/{symbol}/balance-sheet',
    headers: [],
  },
  listStatements: { method: 'GET', path: '/v1/svc/fundamentals/{symbol}/statements', headers: [] },
  listInsiderTransactions: { method: 'GET', path: '/v1/svc/insider/{symbol}', headers: [] },
  getInsiderSummary: { method: 'GET', path: '/v1/svc/insider/{symbol}/summary', headers: [] },
  listNews: { method: 'GET', path: '/v1/svc/news', headers: [] },
  listNewsOfSymbol: { method: 'GET', path: '/v1/svc/news/{symbol}', headers: [] },
  listOptionExpirations: {
    method: 'GET',
    path: '/v1/svc/options/{symbol}/expirations',
    headers: [],
  },
  getQuotes: { method: 'GET', path: '/v1/svc/quotes/batch', headers: [] },
  getQuote: { method: 'GET', path: '/v1/svc/quotes/{symbol}', headers: [] },
  getScreener: { method: 'GET', path: '/v1/svc/screener', headers: [] },
  listSymbols: { method: 'GET', path: '/v1/svc/symbols', headers: [] },
  getTechnical: { method: 'GET', path: '/v1/svc/technical/{symbol}', headers: [] },
  listRatingChanges: { method: 'GET', path: '/v1/svc/upgrades-downgrades/{symbol}', headers: [] },
  listWebhooks: { method: 'GET', path: '/v1/svc/webhooks', headers: [] },
  createWebhook: { method: 'POST', path: '/v1/svc/webhooks', headers: ['Idempotency-Key'] },
  getWebhook: { method: 'GET', path: '/v1/svc/webhooks/{id}', headers: [] },
  deleteWebhook: { method: 'DELETE', path: '/v1/svc/webhooks/{id}', headers: [] },
  listWebhookDeliveries: { method: 'GET', path: '/v1/svc/webhooks/{id}/deliveries', headers: [] },
  rotateWebhookSecret: {
    method: 'POST',
    path: '/v1/svc/webhooks/{id}/rotate-secret',
    headers: ['Idempotency-Key'],
  },
  testWebhook: { method: 'POST', path: '/v1/svc/webhooks/{id}/test', headers: [] },
} as const;
