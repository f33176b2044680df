/**
 * Publishes minutes through every size of layer, and checks what is written as well as what is
 * read.
 */

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { BarColumns } from '../../../../src/base/bars.ts';
import { limits } from '../../../../src/base/limits.ts';
import { dayFromDate } from '../../../../src/base/time/dates.ts';
import type { PublishedVersion } from '../../../../src/store/arrow/read/published-version.ts';
import { openPublished } from '../../../../src/store/arrow/read/reader.ts';
import {
  compactIntraday,
  type IntradayCompaction,
  neededIntradayCompaction,
} from '../../../../src/store/arrow/write/compact-intraday.ts';
import { freshFolder } from '../../../support/folders.ts';
import { useLimits } from '../../../support/use-limits.ts';
import {
  copyOf,
  intradayFactsOf,
  minutesFrom,
  publishIntraday,
} from '../support/intraday-fixture.ts';
import { CREATED_MS, publishBase, universeOf } from '../support/published-fixture.ts';

const DAY = dayFromDate('2025-10-29');
const NAMES = ['A0', 'A1', 'A2'];
const SERIES = NAMES.map((name) => intradayFactsOf(name, '1m'));

let dir: string;

beforeEach(async () => {
  dir = freshFolder();
  await publishBase(dir, universeOf(3, 10));
  await publishIntraday(dir, [], { series: SERIES });
});

function published(): PublishedVersion {
  return openPublished(dir) as PublishedVersion;
}

async function compact(compaction: IntradayCompaction): Promise<void> {
  await compactIntraday(dir, published(), compaction, { createdMs: CREATED_MS });
}

function layers() {
  return published().manifest.intraday?.layers ?? [];
}

/** Adds up the intraday files that appear between its calls. */
function createByteCount() {
  const known = new Set<string>();
  return (): number => {
    let bytes = 0;
    for (const name of readdirSync(dir)) {
      const isIntraday = name.startsWith('intraday') || name.startsWith('candles-1min');
      if (isIntraday && !known.has(name)) bytes += statSync(join(dir, name)).size;
      known.add(name);
    }
    return bytes;
  };
}

const PUBLISHES = 20;
const MINUTES_EACH = 21;

/** Bars of a symbol in the first minutes: each symbol lacks a minute now and then. */
function rowCountAfter(number: number, minutes: number): number {
  return minutes - Math.floor(minutes / (10 + number));
}

function additionsOf(bars: readonly BarColumns[], publish: number) {
  return bars.map((of, number) => {
    const firstRow = rowCountAfter(number, (publish - 1) * MINUTES_EACH);
    const end = rowCountAfter(number, publish * MINUTES_EACH);
    return { number, interval: '1m' as const, firstRow, bars: copyOf(of, firstRow, end) };
  });
}

describe('a session published in twenty pieces', () => {
  // Publishes of three make a run, three runs a day.
  useLimits(limits.serving, { intradayL0Max: 3, intradayL1Max: 3 });

  it('equals the session published at once, and writes each bar once per size', async () => {
    const bars = NAMES.map((_, i) => minutesFrom(DAY, 450, i + 1));
    const newBytes = createByteCount();
    newBytes();
    let bytes = 0;
    let version = published();
    for (let publish = 1; publish <= PUBLISHES; publish++) {
      version = await publishIntraday(dir, additionsOf(bars, publish), { version });
      bytes += newBytes();
      const due = neededIntradayCompaction(version.manifest.intraday?.layers ?? []);
      if (!due) continue;
      await compact(due);
      bytes += newBytes();
      version = published();
    }
    const tiers = layers().map(({ tier }) => tier);
    expect(tiers).toEqual(['day', 'day', 'slice', 'slice']);
    const expectWhole = () => {
      NAMES.forEach((name, i) => {
        const rowCount = rowCountAfter(i, PUBLISHES * MINUTES_EACH);
        expect(published().bars(name, '1m')).toEqual(copyOf(bars[i], 0, rowCount));
      });
    };
    expectWhole();
    // Slice, run and day; a series takes two KB more in each of 20 slices, 4 runs and 2 days.
    const rowBytes = 3 * PUBLISHES * MINUTES_EACH * 48;
    const layerCount = PUBLISHES + 4 + 2;
    expect(bytes).toBeLessThan(3 * rowBytes + layerCount * 3 * 2000);
    await compact({ tier: 'month', firstLayer: 0 });
    expectWhole();
    const volumes = layers().flatMap((layer) => layer.volumes);
    expect(volumes.map(({ role, month }) => [role, month])).toEqual([['months', '2025-10']]);
  });
});

describe('months', () => {
  const bars = minutesFrom(DAY, 3000, 1);

  /** Publishes rows of the first symbol and compacts them into months. */
  async function addRows(firstRow: number, end: number | undefined): Promise<unknown[]> {
    const rows = end === undefined ? undefined : copyOf(bars, firstRow, end);
    await publishIntraday(dir, [
      { number: 0, interval: '1m', firstRow, bars: rows, role: 'patches' },
    ]);
    await compact({ tier: 'month', firstLayer: 0 });
    return layers()
      .flatMap(({ volumes }) => volumes)
      .map(({ month, candles }) => `${month} of ${Number(candles.name.slice(-14, -6))}`)
      .sort();
  }

  it('stay unless they are small compared with what is added, or much of them is superseded', async () => {
    // Three sessions of October and 1000 minutes of November.
    expect(await addRows(0, 2170)).toEqual(['2025-10 of 4', '2025-11 of 4']);
    expect(await addRows(2170, 2370)).toEqual(['2025-10 of 4', '2025-11 of 4', '2025-11 of 6']);
    expect(await addRows(2370, 3000)).toEqual(['2025-10 of 4', '2025-11 of 8']);
    expect(published().bars('A0', '1m')).toEqual(bars);
    // November and two thirds of October end.
    expect(await addRows(390, undefined)).toEqual(['2025-10 of 10']);
    expect(published().bars('A0', '1m')).toEqual(copyOf(bars, 0, 390));
  });
});
