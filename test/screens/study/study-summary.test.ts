/** Summaries of many events go on in small steps, so that one study holds up no other request. */

import { expect, it } from 'vitest';
import { UniverseReturns } from '../../../src/screens/study/return-sums.ts';
import { EVENTS_AT_ONCE, StudyEvents } from '../../../src/screens/study/study-events.ts';
import { blocksOf, horizonSummaries } from '../../../src/screens/study/study-summary.ts';

it('handles a bounded number of events at a step', () => {
  const count = 5 * EVENTS_AT_ONCE;
  const events = new StudyEvents(1);
  const universe = new UniverseReturns(new Float64Array(100));
  for (let i = 0; i < count; i++) {
    const at = events.add(i % 7, i, i % 100);
    events.entered[at] = 1;
    events.returns[0][at] = (i % 1001) / 1000;
  }
  const places = Int32Array.from(Array(events.count).keys());
  const market = { marketDays: Int32Array.from({ length: 101 }, (_, session) => session) };
  const run = horizonSummaries(events, blocksOf([places]), [5], [universe], market);
  for (let steps = 0; ; steps++) {
    const { done, value } = run.next();
    if (!done) continue;
    const [[summary]] = value;
    expect(summary).toMatchObject({ events: count, days: 100, symbols: 7, universeMedian: 0 });
    expect(summary.median).toBe(0.499);
    expect(steps).toBeGreaterThan((2 * count) / EVENTS_AT_ONCE);
    break;
  }
});
