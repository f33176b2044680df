import { cpSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ModePaths, modePaths } from '../../../src/base/config/data-dir.ts';
import { FAILPOINTS } from '../../../src/base/failpoints.ts';
import { limits } from '../../../src/base/limits.ts';
import { openPublished } from '../../../src/store/arrow/read/reader.ts';
import { contentOf } from '../../store/arrow/support/published-fixture.ts';
import {
  freshPaths,
  minuteBars,
  risingBars,
  segmentOf,
} from '../../store/duckdb/support/fixtures.ts';
import { someOf } from '../../support/store-runs.ts';
import { useLimits } from '../../support/use-limits.ts';
import { FOLD_EARLY } from '../support/fold-early.ts';
import { publishAndDie } from '../support/publish-and-die.ts';
import { loadAll, run } from '../support/store.ts';

useLimits(limits.serving, FOLD_EARLY);

async function loadDay(paths: ModePaths, count: number, minute: number): Promise<void> {
  const symbols = ['A', 'B', 'C'];
  const files = symbols.map((symbol, i) => ({
    symbol,
    bars: risingBars('2026-03-01', count, 100 + i),
  }));
  const minutes = symbols.map((symbol) => ({
    symbol,
    bars: minuteBars('2026-06-01', 1, 100, minute),
  }));
  await loadAll(paths, segmentOf(files));
  if (minute >= 0) await loadAll(paths, segmentOf(minutes, { interval: '1m', basis: 'raw' }));
}

function content(paths: ModePaths): unknown {
  const version = openPublished(paths.serving);
  return version && contentOf(version);
}

/**
 * One publish short of a fold, so that a layer and both folds are interrupted: the store holds a
 * day that is not published yet, and an orphan of each kind is met by the next run.
 */
async function prepared(): Promise<ModePaths> {
  const paths = freshPaths();
  for (let day = 0; day <= limits.serving.deltasMax + 1; day++) {
    // The first minutes are a month: one publish later their slices are enough to be folded too.
    await loadDay(paths, 20 + day, day - 1);
    if (day <= limits.serving.deltasMax) await run(paths);
  }
  return paths;
}

describe('a publish that is killed', () => {
  it('at each kind of step leaves the old or the new version, and the next one completes it', async () => {
    const paths = await prepared();
    const oldContent = content(paths);
    const home = dirname(paths.root);
    const keep = join(home, 'keep');
    cpSync(paths.root, keep, { recursive: true });
    const whole = await publishAndDie(home, 0);
    expect(whole.died).toBe(false);
    const kinds = new Set(whole.steps.map((step) => step.split(' ').slice(0, 2).join(' ')));
    for (const step of FAILPOINTS.slice(0, 6)) expect(kinds).toContain(step);
    expect(whole.steps.join()).toContain('intraday-runs');
    const newContent = content(paths);
    expect(newContent).not.toEqual(oldContent);
    const isNew: boolean[] = [];
    // The rest is in relay-crash.test.ts.
    const relayFrom = whole.steps.indexOf('move position');
    for (const step of stepsToDieAt(whole.steps.slice(0, relayFrom))) {
      rmSync(paths.root, { recursive: true });
      cpSync(keep, paths.root, { recursive: true });
      const { died, steps } = await publishAndDie(home, step);
      expect([died, steps.length]).toEqual([true, step]);
      const seen = content(paths);
      isNew.push(JSON.stringify(seen, jsonValue) === JSON.stringify(newContent, jsonValue));
      if (!isNew.at(-1)) expect(seen, whole.steps[step - 1]).toEqual(oldContent);
      await run(modePaths(home, 'live'));
      expect(content(paths), whole.steps[step - 1]).toEqual(newContent);
    }
    expect(isNew.filter((now, i) => now !== (isNew[i - 1] ?? false))).toEqual([true]);
  });
});

/**
 * Numbers of the first step of each kind in the layer and in each fold, and of all on a manifest.
 * The short form takes every sixth of them, and those on both sides of a swap.
 */
function stepsToDieAt(steps: readonly string[]): number[] {
  const met = new Set<string>();
  let manifests = 0;
  const firsts = steps.flatMap((step, i) => {
    const isManifest = step.includes('manifest.json');
    if (step === 'rename file manifest.json') manifests++;
    const key = `${manifests} ${isManifest ? step : step.split(' ', 2).join(' ')}`;
    if (met.has(key)) return [];
    met.add(key);
    return [i + 1];
  });
  const isSwap = (step: number) => steps[step - 1] === 'rename file manifest.json';
  const some = new Set(someOf(firsts, 6));
  return firsts.filter((step) => some.has(step) || isSwap(step) || isSwap(step - 1));
}

function jsonValue(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  return ArrayBuffer.isView(value) ? String(value) : value;
}
