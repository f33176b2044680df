import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { Run } from '../../../jobs/contract/run.ts';
import { JobLedger } from '../../../jobs/ledger/ledger.ts';
import { keepClean, removeOld } from '../../../jobs/maintenance/retention.ts';
import {
  jobsPaths,
  modePaths,
  storeIdPath,
  webhookKeyPath,
} from '../../../src/base/config/data-dir.ts';
import { limits } from '../../../src/base/limits.ts';
import { freshFolder } from '../../support/folders.ts';

const NOW_MS = Date.parse('2026-07-01T12:00:00Z');
const DAY_MS = 86_400_000;
const { retention, jobs } = limits;

/** No process has this number. */
const GONE = 2 ** 22 + 1;

function put(path: string, ageMs: number): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, 'x');
  const writtenS = (NOW_MS - ageMs) / 1000;
  utimesSync(path, writtenS, writtenS);
}

function putFolder(path: string, ageMs: number): void {
  put(join(path, 'file'), ageMs);
  const writtenS = (NOW_MS - ageMs) / 1000;
  utimesSync(path, writtenS, writtenS);
}

const planOf = (id: string): Run => ({
  ...{ id, source: 'tiingo', mode: 'live', verb: 'backfill tiingo', priority: 'backfill' },
  ...{ createdMs: 1, childCount: 0, shared: {}, tasks: [] },
});

describe('retention', () => {
  it('removes files whose period is over, and no younger ones', async () => {
    const dataDir = freshFolder();
    const { quarantine, scratch, root, segments, market } = modePaths(dataDir, 'live');
    const meant: [string, number][] = [
      [join(quarantine, 'a.csv'), retention.quarantineMs],
      [join(quarantine, 'a.json'), retention.quarantineMs],
      [`${market}.replaced`, retention.replacedMs],
      [`${market}.wal.replaced`, retention.replacedMs],
      [`${market}.rebuilt`, retention.unfinishedMs],
      [`${market}.rebuilt.wal`, retention.unfinishedMs],
      [`${market}.rewritten`, retention.unfinishedMs],
      [`${storeIdPath(dataDir)}.${randomUUID()}`, retention.unfinishedMs],
      [`${webhookKeyPath(dataDir)}.${randomBytes(8).toString('hex')}`, retention.unfinishedMs],
      [join(scratch, 'x_form345.zip.part'), retention.partMs],
    ];
    for (const [path, keptMs] of meant) put(path, keptMs - 1000);
    for (const kind of ['segment', 'duckdb', 'backup']) {
      putFolder(join(scratch, `${kind}-${GONE}-x`), retention.scratchMs - 1000);
      // In another container the same id is another process, whose life is not seen from here.
      putFolder(join(scratch, `${kind}-${process.pid}-on-00000000-x`), retention.scratchMs - 1000);
    }
    expect(await removeOld({ dataDir, segmentsDir: undefined }, NOW_MS)).toMatchObject({
      files: 0,
    });
    // A person's copy stays.
    put(`${webhookKeyPath(dataDir)}.old`, 100 * DAY_MS);
    // A process that runs keeps its own however old it is.
    putFolder(join(scratch, `segment-${process.pid}-x`), 100 * DAY_MS);
    const later = NOW_MS + 1000;
    for (const [path, keptMs] of meant) put(path, keptMs - 1000);
    const { files } = await removeOld({ dataDir, segmentsDir: undefined }, later);
    expect(files).toBe(meant.length + 6);
    expect(readdirSync(scratch)).toEqual([`segment-${process.pid}-x`]);
    expect(readdirSync(quarantine)).toEqual([]);
    expect(readdirSync(root).sort()).toEqual(['quarantine', 'scratch']);
    expect(existsSync(segments)).toBe(false);
  });

  // Seed 90007 of the nights: no maintenance runs where only tasks are fetched.
  it('removes what killed processes left on a machine that only fetches', async () => {
    const dataDir = freshFolder();
    const left = join(modePaths(dataDir, 'live').scratch, `segment-${GONE}-x`);
    putFolder(left, NOW_MS - Date.now() + retention.scratchMs + 1000);
    const end = new AbortController();
    const usual = { ...retention };
    Object.assign(retention, { cleanFirstMs: 0 });
    const notes: string[] = [];
    const settings = { dataDir, segmentsDir: undefined };
    const ended = keepClean(settings, (text) => notes.push(text), end.signal);
    await vi.waitUntil(() => !existsSync(left), 30_000);
    Object.assign(retention, usual);
    end.abort();
    await ended;
    expect(notes).toEqual([]);
  });

  it('keeps what a rebuild, an explanation or the past needs, however old', async () => {
    const dataDir = freshFolder();
    const { segments, market, serving, feeds } = modePaths(dataDir, 'live');
    const kept = [
      ...[market, `${market}.wal`, feeds, join(serving, 'manifest.json')],
      ...[join(segments, 'a.parquet'), join(segments, 'loaded', 'a.json.gz')],
      ...[join(serving, 'quotes-1.arrow'), join(dataDir, 'webhook.key')],
    ];
    for (const path of kept) put(path, 3000 * DAY_MS);
    await removeOld({ dataDir, segmentsDir: undefined }, NOW_MS);
    expect(kept.filter((path) => !existsSync(path))).toEqual([]);
  });

  it('removes runs that ended two weeks ago, and their staged results', async () => {
    const dataDir = freshFolder();
    const { segments } = modePaths(dataDir, 'live');
    const ledger = new JobLedger(jobsPaths(dataDir).ledger);
    for (const id of ['old', 'young', 'waiting']) ledger.write(planOf(id), 'nobody');
    const failure = { kind: 'other' as const, reason: 'no' };
    ledger.runFailed('old', failure, true, NOW_MS - jobs.keptMs - 1);
    ledger.runFailed('young', failure, true, NOW_MS - jobs.keptMs + 1);
    putFolder(join(segments, 'plans', 'old'), jobs.keptMs);
    putFolder(join(segments, 'plans', 'young'), jobs.keptMs - 1000);
    const removed = await removeOld({ dataDir, segmentsDir: undefined }, NOW_MS);
    expect(removed).toEqual({ events: 0, plans: 1, landings: 1, files: 0 });
    expect([ledger.run('old'), ledger.run('young')?.state]).toEqual([undefined, 'dead']);
    expect(ledger.run('waiting')?.state).toBe('waiting');
    expect(readdirSync(join(segments, 'plans'))).toEqual(['young']);
    ledger.close();
    expect(await removeOld({ dataDir, segmentsDir: undefined }, NOW_MS)).toEqual({
      ...{ events: 0, plans: 0, landings: 0, files: 0 },
    });
  });

  it('removes orphans in object storage after two weeks', async () => {
    const [dataDir, folder] = [freshFolder(), freshFolder()];
    const segmentsUrl = { kind: 'file' as const, folder };
    const settings = { dataDir, segmentsDir: undefined, segmentsUrl, redisUrl: 'redis://x' };
    for (const [run, age] of [['old', jobs.keptMs] as const, ['young', 1000] as const]) {
      for (const name of ['0.json', 'a.parquet']) {
        put(join(folder, 'live', 'plans', run, name), age);
      }
    }
    // One young file keeps its run.
    put(join(folder, 'live', 'plans', 'young', '1.json'), jobs.keptMs);
    expect(await removeOld(settings, NOW_MS)).toMatchObject({ landings: 1 });
    const left = readdirSync(join(folder, 'live', 'plans'), { recursive: true });
    expect(left.sort()).toEqual(['young', 'young/0.json', 'young/1.json', 'young/a.parquet']);
  });
});
