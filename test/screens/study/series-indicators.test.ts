import { describe, expect, it } from 'vitest';
import { seriesIndicators } from '../../../src/screens/study/series-indicators.ts';

/** Bars at moments, with one rising price. */
function barsAt(...moments: string[]) {
  const timestampUs = BigInt64Array.from(moments, (moment) => BigInt(Date.parse(moment)) * 1000n);
  const close = Float64Array.from(moments, (_, i) => 10 + i + (i % 3));
  const session = new Float64Array(moments.length);
  return { timestampUs, open: close, high: close, low: close, close, volume: close, session };
}

describe('an expression over bars below a day', () => {
  it.each(['5m', '1h', '1w'] as const)('has the defaults of bars of %s', (interval) => {
    const bars = barsAt(...Array.from({ length: 30 }, (_, i) => `2025-01-06T15:${10 + i}:00Z`));
    const [named, written] = seriesIndicators(
      'historical_volatility,historical_volatility()',
      interval,
    );
    const valuesOf = ({ spec, params }: typeof named) =>
      Object.values(spec.compute(bars, params))[0];
    expect(valuesOf(written).at(-1)).toBeGreaterThan(0);
    expect(valuesOf(written)).toEqual(valuesOf(named));
  });

  it('counts a bar of the evening for the day of its trades', () => {
    // Half past seven on Monday evening in New York, and half past eight.
    const bars = barsAt('2025-01-07T00:30:00Z', '2025-01-07T01:30:00Z');
    const [{ spec }] = seriesIndicators('weekday', '5m');
    expect([...Object.values(spec.compute(bars, {}))[0]]).toEqual([1, 2]);
  });
});
