/** Parses daily bars of Yahoo's chart v8 endpoint into columns. Pure. */

import { z } from 'zod';
import {
  type BarColumns,
  type Dividend,
  MILLIS_PER_DAY,
  microsFromMillis,
  type Split,
} from '../../../base/bars.ts';
import { PRICE_CURRENCY } from '../../../base/datasets/currency.ts';
import { SourceEmptyError, UnknownSymbolError } from '../../../base/errors.ts';
import { dayFromDate } from '../../../base/time/dates.ts';
import { checkedResponse, malformed } from '../../http/checked-response.ts';
import { capitalGainDecision, type GainDay } from '../../values/capital-gains.ts';
import { declaredDividends } from '../../values/declared-dividends.ts';
import { VendorActions } from '../shared/vendor-actions.ts';

export interface YahooChart {
  /** Bars adjusted for splits; null becomes NaN; order and dates as received. */
  bars: BarColumns;
  splits: Split[];
  /** Dividends as declared: Yahoo adjusts them for later splits, and the parser undoes that. */
  dividends: Dividend[];
  /** Currency of the prices as Yahoo writes it, `GBp` for pence; US dollars where it states none. */
  currency: string;
  /** Notes on dividends of a fund that contain its capital gains. */
  notes: string[];
}

const values = z.array(z.number().nullable());
const cash = z.record(
  z.string(),
  z.object({ amount: z.number(), date: z.number(), currency: z.string().nullish() }),
);

const chartResult = z.object({
  meta: z.object({
    symbol: z.string(),
    exchangeTimezoneName: z.string(),
    dataGranularity: z.string(),
    currency: z.string().nullish(),
  }),
  timestamp: z.array(z.number()).optional(),
  events: z
    .object({
      dividends: cash.optional(),
      capitalGains: cash.optional(),
      splits: z
        .record(
          z.string(),
          z.object({ date: z.number(), numerator: z.number(), denominator: z.number() }),
        )
        .optional(),
    })
    .optional(),
  indicators: z.object({
    quote: z.array(
      z
        .object({ open: values, high: values, low: values, close: values, volume: values })
        .partial(),
    ),
    adjclose: z.array(z.object({ adjclose: values }).partial()).optional(),
  }),
});

const chartBody = z.object({
  chart: z.object({
    result: z.array(chartResult).nullable(),
    error: z.object({ code: z.string(), description: z.string().nullish() }).nullish(),
  }),
});

type ChartResult = z.infer<typeof chartResult>;
const UNKNOWN_CODE = 'Not Found';

/**
 * Parses a body of one symbol. A day is the date on the exchange's clocks at the bar's start.
 * @throws {UnknownSymbolError} Yahoo does not know the symbol.
 * @throws {SourceEmptyError} Yahoo knows it and has no bars in the range.
 * @throws {MalformedInputError} the body is not daily bars of this symbol; names the field.
 */
export function parseYahooChart(body: string, symbol: string): YahooChart {
  const result = resultOf(body, symbol);
  const { meta, timestamp = [], indicators, events = {} } = result;
  if (meta.symbol.toUpperCase() !== symbol.toUpperCase()) {
    throw malformed(titleOf(symbol), `meta.symbol is "${meta.symbol}"`);
  }
  // Yahoo answers with coarser bars when a range is too long for it.
  if (meta.dataGranularity !== '1d') {
    throw malformed(
      titleOf(symbol),
      `meta.dataGranularity is "${meta.dataGranularity}", expected "1d"`,
    );
  }
  if (timestamp.length === 0) {
    throw new SourceEmptyError(`Yahoo has no bars of "${symbol}" for the time asked`);
  }
  const dayOf = dayInZone(meta.exchangeTimezoneName, symbol);
  const title = titleOf(symbol);
  const currency = meta.currency || PRICE_CURRENCY;
  const actions = new VendorActions();
  for (const { date, numerator, denominator } of Object.values(events.splits ?? {})) {
    actions.addSplit(symbol, dayOf(date), [numerator, denominator], title);
  }
  const { splits } = actions.of(symbol);
  const days = timestamp.map(dayOf);
  const bars = barsFrom(days, indicators.quote[0] ?? {}, symbol);
  const paidBy = (paid: typeof events.dividends) => {
    const listed = new VendorActions();
    for (const { date, ...money } of Object.values(paid ?? {})) {
      // An event in the currency of the prices states none, or the same.
      const isOfPrices = (money.currency ?? currency) === currency;
      const stated = isOfPrices ? { amount: money.amount } : money;
      listed.addDividend(symbol, { exDay: dayOf(date), ...stated });
    }
    return listed.of(symbol).dividends;
  };
  const [own, gains] = [paidBy(events.dividends), paidBy(events.capitalGains)];
  const gainDays = gainDaysOf(own, gains, {
    days,
    close: bars.close,
    adjusted: indicators.adjclose?.[0]?.adjclose,
  });
  const decision = capitalGainDecision(symbol, gainDays);
  const stated = decision?.isContained ? own : [...own, ...gains];
  return {
    bars,
    splits,
    dividends: declaredDividends(sumByDay(stated), splits),
    currency,
    notes: decision ? [decision.note] : [],
  };
}

function resultOf(body: string, symbol: string): ChartResult {
  const { result, error } = checkedResponse(body, chartBody, titleOf(symbol)).chart;
  if (error?.code === UNKNOWN_CODE) {
    throw new UnknownSymbolError(symbol, `Yahoo does not know "${symbol}": ${error.description}`);
  }
  if (!result?.[0])
    throw malformed(titleOf(symbol), error ? `error ${error.code}` : 'it has no result');
  return result[0];
}

const titleOf = (symbol: string) => `Yahoo's chart of "${symbol}"`;

/** Seconds to the year 2200, and as many before 1970; a number beyond is no time. */
const SECONDS_MAX = 7_258_118_400;

/** Computes the day of epoch seconds in a zone. @throws {MalformedInputError} the time is far off. */
function dayInZone(timeZone: string, symbol: string): (seconds: number) => number {
  try {
    // Canada writes dates as ISO 8601 does.
    const format = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
    return (seconds) => {
      if (Math.abs(seconds) <= SECONDS_MAX) return dayFromDate(format.format(seconds * 1000));
      throw malformed(titleOf(symbol), `"${seconds}" is not a moment of these times`);
    };
  } catch (error) {
    throw malformed(titleOf(symbol), `"${timeZone}" is not a time zone`, error);
  }
}

function barsFrom(
  days: readonly number[],
  quote: ChartResult['indicators']['quote'][number],
  symbol: string,
): BarColumns {
  const column = (name: keyof typeof quote) => {
    const values = quote[name] ?? [];
    if (values.length !== days.length) {
      throw malformed(
        titleOf(symbol),
        `${name} has ${values.length} values for ${days.length} bars`,
      );
    }
    return Float64Array.from(values, (value) => value ?? Number.NaN);
  };
  return {
    timestampUs: microsFromMillis(days.map((day) => day * MILLIS_PER_DAY)),
    open: column('open'),
    high: column('high'),
    low: column('low'),
    close: column('close'),
    volume: column('volume'),
  };
}

interface Closes {
  days: readonly number[];
  close: Float64Array;
  adjusted: readonly (number | null)[] | undefined;
}

/** Joins gains with the dividends and closes of their days. */
function gainDaysOf(
  dividends: readonly Dividend[],
  gains: readonly Dividend[],
  { days, close, adjusted }: Closes,
): GainDay[] {
  const known = [...days.keys()]
    .filter((row) => !Number.isNaN(close[row]))
    .sort((a, b) => days[a] - days[b]);
  return gains.map(({ exDay, amount }) => {
    const at = known.findIndex((row) => days[row] === exDay);
    const [before, now] = at > 0 ? [known[at - 1], known[at]] : [];
    const share = (row: number) => (adjusted?.[row] ?? Number.NaN) / close[row];
    const isKnown = before !== undefined && now !== undefined;
    const factor = isKnown ? share(before) / share(now) : Number.NaN;
    return {
      dividend: dividends.find((one) => one.exDay === exDay)?.amount ?? 0,
      gain: amount,
      closeBefore: isKnown ? close[before] : null,
      close: isKnown ? close[now] : null,
      factor: Number.isNaN(factor) ? null : factor,
    };
  });
}

/** Adds the capital gains of a day to its dividend. */
function sumByDay(dividends: readonly Dividend[]): Dividend[] {
  const byDay = Map.groupBy(dividends, ({ exDay, currency }) => `${exDay} ${currency}`);
  return [...byDay.values()]
    .map((paid) => ({ ...paid[0], amount: paid.reduce((sum, { amount }) => sum + amount, 0) }))
    .sort((a, b) => a.exDay - b.exDay);
}
