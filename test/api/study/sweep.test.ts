/** A sweep runs its studies together, and each has the bits of the study alone. */

import { beforeAll, describe, expect, it } from 'vitest';
import { studyQuery } from '../../../src/api/routes/study/query.ts';
import { answeredStudy } from '../../../src/api/study/answer.ts';
import { studyRows } from '../../../src/api/study/respond.ts';
import { ParameterError } from '../../../src/base/errors.ts';
import { compileScreen } from '../../../src/screens/plan/compile.ts';
import { ScreenMemory } from '../../../src/screens/run/screen-memory.ts';
import { placesOf, runStudies } from '../../../src/screens/study/run-study.ts';
import { studyMarket } from '../../../src/screens/study/study-market.ts';
import type { Snapshot } from '../../../src/store/arrow/snapshot/snapshot.ts';
import { published, screenMarket } from '../../screens/run/market.ts';
import { finished } from '../../screens/run/support/finished.ts';
import { sharedFolder } from '../../support/folders.ts';
import { someOf } from '../../support/store-runs.ts';

let snapshot: Snapshot;
const folder = sharedFolder();

beforeAll(async () => {
  snapshot = await published(folder, screenMarket());
});

function rowsOf(query: Record<string, string>) {
  const text = new URLSearchParams({ horizons: '1,5,20', ...query }).toString();
  const asked = studyQuery(text, undefined);
  return studyRows(finished(answeredStudy(snapshot, new ScreenMemory(1e8), asked)).table);
}

const SWEEPS: Record<string, string>[] = [
  { where: 'rsi($n) < $m and close > sma($n)', $n: '2..6:1', $m: '30,45.5,60' },
  { where: 'close < open', universe: 'close > $n and volume > 0', $n: '50..90:20' },
  { where: 'close > $n', universe: 'close > $n', mode: 'matches', $n: '50,70' },
  { where: 'pe_ratio < $n or close > $m', $n: '5,10,20,40', $m: '60,80' },
  { where: 'listed_days > $n and close > sma($m)', $n: '5,40', $m: '3,9' },
  { where: 'weekly(rsi($n)) < $m and close[1] < close', $n: '2,3', $m: '40,60' },
  { where: 'rank(pct_change(close, $n)) > $m and close > sma(3)', $n: '2,5', $m: '0.3,0.6' },
  { where: 'rank(close, among close > $n) > 0.5', universe: 'volume > $m', $n: '60,70', $m: '1,9' },
  { where: 'demean(rank(close / sma($n))) > 0 and close < open', $n: '2..4:1' },
  {
    where: 'close > -$n and not (rsi($m) < 50)',
    rows: 'groups',
    by: 'month',
    $n: '0,1',
    $m: '2,4',
  },
  // Studies have thousands of events in common.
  { where: 'close > $n', mode: 'matches', $n: '-1,16,33,50' },
  { where: 'if(weekday = $n, close, open) < open', entry: 'next_close', $n: '1..5:1' },
];

describe('a sweep', () => {
  it.each(someOf(SWEEPS, 2))('of $where has the bits of single studies', (sweep) => {
    const swept = rowsOf(sweep);
    const names = Object.keys(sweep).filter((name) => name.startsWith('$'));
    const keyOf = (row: Record<string, unknown>) => JSON.stringify(names.map((name) => row[name]));
    const byKey = Map.groupBy(swept, keyOf);
    const count = names.reduce((product, name) => product * valuesOf(sweep[name]).length, 1);
    expect(byKey.size).toBe(count);
    let events = 0;
    for (const rows of byKey.values()) {
      const own = Object.fromEntries(names.map((name) => [name, String(rows[0][name])]));
      expect(rows).toEqual(rowsOf({ ...sweep, ...own }));
      events += Number(rows[0].events);
    }
    expect(events).toBeGreaterThan(0);
  });

  it('runs the first studies if the room does not hold all', () => {
    const market = finished(studyMarket(snapshot, new ScreenMemory(1e8)));
    const studyOf = (where: string) => ({ where: compileScreen({ where }), universe: undefined });
    const studies = [50, 60, 70, 80, 90].map((price) => studyOf(`close > ${price}`));
    const run = (bytesMax: number, some = studies) => {
      const question = {
        ...{ studies: some, mode: 'matches' as const, entry: 'next_open' as const },
        ...{ horizons: [5], fromDay: 0, toDay: 1e6 },
      };
      const tooMany = () => new ParameterError('where', 'too many');
      const room = { bytesMax, eventBytes: 0, tables: [], tooMany };
      return finished(runStudies(snapshot, market, question, room));
    };
    // Events of several studies are in the order of their sessions.
    const returnsOf = ([one]: ReturnType<typeof run>) =>
      Float64Array.from(one.events.ordered(placesOf(one)), (at) => one.events.returns[0][at]);
    const alone = returnsOf(run(1e6, studies.slice(0, 1)));
    expect(alone.length).toBeGreaterThan(1000);
    expect(run(1e6)).toHaveLength(5);
    const bytes = 27 * alone.length;
    const part = run(bytes);
    // An event of several studies takes 28 bytes.
    expect(part).toHaveLength(1);
    expect(returnsOf(part)).toEqual(alone);
    expect(() => run(bytes / 2)).toThrow('too many');
    // Events of studies that are left out were counted, so these were refused though each fits.
    const apart = [1, 2, 3, 4].map((day) => studyOf(`weekday = ${day}`));
    const [{ events }] = run(1e6, apart.slice(0, 1));
    expect(run(27 * events.count, apart)).toHaveLength(1);
  });
});

function valuesOf(text: string): string[] {
  const [, from, to, step] = /^(\d+)\.\.(\d+):(\d+)$/.exec(text) ?? [];
  if (from === undefined) return text.split(',');
  return Array.from({ length: (Number(to) - Number(from)) / Number(step) + 1 }, (_, i) => `${i}`);
}
