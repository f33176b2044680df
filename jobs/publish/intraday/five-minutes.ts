/** Five-minute bars of a symbol whose minutes and five-minute bars are both stored. */

import {
  type BarColumns,
  type Basis,
  barRows,
  joinedBars,
  MICROS_PER_MILLI,
  millisFromMicros,
} from '../../../src/base/bars.ts';
import { sessionCloseMs } from '../../../src/base/time/calendar.ts';
import { resampleIntraday } from '../../../src/compute/bars/resample-intraday.ts';
import { type SessionSpan, sessionSpans } from '../../../src/compute/bars/session-spans.ts';
import {
  type Candidate,
  type Closes,
  winnerPieces,
} from '../../../src/store/duckdb/vintages/winner-pieces.ts';

export interface StoredBars {
  basis: Basis;
  bars: BarColumns;
}

/**
 * Resamples minutes, and splices stored five-minute bars before and after them, under the rule for
 * two sources: one basis, and closes of five common sessions that agree after a constant factor.
 */
export function fiveMinutes(minutes: StoredBars, stored: StoredBars): BarColumns {
  const made = resampleIntraday(minutes.bars, '5m');
  const series = [made, stored.bars];
  const bases = [minutes.basis, stored.basis];
  const closes = series.map(sessionCloses);
  if (closes[0].sessions.length === 0) return stored.bars;
  if (closes[1].sessions.length === 0) return made;
  const pieces = winnerPieces(
    closes.map(({ sessions }, seriesId) => candidateOf(sessions, seriesId, bases[seriesId])),
    new Map(closes.entries()),
  );
  return pieces
    .map(({ seriesId, fromUs, toUs, factor }) => {
      const { timestampUs, sessions } = closes[seriesId];
      const within = sessions.filter((_, i) => timestampUs[i] >= fromUs && timestampUs[i] <= toUs);
      const [first, last] = [within[0], within[within.length - 1]];
      return scaled(barRows(series[seriesId], first.start, last.end), factor);
    })
    .reduce((before, piece) => joinedBars(before, piece));
}

interface SessionCloses extends Closes {
  sessions: SessionSpan[];
}

function sessionCloses({ timestampUs, close }: BarColumns): SessionCloses {
  const sessions = sessionSpans(millisFromMicros(timestampUs));
  return {
    sessions,
    timestampUs: Float64Array.from(sessions, ({ end }) => Number(timestampUs[end - 1])),
    close: Float64Array.from(sessions, ({ end }) => close[end - 1]),
  };
}

function candidateOf(sessions: readonly SessionSpan[], seriesId: number, basis: Basis): Candidate {
  const [first, last] = [sessions[0], sessions[sessions.length - 1]];
  const lastUs = sessionCloseMs(last.day) * MICROS_PER_MILLI;
  return { seriesId, basis, firstUs: first.openMs * MICROS_PER_MILLI, lastUs };
}

function scaled(bars: BarColumns, factor: number): BarColumns {
  if (factor === 1) return bars;
  const { timestampUs, open, high, low, close, volume } = bars;
  const price = (column: Float64Array) => column.map((value) => value * factor);
  return {
    timestampUs,
    open: price(open),
    high: price(high),
    low: price(low),
    close: price(close),
    volume: volume.map((value) => value / factor),
  };
}
