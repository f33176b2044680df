/**
 * Minutes of many zones, thin and whole, of which often nothing tells zone or side: a wrong reading
 * never loads in silence. All are synthetic (`made-minutes.ts`).
 */

import { expect, it } from 'vitest';
import { fetchFiles } from '../../../src/ingest/files/source.ts';
import { scaled } from '../../faults/scale.ts';
import { eachTest } from '../support/each-test.ts';
import { type MadeFile, madeMinuteFile, madeMinuteFiles } from '../support/made-minutes.ts';
import { fetchAll } from '../support/segment-rows.ts';

const at = eachTest('2026-11-20T22:00:00Z');

const COUNT = scaled(80, 320);

const isPlain = ({ zone, isAtEnd, density, cut, kind }: MadeFile) =>
  zone === 'America/New_York' &&
  !isAtEnd &&
  density >= 0.6 &&
  cut[0] + cut[1] === 0 &&
  !kind.includes('240,570');

it('minutes of many kinds are read right, or refused with the option that decides', async () => {
  const files = madeMinuteFiles(COUNT).filter(({ bars }) => bars.length > 0);
  await at.write(Object.fromEntries(files.map(({ symbol, text }) => [`${symbol}.csv`, text])));
  const all = await fetchAll(fetchFiles({ path: at.folder }, at.context));
  const starts = Map.groupBy(
    all.flatMap(({ rows }) => rows),
    ({ symbol }) => symbol,
  );
  const skipped = all.flatMap(({ segment }) => segment.skipped);
  const reasons = new Map(skipped.map(({ name, reason }) => [name.replace('.csv', ''), reason]));
  const startsOf = ({ bars }: MadeFile) =>
    bars.map(({ startMs }) => new Date(startMs).toISOString().replace('.000', ''));
  const loaded = files.filter(({ symbol }) => starts.has(symbol));
  const wrong = loaded.filter((file) => {
    const own = starts.get(file.symbol)?.map(({ date }) => date);
    return own?.sort().join() !== startsOf(file).join();
  });
  expect(wrong.map(({ kind }) => kind)).toEqual([]);
  const refused = files.filter(({ symbol }) => !starts.has(symbol));
  const others = refused.filter(
    ({ symbol }) => !/--(zone|stamps|interval)|bars of \d+m/.test(reasons.get(symbol) ?? ''),
  );
  expect(others.map(({ symbol }) => reasons.get(symbol))).toEqual([]);
  // Whole sessions of New York at the start of bars, thin or dense, load without an option.
  expect(refused.filter(isPlain).map(({ kind }) => kind)).toEqual([]);
  expect([loaded.length, files.filter(isPlain).length]).toEqual(scaled([16, 7], [61, 19]));
});

/** Sessions of other clocks that seem to begin at 09:30, with one high bar, and two lone minutes. */
const BY_CHANCE = [806, 1147, 8748, 14209, 17089, 1975];

it('one session that begins with one high bar does not show its zone', async () => {
  const files = BY_CHANCE.map(madeMinuteFile);
  await at.write(Object.fromEntries(files.map(({ symbol, text }) => [`${symbol}.csv`, text])));
  await expect(fetchAll(fetchFiles({ path: at.folder }, at.context))).rejects.toThrow(
    /say (which|whether it is of a day or a minute) with --(zone|interval)/,
  );
});
