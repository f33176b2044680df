/**
 * How the question to a source is cut into parts that are asked one by one, each a matter of
 * seconds to some minutes at the vendor's pace. Asked in any order and any number of times, they
 * give what the whole question would. Pure.
 */

import { limits } from '../../base/limits/limits.ts';
import { sessionsBetween } from '../../base/time/calendar.ts';
import { dateFromDay } from '../../base/time/dates.ts';
import type { SourceOptions } from '../contract/source-options.ts';
import { alpacaQuestions } from '../vendors/alpaca/source.ts';
import { eodhdQuestions, eodhdSessions } from '../vendors/eodhd/source.ts';
import { daysOf, quartersBetween, weekdaysBetween } from '../vendors/form4/edgar-days.ts';
import { massiveSessions } from '../vendors/massive/market.ts';
import { massiveQuestions } from '../vendors/massive/symbols.ts';
import { nasdaqDays } from '../vendors/nasdaq/source.ts';
import { type DayRange, monthStart } from '../vendors/shared/vendor-days.ts';
import { tiingoQuestions } from '../vendors/tiingo/source.ts';

type Cut = (options: SourceOptions, nowMs: number) => SourceOptions[];

const { slices } = limits.ingest;

const CUTS: Record<string, Cut> = {
  yahoo: (options) => bySymbols(options, options.symbols, slices.yahooSymbols),
  alpaca: cutAlpaca,
  massive: cutMassive,
  tiingo: (options, nowMs) => {
    const questions = tiingoQuestions(options, nowMs);
    return bySymbols(options, symbolsOf(questions), slices.tiingoSymbols);
  },
  eodhd: (options, nowMs) =>
    options.symbols
      ? bySymbols(options, symbolsOf(eodhdQuestions(options, nowMs)), slices.eodhdSymbols)
      : eodhdSessions(options, nowMs).map((day) => withDays(options, day, day)),
  nasdaq: (options, nowMs) =>
    chunks(nasdaqDays(options, nowMs), slices.nasdaqDays).map((days) =>
      withDays(options, days[0], days[days.length - 1]),
    ),
  cboe: (options) => bySymbols(options, options.symbols, slices.cboeSymbols),
  finnhub: (options) => bySymbols(options, options.symbols, slices.analystSymbols),
  fmp: (options) => bySymbols(options, options.symbols, slices.analystSymbols),
  sec: (options) =>
    options.bulk ? [options] : bySymbols(options, options.symbols, slices.secSymbols),
  form4: cutForm4,
};

/**
 * Empty where nothing is missing. What a source is not cut for is one part.
 *
 * @throws {ParameterError} as the source's `fetch`.
 */
export function slicesOf(source: string, options: SourceOptions, nowMs: number): SourceOptions[] {
  return CUTS[source]?.(options, nowMs) ?? [options];
}

/** What a part is of, as the user would say it: `AAPL … MSFT (10 symbols)`, `2026-11-20`. */
export function sliceTitle({ symbols, knownSymbols, fromDay, toDay }: SourceOptions): string {
  const names = symbols ?? knownSymbols ?? [];
  const [first] = names;
  const last = names[names.length - 1];
  const parts: string[] = [];
  if (names.length > 2) parts.push(`${first} … ${last} (${names.length} symbols)`);
  else if (names.length > 0) parts.push(names.join(', '));
  if (fromDay !== undefined || toDay !== undefined) {
    const days = [fromDay, toDay].map((day) => (day === undefined ? '' : dateFromDay(day)));
    parts.push(days[0] === days[1] ? days[0] : days.join('/'));
  }
  return parts.join(' ') || 'all';
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, chunk) =>
    items.slice(chunk * size, (chunk + 1) * size),
  );
}

const symbolsOf = (questions: readonly { symbol: string }[]) =>
  questions.map(({ symbol }) => symbol);

/** Without symbols the source itself says what it lacks. */
function bySymbols(
  options: SourceOptions,
  symbols: readonly string[] | undefined,
  size: number,
): SourceOptions[] {
  if (symbols === undefined) return [options];
  return chunks(symbols, size).map((some) => ({ ...options, symbols: some }));
}

function withDays(options: SourceOptions, fromDay: number, toDay: number): SourceOptions {
  return { ...options, fromDay, toDay };
}

/** Symbols of one question stay together, as far as its pages are not too many. */
function cutAlpaca(options: SourceOptions, nowMs: number): SourceOptions[] {
  return alpacaQuestions(options, nowMs).flatMap((question) => {
    const perSession = question.interval === '1d' ? 1 : limits.ingest.minutesPerSession;
    const sessions = sessionsBetween(question.fromDay, question.toDay).length;
    const pagesPerSymbol = (sessions * perSession) / limits.alpaca.barsPerPage;
    const size = Math.max(1, Math.floor(slices.alpacaPages / Math.max(pagesPerSymbol, 1e-6)));
    return chunks(question.symbols, size).map((symbols) =>
      options.symbols ? { ...options, symbols } : { ...options, knownSymbols: symbols },
    );
  });
}

/**
 * The whole market by months, because splits and dividends are stated at the end of each; all of
 * them from the first month on, so that one list serves every month.
 */
function cutMassive(options: SourceOptions, nowMs: number): SourceOptions[] {
  if (options.symbols !== undefined) {
    const missing = massiveQuestions(options, nowMs).flatMap((question) => question.missing);
    return bySymbols(options, symbolsOf(missing), slices.massiveSymbols);
  }
  const sessions = massiveSessions(options, nowMs);
  const months = [...Map.groupBy(sessions, monthStart).values()];
  if (months.length <= 1) return sessions.length === 0 ? [] : [options];
  const actionsFromDay = sessions[0] - limits.massive.lookbackDays;
  return months.map((days) => ({
    ...withDays(options, days[0], days[days.length - 1]),
    actionsFromDay,
  }));
}

/** Quarters that are over may come as one data set; the days of the current one come one by one. */
function cutForm4(options: SourceOptions, nowMs: number): SourceOptions[] {
  const { from, to, today } = daysOf(options, nowMs);
  return quartersBetween(from, to)
    .flatMap((quarter): DayRange[] => {
      const first = Math.max(quarter.firstDay, from);
      const last = Math.min(quarter.lastDay, to);
      if (quarter.lastDay < today) return [{ fromDay: first, toDay: last }];
      const days = weekdaysBetween(first, last);
      // The last part looks at today, also on days without filings.
      if (days.length === 0) return [{ fromDay: first, toDay: last }];
      return days.map((day, i) => ({
        fromDay: day,
        toDay: days[i + 1] === undefined ? last : day,
      }));
    })
    .map(({ fromDay, toDay }) => withDays(options, fromDay, toDay));
}
