import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ModePaths } from '../../../../src/base/config/data-dir.ts';
import { StoreBusyError, StoreMissingError } from '../../../../src/base/errors.ts';
import {
  type MarketDb,
  openMarketForReading,
  openMarketForWriting,
} from '../../../../src/store/duckdb/connection/open.ts';
import {
  acquireWriterLock,
  readWriterHolder,
} from '../../../../src/store/duckdb/connection/writer-lock.ts';
import { long } from '../../../support/store-runs.ts';
import {
  emptyPaths,
  freshPaths,
  load,
  numberedSegment,
  query,
  withStore,
} from '../support/fixtures.ts';

const script = fileURLToPath(new URL('../support/store-child.ts', import.meta.url));

interface Child {
  process: ChildProcess;
  /** The next line it says. */
  said(): Promise<string | undefined>;
  /** All lines it says until it ends. */
  allSaid(): Promise<string[]>;
  goOn(): void;
  kill(): Promise<void>;
}

function startChild(paths: ModePaths, task: string, ...parameters: string[]): Child {
  const child = spawn(process.execPath, [script, dirname(paths.root), task, ...parameters], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    process: child,
    said: async () => (await lines.next()).value,
    allSaid: () => Array.fromAsync({ [Symbol.asyncIterator]: () => lines }),
    goOn: () => void child.stdin.write('go\n'),
    kill: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

describe('a reader', () => {
  test('fails with a message if nothing was loaded yet', async () => {
    await expect(openMarketForReading(emptyPaths())).rejects.toThrow(StoreMissingError);
  });

  test('gets the name of a writer that outlasts its patience, else waits and then reads', async () => {
    const paths = freshPaths();
    const child = startChild(paths, 'write');
    expect(await child.said()).toBe('open');
    const error = await openMarketForReading(paths, { waitMs: 0 }).catch((cause) => cause);
    expect(error).toBeInstanceOf(StoreBusyError);
    expect(error.holder).toContain(`child (process ${child.process.pid}, since 2`);
    const db = await openMarketForReading(paths, { onWaiting: child.goOn });
    expect(await query(db, 'SELECT count(*) FROM candles')).toEqual([[0]]);
    db.close();
  });

  test('can write nothing, nor reach files or settings', async () => {
    const db = await openMarketForReading(freshPaths());
    for (const sql of [
      "INSERT INTO outbox VALUES ('a', 'b', 'c', NULL)",
      "COPY outbox TO 'outbox.csv'",
      "ATTACH 'other.duckdb'",
      "SELECT * FROM read_text('/etc/hostname')",
      'SET enable_external_access = true',
    ]) {
      await expect(db.connection.run(sql)).rejects.toThrow();
    }
    db.close();
  });
});

describe('a writer', () => {
  long('waits for readers of its own and other processes, unknown as they are', async () => {
    const paths = freshPaths();
    const child = startChild(paths, 'read');
    expect(await child.said()).toBe('open');
    const first = await openMarketForReading(paths);
    const second = await openMarketForReading(paths);
    first.close();
    expect(await query(second, 'SELECT count(*) FROM candles')).toEqual([[0]]);
    second.close();
    const holders: string[] = [];
    const db = await openMarketForWriting(paths, {
      verb: 'test',
      onWaiting: (holder) => {
        holders.push(holder);
        child.goOn();
      },
    });
    db.close();
    expect(holders).toEqual([`a reader (process ${child.process.pid})`]);
  });

  test('queues behind one of its own process, naming it', async () => {
    const paths = freshPaths();
    const first = await openMarketForWriting(paths, { verb: 'backfill stooq' });
    const holders: string[] = [];
    const second = await openMarketForWriting(paths, {
      verb: 'backfill files',
      onWaiting: (holder) => {
        holders.push(holder);
        first.close();
      },
    });
    expect(holders).toHaveLength(1);
    expect(holders[0]).toMatch(/^backfill stooq \(process \d+, since .*Z\)$/);
    expect(readWriterHolder(paths)?.verb).toBe('backfill files');
    second.close();
    expect(readWriterHolder(paths)).toBeUndefined();
  });

  test('takes over at once from one that was killed', async () => {
    const paths = freshPaths();
    const child = startChild(paths, 'write');
    await child.said();
    await child.kill();
    expect(readWriterHolder(paths)?.verb).toBe('child');
    const waits: string[] = [];
    const lock = await acquireWriterLock(paths, { verb: 'test', onWaiting: (h) => waits.push(h) });
    expect(waits).toEqual([]);
    lock.release();
    lock.release();
  });
});

describe('two processes that load at once', () => {
  long('queue, and together give what one would have given', async () => {
    const paths = emptyPaths();
    const numbers = ['1', '2'];
    const children = [
      startChild(paths, 'load', ...numbers),
      startChild(paths, 'load', ...numbers.toReversed()),
    ];
    const said = await Promise.all(children.map((child) => child.allSaid()));
    for (const lines of said) {
      expect(lines.filter((line) => line.startsWith('loaded'))).toHaveLength(2);
    }
    expect(await candlesOf(paths)).toEqual(await withStore((db) => candlesAfter(db, numbers)));
  });
});

describe('a killed load', () => {
  test('leaves nothing of itself when it dies inside its transaction', async () => {
    const paths = freshPaths();
    const before = await openMarketForWriting(paths, { verb: 'test' });
    const candles = await candlesAfter(before, ['1']);
    before.close();
    const child = startChild(paths, 'load-half');
    expect(await child.said()).toBe('half');
    await child.kill();
    expect(await candlesOf(paths)).toEqual(candles);
  });

  long('leaves whole segments only, and the rest loads as if nothing had happened', async () => {
    const paths = freshPaths();
    const numbers = ['1', '2', '3'];
    await withStore(async (reference) => {
      const child = startChild(paths, 'load', ...numbers);
      await child.said();
      await child.kill();
      const loaded = await loadedNumbers(paths, numbers);
      expect(await candlesOf(paths)).toEqual(await candlesAfter(reference, loaded));
      using db = await openMarketForWriting(paths, { verb: 'test' });
      expect(await candlesAfter(db, numbers)).toEqual(await candlesAfter(reference, numbers));
    });
  });
});

const CANDLES = 'FROM candles ORDER BY ALL';

async function candlesOf(paths: ModePaths): Promise<unknown[][]> {
  const db = await openMarketForReading(paths);
  const rows = await query(db, CANDLES);
  db.close();
  return rows;
}

/** Loads these segments and returns the candles of the store. */
async function candlesAfter(db: MarketDb, numbers: string[]): Promise<unknown[][]> {
  for (const number of numbers) await load(db, numberedSegment(Number(number)));
  return query(db, CANDLES);
}

async function loadedNumbers(paths: ModePaths, numbers: string[]): Promise<string[]> {
  const db = await openMarketForReading(paths);
  const ids = new Set((await query(db, 'SELECT segment FROM segments')).map(([id]) => id));
  db.close();
  return numbers.filter((number) => ids.has(numberedSegment(Number(number)).id));
}
