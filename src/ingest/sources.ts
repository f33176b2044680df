/** Every source in one table: what it gives, what it costs, what its terms allow, how it is run. */

import type { FetchContext, FetchedSegment } from './fetch-context.ts';
import type { SourceOptions } from './source-options.ts';

export interface Source {
  /** Name in `backfill <source>` and in the store. */
  id: string;
  title: string;
  datasets: readonly string[];
  history: string;
  delay: string;
  cost: string;
  keyNeeded: boolean;
  /** Where the terms are, or whose they are. */
  terms: string;
  /** Whether its data may be passed on to others. */
  redistribution: string;
  /** What the connector was tried against. */
  verified: string;
  /**
   * Fetches what the options ask for. Each segment can be used until the next is asked for.
   * Undefined where there are no candles, which a job of its own loads.
   *
   * @throws as the source's own module says.
   */
  fetch?(options: SourceOptions, context: FetchContext): AsyncIterable<FetchedSegment>;
}

export const sources: readonly Source[] = [
  {
    id: 'stooq',
    title: 'Stooq bulk download, daily US bars',
    datasets: ['candles'],
    history: 'whole histories, some from 1970 on; adjusted for splits and dividends',
    delay: 'as of the day of the download',
    cost: 'free; the zip is downloaded by hand, behind a CAPTCHA',
    keyNeeded: false,
    terms: 'https://stooq.com/about/',
    redistribution: 'no',
    verified: 'a real bulk file of 33 funds to July 2026',
    async *fetch(options, context) {
      yield* (await import('./sources/stooq.ts')).fetchStooq(options, context);
    },
  },
  {
    id: 'files',
    title: 'Your own CSV, JSON lines or Parquet files',
    datasets: ['candles'],
    history: 'as in the files',
    delay: 'as in the files',
    cost: 'none',
    keyNeeded: false,
    terms: 'those of whoever the files come from',
    redistribution: 'as whoever the files come from allows',
    verified: 'real files of ten vendors and tools',
    async *fetch(options, context) {
      yield* (await import('./sources/files.ts')).fetchFiles(options, context);
    },
  },
  {
    id: 'yahoo',
    title: 'Yahoo Finance charts, daily bars, splits and dividends',
    datasets: ['candles', 'corporate actions'],
    history: 'whole histories of listed symbols; nothing of delisted ones',
    delay: 'the session is complete after its close',
    cost: 'free, unofficial; for tens of symbols, refused for hours when asked too often',
    keyNeeded: false,
    terms: 'https://legal.yahoo.com/us/en/yahoo/terms/otos/index.html',
    redistribution: 'no',
    verified: 'recorded answers; not asked live by the tests',
    async *fetch(options, context) {
      yield* (await import('./sources/yahoo.ts')).fetchYahoo(options, context);
    },
  },
  {
    id: 'symbols',
    title: "Nasdaq Trader's and the SEC's directories of symbols",
    datasets: ['symbols'],
    history: 'the symbols listed today',
    delay: 'made every day',
    cost: 'free; local files, or over the network with TAPEWORKS_CONTACT',
    keyNeeded: false,
    terms:
      'https://www.nasdaqtrader.com/Trader.aspx?id=SymbolDirDefs and https://www.sec.gov/privacy',
    redistribution: 'the SEC: yes; Nasdaq Trader: see its terms',
    verified: 'real files: Nasdaq Trader of October 2019, the SEC of later',
  },
  {
    id: 'sandbox',
    title: 'Synthetic market of companies that do not exist',
    datasets: ['candles', 'corporate actions', 'symbols'],
    history: 'five years, extended to the latest completed session',
    delay: 'none',
    cost: 'none',
    keyNeeded: false,
    terms: 'none: the data is made by Tapeworks',
    redistribution: 'yes',
    verified: 'generated from a fixed seed',
    async *fetch(options, context) {
      const { sandboxSegments } = await import('./sources/sandbox.ts');
      const { fromDay, toDay } = options;
      yield* sandboxSegments({ fromDay, toDay }, context);
    },
  },
];
