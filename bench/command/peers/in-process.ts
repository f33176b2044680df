/** Drives a peer that runs in this process. */

import { limits } from '../../../src/base/limits.ts';
import type { IndicatorRequest } from '../../../src/compute/indicators/indicator-request.ts';
import { workClock } from '../measure/cpu-time.ts';
import type { PeerData, PeerDriver, PeerMode } from './driver.ts';
import {
  type PeerBar,
  type PeerColumns,
  type PeerIndicator,
  type PeerModule,
  plainBars,
} from './peer.ts';

type AnyIndicator = PeerIndicator & {
  run(bars: unknown): unknown;
  columns?(result: unknown): PeerColumns;
};

const { nowMs } = workClock();

/** A result that is read, so that no engine can drop the call. */
let lastResult: unknown;

export function inProcessDriver(module: PeerModule, { series, nextBars }: PeerData): PeerDriver {
  const indicators = new Map<string, AnyIndicator | undefined>();
  const prepared = new Map<number, unknown>();
  const streams = new Map<string, ((bar: PeerBar) => unknown)[]>();

  const indicatorOf = ({ key, spec, params }: IndicatorRequest) => {
    if (!indicators.has(key)) {
      indicators.set(key, module.indicator(spec.name, params) as AnyIndicator | undefined);
    }
    return indicators.get(key);
  };
  const barsAt = (place: number) => {
    if (!prepared.has(place)) {
      prepared.set(place, (module.prepare ?? plainBars)(series[place]));
    }
    return prepared.get(place);
  };
  const barAt = (place: number, row: number): PeerBar => {
    const { open, high, low, close, volume } = series[place];
    const values = { open: open[row], high: high[row], low: low[row] };
    return { ...values, close: close[row], volume: volume[row] };
  };
  /** Streams that have seen all bars but the new ones. */
  const streamsOf = (request: IndicatorRequest, count: number) => {
    const known = streams.get(request.key) ?? [];
    // Each stream holds its windows: those of earlier requests make room.
    if (streams.size > limits.indicator.perRequestMax) streams.clear();
    const { stream } = indicatorOf(request)!;
    while (known.length < count) {
      const place = known.length;
      const add = stream!();
      const end = series[place].close.length - nextBars;
      for (let row = 0; row < end; row++) add(barAt(place, row));
      known.push(add);
    }
    streams.set(request.key, known);
    return known;
  };

  return {
    program: {
      name: module.name,
      version: module.version ?? 'no version',
      driven: module.description ?? 'a module, a call a symbol',
    },
    symbolsMax: series.length,
    offers: async (mode: PeerMode, request: IndicatorRequest) => {
      const indicator = indicatorOf(request);
      return mode === 'next' ? indicator?.stream !== undefined : mode === 'written' && !!indicator;
    },
    async values(request: IndicatorRequest, place: number) {
      const indicator = indicatorOf(request)!;
      const result = indicator.run(barsAt(place));
      return indicator.columns ? indicator.columns(result) : (result as PeerColumns);
    },
    async run(mode: PeerMode, request: IndicatorRequest, count: number) {
      if (mode === 'next') {
        const adds = streamsOf(request, count);
        const bars = adds.map((_, place) => {
          const { length } = series[place].close;
          return Array.from({ length: nextBars }, (_, i) => barAt(place, length - nextBars + i));
        });
        const startMs = nowMs();
        for (let i = 0; i < nextBars; i++) {
          for (let place = 0; place < count; place++) lastResult = adds[place](bars[place][i]);
        }
        return nowMs() - startMs;
      }
      const indicator = indicatorOf(request)!;
      for (let place = 0; place < count; place++) barsAt(place);
      const startMs = nowMs();
      for (let place = 0; place < count; place++) lastResult = indicator.run(prepared.get(place));
      return nowMs() - startMs;
    },
    async close() {
      prepared.clear();
      streams.clear();
      if (lastResult !== undefined) lastResult = undefined;
    },
  };
}
