/** Requests of the golden corpus to operations that only read, as targets under `/v1`. */

import { FUND, SHARE_CLASS, STOCK } from './contract-market.ts';

const TABLES = ['csv', 'arrow', 'parquet'] as const;

/** A target without format, then as CSV, Arrow and Parquet. */
function inAllFormats(target: string): string[] {
  const mark = target.includes('?') ? '&' : '?';
  return [target, ...TABLES.map((format) => `${target}${mark}format=${format}`)];
}

/** By operation, as `routeName` names it. */
export const GOLDEN_READS: Readonly<Record<string, readonly string[]>> = {
  'GET /svc/technical/{symbol}': [
    ...inAllFormats(
      `/svc/technical/${STOCK}?indicators=sma,ema:5,rsi,macd,bollinger:20:2&limit=60`,
    ),
    `/svc/technical/${STOCK}?interval=1h&limit=3`,
    `/svc/technical/${STOCK}?indicators=macd&limit=all&format=csv&to=2024-08-01`,
    `/svc/technical/${STOCK}?adjustment=all&from=2026-11-01&to=2026-11-10`,
    `/svc/technical/${STOCK}?period=0`,
    '/svc/technical/NONE',
  ],
  'GET /svc/technical': [
    `/svc/technical?symbols=${STOCK},${FUND}&indicators=sma:5,macd&from=2026-11-16`,
    `/svc/technical?symbols=${STOCK}&indicators=rsi,bollinger:20:2&interval=1w&to=2025-01-31&format=csv`,
    '/svc/technical?symbols=*&indicators=ema:5,atr&latest=true&adjustment=split&format=csv',
    '/svc/technical?symbols=NONE&indicators=sma',
    `/svc/technical?symbols=${STOCK}&indicators=sma&interval=5m`,
    `/svc/technical?symbols=${STOCK}`,
  ],
  'GET /svc/candles': [
    `/svc/candles?symbols=${STOCK},${FUND}&from=2026-11-16`,
    `/svc/candles?symbols=${STOCK}&interval=1h&from=2026-11-16&format=csv`,
    '/svc/candles?symbols=*&interval=1M&adjustment=split&format=csv',
    '/svc/candles?symbols=@active&interval=1M&from=2026-10-01&format=csv',
    '/svc/candles?symbols=@none',
    '/svc/candles?symbols=NONE',
    '/svc/candles?symbols=*&format=json',
  ],
  'GET /svc/candles/{symbol}/origin': [
    `/svc/candles/${STOCK}/origin?at=2026-11-16`,
    `/svc/candles/${STOCK}/origin?at=2026-11-16T15:00:00Z&interval=15m`,
    `/svc/candles/${STOCK}/origin?at=2026-11-15`,
    '/svc/candles/NONE/origin?at=2026-11-16',
    `/svc/candles/${STOCK}/origin`,
  ],
  'GET /svc/files': [...inAllFormats('/svc/files'), '/svc/files?dataset=candles'],
  'GET /svc/files/{version}/{name}': [
    '/svc/files/1-mwm2k5c0/candles-1d-2025.parquet',
    '/svc/files/1-mwm2k5c0/adjustments.parquet',
    '/svc/files/0-0/candles-1d-2025.parquet',
    '/svc/files/0-0.key_x.g1.0/candles-1d-2025.parquet',
  ],
  'GET /svc/quotes/{symbol}': [...inAllFormats(`/svc/quotes/${STOCK}`), '/svc/quotes/NONE'],
  'GET /svc/quotes/batch': [
    ...inAllFormats(`/svc/quotes/batch?symbols=${STOCK},${FUND},NONE`),
    `/svc/quotes/batch?symbols=${STOCK}`,
    '/svc/quotes/batch',
  ],
  'GET /svc/screener': [
    ...inAllFormats('/svc/screener?limit=5'),
    '/svc/screener?limit=200&sort=pe_ratio&order=asc',
    '/svc/screener?sector=nothing',
    '/svc/screener?exchange=LSE',
    ...inAllFormats(
      '/svc/screener?where=close>sma(20)&columns=sma(20),close>1&sort=rsi(14)&limit=5',
    ),
    '/svc/screener?where=close>smaa(20)',
    `/svc/screener?where=rsi(14)>50+and+close>1&explain=true&symbols=${STOCK},${FUND},NONE`,
    '/svc/screener?as_of=2026-06-30&limit=2',
  ],
  'GET /svc/study': [
    '/svc/study?where=close>sma(20)&horizons=1,5',
    ...inAllFormats('/svc/study?where=close>sma(20)&rows=events&horizons=5&from=2026-11-01'),
    '/svc/study?where=rsi($n)<50&$n=5,10&rows=groups&by=month&horizons=5&from=2026-10-01&format=csv',
    '/svc/study?where=close>open&mode=matches&entry=next_close&rows=days&from=2026-11-10&horizons=1',
    '/svc/study?factor=pct_change(close,20)&horizons=5&from=2026-06-01',
    '/svc/study?where=sector=%27x%27',
    '/svc/study?where=close>smaa(20)',
  ],
  'GET /svc/symbols': [
    ...inAllFormats('/svc/symbols?limit=5'),
    '/svc/symbols?limit=100&type=etf',
    '/svc/symbols?limit=0',
  ],
  'GET /svc/symbols/{symbol}': [
    `/svc/symbols/${STOCK}`,
    `/svc/symbols/${FUND}`,
    '/svc/symbols/NONE',
    `/svc/symbols/${STOCK}?format=csv`,
  ],
  'GET /svc/indicators': ['/svc/indicators', '/svc/indicators?limit=1'],
  'GET /svc/corporate-actions/{symbol}': [
    ...inAllFormats(`/svc/corporate-actions/${STOCK}`),
    '/svc/corporate-actions/NONE',
  ],
  'GET /svc/factors/{symbol}': [
    ...inAllFormats(`/svc/factors/${STOCK}`),
    `/svc/factors/${FUND}`,
    '/svc/factors/NONE',
  ],
  'GET /svc/fundamentals/{symbol}/statements': [
    ...inAllFormats(`/svc/fundamentals/${STOCK}/statements`),
    `/svc/fundamentals/${STOCK}/statements?period=ttm&limit=100&as_of=2026-06-30`,
    `/svc/fundamentals/${FUND}/statements`,
    `/svc/fundamentals/${STOCK}/statements?period=daily`,
    `/svc/fundamentals/${STOCK}/statements?explain=true&limit=1`,
    `/svc/fundamentals/${STOCK}/statements?explain=true&format=csv`,
  ],
  'GET /svc/fundamentals/{symbol}/balance-sheet': [
    ...inAllFormats(`/svc/fundamentals/${STOCK}/balance-sheet`),
    `/svc/fundamentals/${SHARE_CLASS}/balance-sheet?period=quarterly&limit=100`,
    '/svc/fundamentals/NONE/balance-sheet',
  ],
  'GET /svc/fundamentals/{symbol}/cash-flow': [
    ...inAllFormats(`/svc/fundamentals/${STOCK}/cash-flow`),
    `/svc/fundamentals/${SHARE_CLASS}/cash-flow?period=ttm&limit=3`,
    '/svc/fundamentals/NONE/cash-flow',
  ],
  'GET /svc/fundamentals/{symbol}/ratios': [
    ...inAllFormats(`/svc/fundamentals/${STOCK}/ratios`),
    `/svc/fundamentals/${SHARE_CLASS}/ratios?period=ttm&limit=3`,
    '/svc/fundamentals/NONE/ratios',
  ],
  'GET /svc/filings/{symbol}': [
    ...inAllFormats(`/svc/filings/${STOCK}?limit=5`),
    `/svc/filings/${STOCK}?form=10-K&limit=3`,
    `/svc/filings/${STOCK}?from=2026-01-01&to=2026-06-30`,
    `/svc/filings/${FUND}`,
    '/svc/filings/NONE',
    `/svc/filings/${STOCK}?from=yesterday`,
  ],
  'GET /svc/insider/{symbol}': [
    ...inAllFormats(`/svc/insider/${STOCK}?limit=5`),
    `/svc/insider/${SHARE_CLASS}?limit=100`,
    `/svc/insider/${STOCK}?transaction_type=steal`,
  ],
  'GET /svc/insider/{symbol}/summary': [
    `/svc/insider/${STOCK}/summary`,
    `/svc/insider/${FUND}/summary`,
    '/svc/insider/NONE/summary',
  ],
  'GET /svc/news': [
    ...inAllFormats('/svc/news?limit=5'),
    '/svc/news?limit=100',
    '/svc/news?sentiment=glad',
  ],
  'GET /svc/news/{symbol}': [
    ...inAllFormats(`/svc/news/${STOCK}?limit=5`),
    `/svc/news/${FUND}`,
    '/svc/news/NONE',
  ],
  'GET /svc/analyst-consensus/{symbol}': [
    `/svc/analyst-consensus/${STOCK}`,
    `/svc/analyst-consensus/${FUND}`,
  ],
  'GET /svc/analyst-targets/{symbol}': [
    ...inAllFormats(`/svc/analyst-targets/${STOCK}`),
    '/svc/analyst-targets/NONE',
  ],
  'GET /svc/upgrades-downgrades/{symbol}': [
    ...inAllFormats(`/svc/upgrades-downgrades/${STOCK}?limit=5`),
    `/svc/upgrades-downgrades/${SHARE_CLASS}?limit=100`,
    '/svc/upgrades-downgrades/NONE',
  ],
  'GET /svc/universes': inAllFormats('/svc/universes'),
  'GET /svc/universes/{name}': [
    ...inAllFormats('/svc/universes/active?as_of=2026-06-30'),
    '/svc/universes/All?format=csv',
    '/svc/universes/al',
    '/svc/universes/all?as_of=2026-6-30',
  ],
  'GET /svc/options/{symbol}/expirations': [
    ...inAllFormats(`/svc/options/${STOCK}/expirations`),
    `/svc/options/${FUND}/expirations`,
    '/svc/options/NONE/expirations',
  ],
  'GET /svc/earnings/calendar': [
    ...inAllFormats('/svc/earnings/calendar?limit=5'),
    '/svc/earnings/calendar?from=2026-10-01&to=2026-12-31&limit=100',
    '/svc/earnings/calendar?from=2026-01-01&to=2026-12-31',
  ],
  // Heads alone: a stream has no end.
  'GET /svc/stream': [
    '/svc/stream?events=data.ready,quote.updated&symbols=QXIR',
    '/svc/stream',
    '/svc/stream?events=screener.matched',
    '/svc/stream?events=screener.matched&screens=scr_none',
  ],
};

/** Paths of no operation, and calls that no operation lets in. */
export const GOLDEN_REFUSALS: readonly string[] = ['/svc', '/svc/nothing', '/svc/quotes/%ff'];
