import { z } from 'zod';
import { MILLIS_PER_DAY } from '../../../base/bars.ts';
import type { DatasetRow } from '../../../base/datasets/dataset.ts';
import type { REPORT_TIMES } from '../../../base/datasets/market.ts';
import { SourceUnavailableError } from '../../../base/errors.ts';
import { canonicalSymbol, symbolOrFault } from '../../../base/symbols.ts';
import type { FiscalYearEnd } from '../../contract/source-options.ts';
import { checkedResponse } from '../../http/checked-response.ts';
import { text, wordsOrNull } from '../../rows/fields.ts';
import type { UncheckedRow } from '../../rows/stage-rows.ts';
import { itemRows } from '../shared/item-rows.ts';
import { calendarLimits } from '../shared/limits.ts';

const report = z.looseObject({
  symbol: text,
  name: text,
  time: text,
  epsForecast: text,
  fiscalQuarterEnding: text,
});

const answer = z.looseObject({
  data: z.looseObject({ rows: z.array(report).nullable() }).nullable(),
  message: text,
  status: z.looseObject({ rCode: z.number() }),
});

const TIMES: Record<string, (typeof REPORT_TIMES)[number]> = {
  'time-pre-market': 'before_market',
  'time-after-hours': 'after_market',
  'time-not-supplied': 'unknown',
};

const FINE = 200;

export interface EarningsRequest {
  day: number;
  asOfMs: number;
  /** Year ends of companies, by symbol, where they are known. */
  yearEnds: ReadonlyMap<string, FiscalYearEnd>;
}

/**
 * Makes rows of `earnings-calendar`; none for a day without reports.
 * @throws {MalformedInputError} the body is not of the format; names the field.
 * @throws {SourceUnavailableError} the body is an error message of Nasdaq's.
 */
export function parseNasdaqEarnings(body: string, request: EarningsRequest): UncheckedRow[] {
  const { data, message, status } = checkedResponse(body, answer, "Nasdaq's earnings calendar");
  if (data === null && status.rCode !== FINE) {
    throw new SourceUnavailableError(
      `Nasdaq is not available: it answered with ${status.rCode}: ${message ?? 'no words'}`,
    );
  }
  return itemRows(data?.rows ?? [], (row) => rowOf(row, request));
}

function rowOf(
  { symbol: ticker, name, time, epsForecast, fiscalQuarterEnding }: z.infer<typeof report>,
  { day, asOfMs, yearEnds }: EarningsRequest,
): DatasetRow | string {
  if (!ticker) return 'symbol is missing';
  const found = symbolOrFault(() => canonicalSymbol(ticker.trim().replace('/', '.'), 'nasdaq'));
  if ('fault' in found) return `symbol ${found.fault}`;
  const { symbol } = found;
  const epsEstimate = amountFromText(epsForecast ?? '');
  if (epsEstimate === undefined) return 'epsForecast is not an amount';
  const month = monthFromText(fiscalQuarterEnding ?? '');
  const quarter = month === undefined ? undefined : fiscalQuarterOf(month, yearEnds.get(symbol));
  return {
    symbol,
    companyName: wordsOrNull(name),
    date: day,
    fiscalQuarter: quarter ?? null,
    time: TIMES[time ?? ''] ?? 'unknown',
    epsEstimate,
    revenueEstimate: null,
    asOf: asOfMs,
  };
}

const AMOUNT = /^(\(?)([+-]?)\$?([+-]?)(\d{1,3}(?:,\d{3})+|\d+)?(\.\d+)?(\)?)$/;
const NOTHING = new Set(['', 'n/a', 'na', '-', '--']);

/** Reads `$1.42`, `-$0.12` or `($1,234.50)` (a loss); null for none, undefined for other texts. */
export function amountFromText(text: string): number | null | undefined {
  const trimmed = text.trim();
  if (NOTHING.has(trimmed.toLowerCase())) return null;
  const match = AMOUNT.exec(trimmed);
  if (!match) return undefined;
  const [, open, sign, innerSign, whole = '', fraction = '', close] = match;
  const isWhole = (open === '(') === (close === ')') && !(sign && innerSign) && whole + fraction;
  if (!isWhole) return undefined;
  const amount = Number(whole.replaceAll(',', '') + fraction);
  const isLoss = open === '(' || sign === '-' || innerSign === '-';
  return isLoss && amount !== 0 ? -amount : amount;
}

/** Years of 52 or 53 weeks end up to this many days before or after the month that names them. */
const SWAY_DAYS = 10;

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Converts `Oct/2026` to months since the year 0. Returns undefined for another text. */
export function monthFromText(text: string): number | undefined {
  const match = /^([a-z]{3})[a-z]*[/ -](\d{4})$/i.exec(text.trim());
  const month = match ? MONTHS.indexOf(match[1].toLowerCase()) : -1;
  return match && month >= 0 ? Number(match[2]) * 12 + month : undefined;
}

/**
 * Names the company's own quarter, as `2026-Q3`; undefined if no near year end is known, or the
 * month is not a whole number of quarters from it.
 */
export function fiscalQuarterOf(
  endMonth: number,
  yearEnd: FiscalYearEnd | undefined,
): string | undefined {
  if (!yearEnd) return undefined;
  // The month's last day names the year; 3 October still belongs to September.
  const middle = new Date((yearEnd.day - SWAY_DAYS) * MILLIS_PER_DAY);
  const yearEndMonth = middle.getUTCFullYear() * 12 + middle.getUTCMonth();
  const quarters = (endMonth - yearEndMonth) / 3;
  if (!Number.isInteger(quarters) || Math.abs(quarters) > calendarLimits.quartersMax) {
    return undefined;
  }
  const quarter = (((quarters - 1) % 4) + 4) % 4;
  const year = yearEnd.fiscalYear + Math.ceil(quarters / 4);
  return `${year}-Q${quarter + 1}`;
}
