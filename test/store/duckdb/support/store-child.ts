/**
 * A process of its own that uses a store, for tests of locks and crashes.
 *
 * Arguments: data folder, what to do, its parameters. Says what it has done, a line each.
 */

import { once } from 'node:events';
import { modePaths } from '../../../../src/base/config/data-dir.ts';
import {
  openMarketForReading,
  openMarketForWriting,
} from '../../../../src/store/duckdb/connection/open.ts';
import { loadCandleBatch } from '../../../../src/store/duckdb/load/load-candles.ts';
import { numberedSegment, risingBars, segmentOf } from './segments.ts';

const [folder, task, ...parameters] = process.argv.slice(2);
const paths = modePaths(folder, 'live');
const say = (line: string) => process.stdout.write(`${line}\n`);
const onWaiting = (holder: string) => say(`waiting for ${holder}`);

async function holdUntilTold(open: Promise<{ close(): void }>): Promise<void> {
  const db = await open;
  say('open');
  await once(process.stdin, 'data');
  db.close();
  process.exit(0);
}

/** Loads the numbered segments one by one, each with the store to itself. */
async function loadAll(numbers: string[]): Promise<void> {
  for (const number of numbers) {
    const db = await openMarketForWriting(paths, { verb: 'child', onWaiting });
    await loadCandleBatch(db, [{ segment: numberedSegment(Number(number)) }], 0);
    db.close();
    say(`loaded ${number}`);
  }
}

/** Gets stuck in the middle of a load, inside its transaction. */
async function loadHalf(): Promise<void> {
  const db = await openMarketForWriting(paths, { verb: 'child', onWaiting });
  const bars = risingBars('2020-01-01', 5);
  const segment = segmentOf([{ symbol: 'HALF', bars, dataLines: 6 }], {
    examine: async () => {
      say('half');
      await once(process.stdin, 'data');
      return [];
    },
  });
  await loadCandleBatch(db, [{ segment }], 0);
}

if (task === 'write')
  await holdUntilTold(openMarketForWriting(paths, { verb: 'child', onWaiting }));
if (task === 'read') await holdUntilTold(openMarketForReading(paths, { onWaiting }));
if (task === 'load') await loadAll(parameters);
if (task === 'load-half') await loadHalf();
