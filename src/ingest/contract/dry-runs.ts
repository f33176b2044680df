/** What a run would ask of a vendor, before it asks: requests and the bars that may come. Pure. */

import { ParameterError } from '../../base/errors.ts';
import { limits } from '../../base/limits/limits.ts';
import { sessionsBetween } from '../../base/time/calendar.ts';
import { dayFromDate } from '../../base/time/dates.ts';
import { alpacaQuestions } from '../vendors/alpaca/source.ts';
import { eodhdQuestions, eodhdSessions } from '../vendors/eodhd/source.ts';
import { massiveSessions } from '../vendors/massive/market.ts';
import { massiveQuestions } from '../vendors/massive/symbols.ts';
import type { VendorInterval } from '../vendors/shared/vendor-bars.ts';
import { type DayRange, missingDays } from '../vendors/shared/vendor-days.ts';
import { tiingoQuestions } from '../vendors/tiingo/source.ts';
import type { SourceOptions } from './source-options.ts';

/** Both are upper bounds where a symbol may have been listed later, or not trade every minute. */
export interface FetchPlan {
  requests: number;
  bars: number;
  /** Of datasets other than candles; undefined means none. */
  rows?: number;
  /** Of whole files, which lie on disk while they are read; undefined means none. */
  downloadBytes?: number;
  /** How many requests run beside one another; default one. */
  requestsAtOnce?: number;
}

/** Symbols that trade on a day, for plans of the whole market. */
const MARKET_SYMBOLS = 11_000;
const MINUTES_PER_SESSION = 390;
/** Dividends and splits of the whole market in a year: how many pages a list may have. */
const ACTIONS_PER_YEAR = 45_000;
const SESSIONS_PER_YEAR = 252;

function barsOf({ fromDay, toDay }: DayRange, interval: VendorInterval): number {
  // Before the calendar starts there is little to be fetched.
  const first = Math.max(fromDay, dayFromDate('1962-01-01'));
  return sessionsBetween(first, toDay).length * (interval === '1d' ? 1 : MINUTES_PER_SESSION);
}

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);

export function planAlpaca(options: SourceOptions, nowMs: number): FetchPlan {
  const bars = alpacaQuestions(options, nowMs).map(
    (question) => question.symbols.length * barsOf(question, question.interval),
  );
  const pages = bars.map((count) => 1 + Math.ceil(count / limits.alpaca.barsPerPage));
  return { requests: sum(pages), bars: sum(bars) };
}

export function planMassive(options: SourceOptions, nowMs: number): FetchPlan {
  if (options.path !== undefined) {
    throw new ParameterError('plan', 'flat files on disk need no requests: leave out --plan');
  }
  if (options.symbols === undefined) {
    const sessions = massiveSessions(options, nowMs).length;
    const actions = (ACTIONS_PER_YEAR * sessions) / SESSIONS_PER_YEAR;
    const pages = 2 + Math.floor(actions / limits.massive.actionsPerPage);
    const requests = sessions > 1 ? sessions + pages : 2 * sessions;
    return { requests, bars: sessions * MARKET_SYMBOLS };
  }
  const questions = massiveQuestions(options, nowMs);
  const bars = questions.flatMap(({ missing, interval }) =>
    missing.map((range) => barsOf(range, interval)),
  );
  const pages = bars.map((count) => Math.max(1, Math.ceil(count / limits.massive.barsPerPage)));
  return { requests: 2 * questions.length + sum(pages), bars: sum(bars) };
}

export function planTiingo(options: SourceOptions, nowMs: number): FetchPlan {
  const questions = tiingoQuestions(options, nowMs);
  const bars = sum(questions.map((question) => barsOf(question, '1d')));
  return { requests: questions.length, bars };
}

export function planEodhd(options: SourceOptions, nowMs: number): FetchPlan {
  if (options.symbols === undefined) {
    const sessions = eodhdSessions(options, nowMs).length;
    return { requests: 3 * sessions, bars: sessions * MARKET_SYMBOLS };
  }
  const questions = eodhdQuestions(options, nowMs);
  const bars = sum(questions.map((question) => barsOf(question, '1d')));
  return { requests: 3 * questions.length, bars };
}

/** Upgrades and downgrades of a large company since 2012. */
const YAHOO_ROWS_PER_SYMBOL = 1000;

/** Yahoo is asked of every symbol, to now: its prices are adjusted up to then. */
export function planYahoo(options: SourceOptions, nowMs: number): FetchPlan {
  const { symbols = [], lastStoredDay, dataset } = options;
  if (symbols.length === 0) throw new ParameterError('symbols', 'yahoo needs --symbols');
  // A cookie and a crumb come first.
  if (dataset !== undefined) {
    return { requests: 2 + symbols.length, bars: 0, rows: symbols.length * YAHOO_ROWS_PER_SYMBOL };
  }
  const first = dayFromDate(limits.ingest.earliestDate);
  const bars = symbols.map((symbol) => {
    const range = missingDays(lastStoredDay?.(symbol), first, options, { interval: '1d', nowMs });
    return limits.yahoo.overlapSessions + (range ? barsOf(range, '1d') : 0);
  });
  return { requests: symbols.length, bars: sum(bars) };
}
