/**
 * Writes technical responses as JSON.
 *
 * Only here rows become objects: on the pinned runtime `JSON.stringify` of objects with one shape
 * takes 0.25 ms for 250 bars with five indicators, and concatenating numbers takes 0.4 ms. It
 * converts one series at a time, so a long response never exists as objects as a whole.
 */

import { type BarColumns, millisFromMicros } from '../../../base/bars.ts';
import { volumeNumber } from '../../../base/prices/decimals.ts';
import { dateFromDay } from '../../../base/time/dates.ts';
import { NULL_INT } from '../../../store/arrow/format/batch-layout.ts';
import { type BarLabels, labelsOf, sessionColumns, sessionName } from '../../responses/sessions.ts';
import { dateTimeText } from '../../responses/time-text.ts';
import type { BarsWithIndicators, IndicatorSeries } from './columns.ts';
import type { TechnicalQuery } from './query.ts';

type Point = Record<string, string | number>;

function timestampTexts(timestampUs: BigInt64Array): string[] {
  const timestampMs = millisFromMicros(timestampUs);
  const texts: string[] = [];
  for (let row = 0; row < timestampMs.length; row++) texts.push(dateTimeText(timestampMs[row]));
  return texts;
}

function candlesText(
  timestamps: readonly string[],
  { bars }: BarsWithIndicators,
  labels: BarLabels,
): string {
  if (labels === 'sessions') return labelledText(timestamps, bars);
  const { open, high, low, close, volume } = bars;
  return JSON.stringify(
    timestamps.map((timestamp, row) => ({
      timestamp,
      open: open[row],
      high: high[row],
      low: low[row],
      close: close[row],
      volume: volumeNumber(volume[row]),
    })),
  );
}

/** Writes candles with their trade dates and sessions. */
function labelledText(timestamps: readonly string[], bars: BarColumns): string {
  const { tradeDays, sessions } = sessionColumns(millisFromMicros(bars.timestampUs));
  const { open, high, low, close, volume } = bars;
  return JSON.stringify(
    timestamps.map((timestamp, row) => ({
      timestamp,
      tradeDate: tradeDays[row] === NULL_INT ? null : dateFromDay(tradeDays[row]),
      session: sessionName(sessions[row]),
      open: open[row],
      high: high[row],
      low: low[row],
      close: close[row],
      volume: volumeNumber(volume[row]),
    })),
  );
}

/**
 * Writes the points of an indicator. A point exists where the main output does, as `value`. Outputs
 * with other names than the indicator's follow under their own names, NaN as null.
 */
function pointsText(timestamps: readonly string[], { spec, outputs }: IndicatorSeries): string {
  const main = outputs[spec.outputs.indexOf(spec.mainOutput)];
  const others = spec.outputs
    .map((name, index) => ({ name, values: outputs[index] }))
    .filter(({ name }) => name !== spec.name);
  const points: Point[] = [];
  for (let row = 0; row < main.length; row++) {
    if (!Number.isFinite(main[row])) continue;
    const point: Point = { timestamp: timestamps[row], value: main[row] };
    for (const { name, values } of others) point[name] = values[row];
    points.push(point);
  }
  return JSON.stringify(points);
}

/** Longer texts become bytes at once: a string would be copied twice more on its way. */
const TEXT_CHARS_MAX = 16_384;

/** Joins texts, which are ASCII: symbols, keys and numbers. */
function bodyFromTexts(texts: readonly string[]): string | Buffer {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (length <= TEXT_CHARS_MAX) return texts.join('');
  const buffer = Buffer.allocUnsafeSlow(length);
  let end = 0;
  for (const text of texts) end += buffer.write(text, end, 'latin1');
  return buffer;
}

export function jsonFromTechnical(
  symbol: string,
  query: Pick<TechnicalQuery, 'interval' | 'session'>,
  columns: BarsWithIndicators,
): string | Buffer {
  const timestamps = timestampTexts(columns.bars.timestampUs);
  const series = columns.indicators.map((one, index) => {
    const separator = index > 0 ? ',' : '';
    return `${separator}${JSON.stringify(one.key)}:${pointsText(timestamps, one)}`;
  });
  return bodyFromTexts([
    `{"symbol":${JSON.stringify(symbol)},"interval":"${query.interval}","indicators":{`,
    ...series,
    `},"candles":${candlesText(timestamps, columns, labelsOf(query))}}`,
  ]);
}
