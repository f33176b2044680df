import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { backfill } from '../../../jobs/load/backfill.ts';
import { fillSandbox } from '../../../jobs/load/sandbox.ts';
import { checkIntegrity, faultLines } from '../../../jobs/maintenance/integrity.ts';
import { dataParts } from '../../../jobs/maintenance/integrity-parts.ts';
import { settingsFromEnv } from '../../../src/base/config/config.ts';
import { accountsPath, type ModePaths, modePaths } from '../../../src/base/config/data-dir.ts';
import { readIntegrity } from '../../../src/base/integrity-record.ts';
import type { Fetched } from '../../../src/ingest/contract/fetch-context.ts';
import { stageDatasetRows } from '../../../src/ingest/rows/segment.ts';
import { openAccounts } from '../../../src/store/accounts/admission/sqlite-accounts.ts';
import { MANIFEST_NAME, readManifest } from '../../../src/store/arrow/format/manifest.ts';
import { openMarketForWriting } from '../../../src/store/duckdb/connection/open.ts';
import { readFileSets } from '../../../src/store/parquet/file-sets.ts';
import { madeFiles } from '../../cli/files/made-market.ts';
import { testContext } from '../../ingest/support/segment-rows.ts';
import { sharedFolder } from '../../support/folders.ts';
import { long, someOf } from '../../support/store-runs.ts';

const NOW_MS = Date.parse('2026-07-01T12:00:00Z');
const DEPS = { verb: 'test', nowMs: NOW_MS, settings: settingsFromEnv({}) };

const dataDir = sharedFolder();
let sandbox: ModePaths;
let live: ModePaths;

async function* one(segment: Fetched): AsyncGenerator<Fetched> {
  yield segment;
}

/** Days, minutes and rows of every dataset, and a landed segment that is kept. */
beforeAll(async () => {
  [live, sandbox] = (['live', 'sandbox'] as const).map((mode) => modePaths(dataDir, mode));
  await fillSandbox(sandbox, { stocks: 3, fromDay: Date.UTC(2026, 4, 1) / 86_400_000 }, DEPS);
  const context = { ...testContext(dataDir, new Date(NOW_MS).toISOString()), paths: live };
  const row = { title: 'A', source: 'Wire', url: 'https://example.com/1', symbols: ['AAPL'] };
  const rows = await stageDatasetRows(
    { dataset: 'news', source: 'files', asOfUs: BigInt(NOW_MS) * 1000n, origin: 'news.csv' },
    [{ row: { ...row, publishedAt: NOW_MS } }],
    context,
  );
  await backfill(live, one(rows), DEPS);
  await madeFiles(dataDir);
  const accounts = openAccounts(accountsPath(dataDir));
  await accounts.createKey({ mode: 'live', label: 'x', scopes: ['all'] });
  await accounts.close();
});

const settings = () => ({ dataDir, segmentsDir: undefined });
const check = (runMs?: number) => checkIntegrity({ settings: settings(), nowMs: NOW_MS, runMs });

const partsBelow = async (prefix: string) =>
  (await dataParts(settings())).filter(({ name }) => name.startsWith(prefix));

/** Names of the damaged parts whose names begin so: to check all parts takes long. */
async function damagedBelow(prefix: string): Promise<string[]> {
  const damaged: string[] = [];
  for (const part of await partsBelow(prefix)) {
    await part.check().catch(() => damaged.push(part.name));
  }
  return damaged;
}

/** Flips a bit while the work is done. */
async function withFlip<T>(path: string, place: number, work: () => Promise<T>): Promise<T> {
  const whole = readFileSync(path);
  const damaged = Buffer.from(whole);
  damaged[Math.floor(place)] ^= 4;
  writeFileSync(path, damaged);
  try {
    return await work();
  } finally {
    writeFileSync(path, whole);
  }
}

describe('the check of all data', () => {
  it('finds nothing in whole data, and looks at every kind of part', async () => {
    const { parts, left, faults } = await check();
    expect([left, faults]).toEqual([0, []]);
    const names = (await dataParts(settings())).map(({ name }) => name);
    expect(parts).toBe(names.length);
    const kinds = new Set(names.map((name) => name.split('/').slice(0, 2).join('/')));
    expect([...kinds]).toEqual(
      expect.arrayContaining([
        ...['accounts', 'live/ledger', 'live/segments', 'live/serving', 'live/store'],
        ...['sandbox/serving', 'sandbox/past', 'sandbox/store', 'sandbox/files'],
      ]),
    );
    // The mark of the highest epoch is empty.
    const served = readdirSync(sandbox.serving).filter(
      (name) => name !== MANIFEST_NAME && !/^past\.sqlite|\.mark$/.test(name),
    );
    expect(names.filter((name) => name.startsWith('sandbox/serving/'))).toHaveLength(served.length);
  });

  it('finds a flipped bit in each published file', async () => {
    const missed: string[] = [];
    for (const part of someOf(await partsBelow('sandbox/serving/'), 4)) {
      const path = join(sandbox.serving, part.name.split('/')[2]);
      const { length } = readFileSync(path);
      let found = 0;
      for (let share = 0.3; share < 0.75 && found === 0; share += 0.05) {
        await withFlip(path, share * length, () => part.check().catch(() => found++));
      }
      if (found === 0) missed.push(part.name.split('/')[2]);
      await part.check();
    }
    // Nothing is written in the body of a table without rows.
    const text = JSON.stringify(readManifest(sandbox.serving));
    const isEmpty = (name: string) =>
      new RegExp(`"${name}","bytes":\\d+\\}?,"rowCount":0`).test(text);
    expect(missed.filter((name) => !isEmpty(name))).toEqual([]);
  });

  it('finds a flipped bit in a Parquet file', async () => {
    const [{ name, bytes }] = readFileSets(sandbox.files)[0].files;
    const part = `sandbox/files/${name}`;
    await withFlip(join(sandbox.files, name), bytes / 2, async () => {
      expect(await damagedBelow('sandbox/files/')).toEqual([part]);
    });
    expect(await damagedBelow('sandbox/files/')).toEqual([]);
  });

  it('finds damage in the store by reading all of its tables', async () => {
    const whole = readFileSync(sandbox.market);
    const damaged = Buffer.from(whole);
    // A byte in each block behind the headers.
    for (let at = 3 * 4096 + 100_000; at < damaged.length; at += 262_144) damaged[at] ^= 4;
    writeFileSync(sandbox.market, damaged);
    const found = await check();
    writeFileSync(sandbox.market, whole);
    expect(found.faults.length).toBeGreaterThan(0);
    for (const { part, remedy } of found.faults) {
      expect([part.startsWith('sandbox/'), remedy.split(' ')[0]]).toEqual([true, 'rebuild']);
    }
  });

  it('finds a kept segment that differs from its hash, names what to do, and sees the repair', async () => {
    const [name] = readdirSync(live.segments).filter((one) => one.endsWith('.parquet'));
    const path = join(live.segments, name);
    await withFlip(path, 20, async () => {
      const { faults } = await check();
      expect(faultLines(faults)).toEqual([
        `live/segments/${name.slice(0, -8)}: "${path}" does not match its SHA-256: ` +
          'put the file back from a backup: nothing that is served needs it, a rebuild does',
      ]);
      expect(readIntegrity(dataDir).faults).toEqual(faults);
    });
    // Damaged parts are looked at again before anything else.
    expect((await check(0)).faults).toEqual([]);
  });

  it('finds a load that the ledger has lost', async () => {
    const market = await openMarketForWriting(live, DEPS);
    await market.connection.run('CREATE TABLE kept AS FROM segments');
    await market.connection.run('DELETE FROM segments');
    market.close();
    expect(await damagedBelow('live/ledger')).toEqual(['live/ledger']);
    const again = await openMarketForWriting(live, DEPS);
    await again.connection.run('INSERT INTO segments FROM kept');
    await again.connection.run('DROP TABLE kept');
    again.close();
    expect(await damagedBelow('live/ledger')).toEqual([]);
  });

  long('goes on where the run before has stopped, until all is looked at', async () => {
    const all = (await dataParts(settings())).length;
    expect(readIntegrity(dataDir).position).toBe('');
    for (let run = 1; run <= 5; run++) {
      expect(await check(0)).toMatchObject({ parts: 1, left: all - run });
      expect(readIntegrity(dataDir).position).not.toBe('');
    }
    expect(await check()).toMatchObject({ parts: all - 5, left: 0 });
    expect(readIntegrity(dataDir).position).toBe('');
    expect(readIntegrity(dataDir)).toMatchObject({ roundEndedMs: NOW_MS, roundStartedMs: NOW_MS });
  });

  it('is ended by its signal, and the next run begins there', async () => {
    const stop = new AbortController();
    const stopped = checkIntegrity({
      ...{ settings: settings(), nowMs: NOW_MS, signal: stop.signal },
      onProgress: (_, done) => done === 3 && stop.abort(),
    });
    await expect(stopped).rejects.toThrow('aborted');
    expect((await check(0)).faults).toEqual([]);
  });
});
