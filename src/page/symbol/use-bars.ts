/** The bars of a chart: the newest first, older ones as the view moves back. */

import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { SessionChoice } from '../../base/time/intervals.ts';
import {
  rowAtOrBefore,
  type Series,
  seriesFromCsv,
  withNewer,
  withOlder,
} from '../chart/series.ts';
import { isDrawn, withDrawn } from '../chart/zigzag.ts';
import { onSymbolChange } from '../live/symbol-changes.ts';
import { asFailure, getText, type RequestFailure } from '../state/request.ts';
import { type Requested, useRequest } from '../state/use-request.ts';
import type { ChartAddress } from './chart-address.ts';
import { limitOfRange } from './ranges.ts';

export interface LoadedBars {
  series: Series;
  isDaily: boolean;
  /** Price basis of the bars, as the server names it. */
  adjustment: string;
  /** Texts of the indicators that the series has. */
  indicators: readonly string[];
  /** Key of symbol, interval, adjustment and hours. */
  subject: string;
  /** True once no older bars exist. */
  isWhole: boolean;
}

export interface Bars extends Requested<LoadedBars> {
  /** @param isRetry True repeats a request that failed. */
  loadOlder: (isRetry?: boolean) => void;
  isLoadingOlder: boolean;
  olderFailure: RequestFailure | undefined;
  /** True if there are older bars than the chart may hold. */
  isFull: boolean;
}

/** Bars that a chart holds at most, a year of minutes; each takes some 500 bytes. */
export const BARS_MAX = 100_000;

interface Extended {
  base: LoadedBars;
  bars: LoadedBars;
}

export function isDailyInterval(interval: string): boolean {
  return interval === '1d' || interval === '1w' || interval === '1M';
}

/** Returns the chosen hours where they are not the usual ones. */
function sessionOf({ interval, session }: ChartAddress): SessionChoice | undefined {
  return isDailyInterval(interval) || session === 'regular' ? undefined : session;
}

async function requestBars(
  chart: ChartAddress,
  subject: string,
  limit: number | 'all',
  { fromMs, toMs }: { fromMs?: number; toMs?: number },
  signal?: AbortSignal,
): Promise<LoadedBars> {
  const { symbol, interval, adjustment, indicators } = chart;
  const session = sessionOf(chart);
  const path = `v1/svc/technical/${encodeURIComponent(symbol)}`;
  const moment = (ms: number | undefined) => (ms === undefined ? ms : new Date(ms).toISOString());
  const window = { from: moment(fromMs), to: moment(toMs) };
  const served = indicators.filter((key) => !isDrawn(key));
  const list = served.length === 0 ? undefined : served.join(',');
  const query = {
    interval,
    adjustment,
    session,
    indicators: list,
    limit,
    ...window,
    format: 'csv',
  };
  const { text, headers } = await getText(path, query, signal);
  const isDaily = isDailyInterval(interval);
  const series = seriesFromCsv(text, isDaily);
  return {
    series,
    isDaily,
    adjustment: headers.get('X-SVC-Adjustment') ?? '',
    indicators,
    subject,
    isWhole: limit === 'all' || series.timeMs.length < limit,
  };
}

/** Requests the bars that a publish may have changed, and puts them in the place of the held ones. */
async function refreshedBars(
  chart: ChartAddress,
  held: LoadedBars,
  fromMs: number,
  signal: AbortSignal,
): Promise<LoadedBars> {
  const { timeMs } = held.series;
  // A longer bar began before the change.
  const row = rowAtOrBefore(timeMs, fromMs);
  if (row < 0) return requestBars(chart, held.subject, Math.max(timeMs.length, 1), {}, signal);
  const changed = await requestBars(chart, held.subject, 'all', { fromMs: timeMs[row] }, signal);
  const isSame = changed.adjustment === held.adjustment;
  if (!isSame) return requestBars(chart, held.subject, timeMs.length, {}, signal);
  return { ...held, series: withNewer(held.series, row, changed.series) };
}

/** @param chart Undefined sends no request. */
export function useBars(chart: ChartAddress | undefined): Bars {
  const subject = chart
    ? `${chart.symbol} ${chart.interval} ${chart.adjustment ?? ''} ${sessionOf(chart) ?? ''}`
    : '';
  const shown = useRef<LoadedBars | undefined>(undefined);
  const limit = chart ? limitOfRange(chart.range, chart.interval, sessionOf(chart)) : 0;
  const key = chart && `${subject} ${limit} ${chart.indicators.join(',')}`;
  const requested = useRequest(subject, key, (signal) => {
    // Another indicator keeps the older bars that are there.
    const held = shown.current?.subject === subject ? shown.current.series.timeMs.length : 0;
    const rows = limit === 'all' ? limit : Math.max(limit, held);
    return requestBars(chart!, subject, rows, {}, signal);
  });
  const [extended, extend] = useState<Extended>();
  const [isLoadingOlder, setLoadingOlder] = useState(false);
  const [olderFailure, setOlderFailure] = useState<RequestFailure>();
  const base = requested.value;
  const value = base && extended?.base === base ? extended.bars : base;
  shown.current = value;

  const isBusy = useRef(false);
  const failedAt = useRef<LoadedBars | undefined>(undefined);
  const loadOlder = useCallback(
    (isRetry?: boolean) => {
      const bars = shown.current;
      if (!chart || !base || !bars || bars.isWhole || isBusy.current) return;
      // Each movement of the chart calls this; only a person repeats what failed.
      if (failedAt.current === bars && !isRetry) return;
      const { timeMs } = bars.series;
      if (timeMs.length === 0 || timeMs.length >= BARS_MAX) return;
      isBusy.current = true;
      setLoadingOlder(true);
      setOlderFailure(undefined);
      // Doubling keeps the number of redraws small, however far one scrolls.
      const rows = Math.min(Math.max(1000, timeMs.length), 20_000, BARS_MAX - timeMs.length);
      requestBars(chart, subject, rows, { toMs: timeMs[0] - 1 })
        .then((older) => {
          // A publish may have brought newer bars meanwhile.
          const now = shown.current;
          if (now?.subject !== subject || now.series.timeMs[0] !== timeMs[0]) return;
          const series = withOlder(older.series, now.series);
          extend({ base, bars: { ...now, series, isWhole: older.isWhole } });
        })
        .catch((error: unknown) => {
          failedAt.current = bars;
          setOlderFailure(asFailure(error));
        })
        .finally(() => {
          isBusy.current = false;
          setLoadingOlder(false);
        });
    },
    [key, base],
  );
  useEffect(() => {
    if (!chart || !base) return;
    const abort = new AbortController();
    const stop = onSymbolChange(chart.symbol, ({ fromMs }) => {
      refreshedBars(chart, shown.current ?? base, fromMs, abort.signal)
        .then((bars) => {
          // Older bars that came meanwhile stay; the next publish brings the newer ones again.
          if (shown.current && shown.current.series.timeMs[0] >= bars.series.timeMs[0])
            extend({ base, bars });
        })
        // The bars stay as they are; the quote and the next publish say more.
        .catch(() => undefined);
    });
    return () => {
      abort.abort();
      stop();
    };
  }, [key, base]);
  const drawn = useMemo(
    () => value && { ...value, series: withDrawn(value.series, value.indicators) },
    [value],
  );
  return {
    ...requested,
    value: drawn,
    loadOlder,
    isLoadingOlder,
    olderFailure,
    isFull: value !== undefined && !value.isWhole && value.series.timeMs.length >= BARS_MAX,
  };
}
