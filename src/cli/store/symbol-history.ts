/** `symbols history`: what each day of a ticker means, and who said so. */

import { canonicalSymbol } from '../../base/symbols.ts';
import { dateFromDay } from '../../base/time/dates.ts';
import type { ListingChange } from '../../store/duckdb/securities/listing-spans.ts';
import { type ModeOptions, openVerb } from '../options.ts';
import { tableLines } from '../output.ts';

export async function showHistory(text: string, options: ModeOptions) {
  const { output, paths } = openVerb(options);
  const { showHistory } = await import('../../../jobs/inspect/symbols.ts');
  const { sentenceOf } = await import('../../store/duckdb/securities/facts/contradicting-facts.ts');
  const { reasonOf } = await import('../../store/duckdb/securities/read-security.ts');
  const found = await showHistory(paths, canonicalSymbol(text), output.onWaiting);
  const places = found.places.map(({ ticker, fromDay, toDay, role, symbol }) => {
    return { ticker, from: dateOrNull(fromDay), to: dateOrNull(toDay), symbol, role };
  });
  const facts = found.facts.map((fact) => {
    const { kind, ticker, other, source, overruled } = fact;
    const days = { on: dateOrNull(fact.day), to: dateOrNull(fact.endDay) };
    const reason = reasonOf(fact);
    const why = reason === null ? '' : `, ${reason}`;
    const text = `${sentenceOf(fact)}${why}${overruled === null ? '' : OVERRULED[overruled]}`;
    return { kind, ticker, ...days, other, reason, source, overruled, text };
  });
  const rows = places.map(({ ticker, from, to, symbol, role }) => {
    return [ticker, from ?? 'always', to ?? 'now', symbol ?? 'none', WHY[role]];
  });
  const listings = found.listings.map(({ day, ...change }) => {
    return { ...change, on: dateFromDay(day), text: changeText(change) };
  });
  const { symbol, doubts } = found;
  output.result({ mode: options.mode, symbol, places, facts, listings, doubts }, [
    found.symbol,
    ...tableLines([['ticker', 'from', 'to', 'means', 'because'], ...rows]),
    ...facts.map(({ text: sentence, source }) => `${sentence} (${source})`),
    ...listings.map(
      ({ text: sentence, on, list }) => `${sentence} in the directory of ${on} (${list})`,
    ),
    ...doubts,
  ]);
}

/** Reasons why a fact has no effect. */
const OVERRULED = {
  prices: ', which prices contradict: it has no effect',
  stated: ': it has no effect beside what was stated',
  traded: ', but it was traded later: it has no effect',
  listed: ', but a later directory lists it: it has no effect',
  unconfirmed: ', which no directory confirms: it has no effect',
  earlier: ': it adds nothing to the one before',
} as const;

/** Returns a difference between two directories in words. */
function changeText({ kind, ticker, before, after }: Omit<ListingChange, 'day' | 'list'>): string {
  const [from, to] = [before, after].map((one) => one ?? 'nothing');
  if (kind === 'listed') return `${ticker} is listed for the first time`;
  if (kind === 'gone') return `${ticker} is not listed any more`;
  return kind === 'renamed'
    ? `${ticker} is named ${to}, before ${from}`
    : `${ticker} is traded on ${to}, before on ${from}`;
}

/** Reasons why days of a ticker mean a security. */
const WHY = {
  held: 'stated',
  open: 'nothing else is stated',
  past: 'it has the ticker next',
  late: 'it had the ticker just before',
  given: 'stated',
  free: 'no other has the ticker',
} as const;

/** Returns the date of a day; null is open. */
export function dateOrNull(day: number | null): string | null {
  return day === null ? null : dateFromDay(day);
}
