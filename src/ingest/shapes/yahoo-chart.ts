/** Yahoo's chart v8: times, columns of quotes, adjusted closes, and events by time. */

import { MalformedInputError } from '../../base/errors.ts';
import type { JsonObject } from '../inputs/json-line.ts';
import { PRICE_FIELDS } from './fields.ts';
import type { BodyBar, BodyFacts } from './shape.ts';

interface ChartResult {
  meta: {
    symbol?: string;
    currency?: string;
    dataGranularity?: string;
    exchangeTimezoneName?: string;
    gmtoffset?: number;
  };
  timestamp?: number[];
  indicators: { quote: Record<string, unknown[]>[]; adjclose?: Record<string, unknown[]>[] };
  events?: {
    dividends?: Record<string, { date: number; amount: number }>;
    capitalGains?: Record<string, { date: number; amount: number }>;
    splits?: Record<string, { date: number; numerator: number; denominator: number }>;
  };
}

/** @returns undefined for another body. */
export function yahooBars(body: JsonObject): BodyBar[] | undefined {
  const { result } = (body.chart ?? {}) as { result?: unknown };
  if (!Array.isArray(result)) return undefined;
  const charts = result.filter(isChart);
  return charts.length === 0 ? undefined : charts.flatMap(barsOfChart);
}

function isChart(value: ChartResult | null): value is ChartResult {
  return typeof value?.meta === 'object' && Array.isArray(value.indicators?.quote);
}

function barsOfChart({ meta, timestamp = [], indicators, events }: ChartResult): BodyBar[] {
  const [quote = {}] = indicators.quote;
  const adjusted = indicators.adjclose?.[0]?.adjclose;
  const columns: Record<string, unknown[] | undefined> = {
    ...Object.fromEntries([...PRICE_FIELDS, 'volume'].map((name) => [name, quote[name]])),
    ...(adjusted && { 'Adj Close': adjusted }),
  };
  for (const [name, values] of Object.entries(columns)) {
    if (values?.length === timestamp.length || timestamp.length === 0) continue;
    throw new MalformedInputError(
      `"${name}" has ${values?.length ?? 0} values for ${timestamp.length} times`,
    );
  }
  const isDaily = meta.dataGranularity === '1d';
  const dayOf = dayInZone(meta);
  const actions = isDaily ? actionsByDay(events, dayOf) : undefined;
  // Yahoo's prices are adjusted for splits; an adjusted close tells the same.
  const facts: BodyFacts = { ...factsOfChart(meta), ...(!adjusted && { basis: 'split' }) };
  return timestamp.flatMap((seconds, row) => {
    const date = isDaily ? dayOf(seconds) : seconds;
    // Yahoo writes null where nothing was traded. The actions of such a day count all the same.
    const isEmpty = PRICE_FIELDS.every((name) => columns[name]?.[row] == null);
    if (isEmpty && !actions?.days.has(String(date))) return [];
    const values = Object.entries(columns).map(([name, list]) => [name, list?.[row]]);
    return [{ bar: { date, ...Object.fromEntries(values), ...actions?.of(String(date)) }, facts }];
  });
}

function factsOfChart({ symbol, currency, dataGranularity }: ChartResult['meta']): BodyFacts {
  return {
    ...(symbol && { symbol }),
    ...(currency && { currency }),
    ...(dataGranularity && { interval: dataGranularity }),
  };
}

/** The day of a time on the exchange's clocks. */
function dayInZone({
  exchangeTimezoneName,
  gmtoffset = 0,
}: ChartResult['meta']): (seconds: number) => string {
  if (exchangeTimezoneName === undefined) {
    return (seconds) => new Date((seconds + gmtoffset) * 1000).toISOString().slice(0, 10);
  }
  // Canada writes dates as ISO 8601 does.
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: exchangeTimezoneName,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return (seconds) => format.format(seconds * 1000);
}

/** Columns of the actions of a day, and the days of actions. A response with some has all. */
function actionsByDay(
  events: ChartResult['events'],
  dayOf: (seconds: number) => string,
): { of(day: string): JsonObject; days: ReadonlySet<string> } | undefined {
  if (events === undefined) return undefined;
  const paid = (records: Record<string, { date: number; amount: number }> = {}) => {
    const byDay = new Map<string, number>();
    for (const { date, amount } of Object.values(records)) {
      byDay.set(dayOf(date), (byDay.get(dayOf(date)) ?? 0) + amount);
    }
    return byDay;
  };
  const [dividends, gains] = [paid(events.dividends), paid(events.capitalGains)];
  const splits = new Map(
    Object.values(events.splits ?? {}).map(({ date, numerator, denominator }) => [
      dayOf(date),
      numerator / denominator,
    ]),
  );
  return {
    of: (day) => ({
      Dividends: dividends.get(day) ?? 0,
      'Stock Splits': splits.get(day) ?? 0,
      ...(events.capitalGains && { 'Capital Gains': gains.get(day) ?? 0 }),
    }),
    days: new Set([...dividends.keys(), ...gains.keys(), ...splits.keys()]),
  };
}
