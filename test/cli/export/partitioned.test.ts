/** Partitioned exports to a folder and to buckets, read back by engines of others. */

import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { candleSeries } from '../../../src/api/routes/candles/series.ts';
import { blankBars } from '../../../src/base/bars.ts';
import { type ModePaths, modePaths } from '../../../src/base/config/data-dir.ts';
import { objectPlace } from '../../../src/base/config/object-place.ts';
import { onFailpoint } from '../../../src/base/failpoints.ts';
import { exportPartitions } from '../../../src/cli/export/partitioned.ts';
import type { SourceInterval } from '../../../src/screens/run/bars-on-basis.ts';
import { runReadOnlySql } from '../../../src/store/duckdb/connection/query.ts';
import type { ObjectStore } from '../../../src/store/objects/object-store.ts';
import {
  type ExportedPart,
  readExportManifest,
  swapExportManifest,
} from '../../../src/store/parquet/export-manifest.ts';
import { differing } from '../../api/study/support/differing.ts';
import { isLong } from '../../faults/scale.ts';
import { keysOf, useStorage } from '../../fleet/replicas/support.ts';
import { daySegment, minuteSegment, minutes, minuteTs } from '../../jobs/support/intraday-store.ts';
import { inStore, loadAll, run as publishAll, published } from '../../jobs/support/store.ts';
import {
  actionsOf,
  emptyPaths,
  freshPaths,
  type TestBar,
} from '../../store/duckdb/support/fixtures.ts';
import { sharedFolder } from '../../support/folders.ts';
import { pythonJson } from '../../support/python.ts';
import { STORAGES } from '../../support/s3-server.ts';
import { long, someOf } from '../../support/store-runs.ts';
import { duckdbPython, python } from '../../support/tools.ts';
import { duckdbRows } from '../support/exported.ts';

const INTERVALS: readonly SourceInterval[] = ['1d', '1m', '5m'];
const SESSIONS = ['2026-01-29', '2026-01-30', '2026-02-02', '2026-02-03'];
const NAMES = ['A', 'BRK-B', 'ZZ'];

/** Bars of two years of a few days each. */
function days(close: number): TestBar[] {
  return ['2025-12-30', '2025-12-31', '2026-01-02', '2026-01-05'].map((date, i) => [
    `${date} 00:00:00`,
    close + i / 100,
    1000 + i,
  ]);
}

const minutesOf = (session: string, close = 100) =>
  minuteSegment(
    NAMES.map((symbol, i) => ({ symbol, bars: minutes(session, 0, 90, close + i) })),
    { name: `${session} ${close}` },
  );

/** Publishes days, and minutes of four sessions in two months. */
async function makeMarket(paths: ModePaths): Promise<void> {
  const daily = NAMES.map((symbol, i) => daySegment(symbol, days(50 + i), { name: symbol }));
  await loadAll(paths, ...daily, ...SESSIONS.map((session) => minutesOf(session)));
  await publishAll(paths);
}

const template = modePaths(sharedFolder(), 'live');
beforeAll(() => makeMarket(template));

/** Returns a copy of the market for the running test. */
function market(): ModePaths {
  const paths = emptyPaths();
  cpSync(template.root, paths.root, { recursive: true });
  return paths;
}

async function exported(
  paths: ModePaths,
  url: string,
  { intervals = INTERVALS, isForced = false, signal = new AbortController().signal } = {},
) {
  const version = published(paths);
  try {
    const options = { place: objectPlace('--out', url), intervals, isForced };
    return await exportPartitions(paths, version, options, { onProgress() {}, signal });
  } finally {
    version.close();
  }
}

async function partsOf(objects: ObjectStore): Promise<ExportedPart[]> {
  return (await readExportManifest(objects))!.parts;
}

const namesOf = (parts: readonly ExportedPart[]) =>
  parts.map(({ table, partition }) => `${table} ${partition}`.trim());

type Row = (string | number)[];

/** Rows of the store: interval, symbol, microseconds and the values of each bar. */
async function storedRows(paths: ModePaths): Promise<Row[]> {
  const columns = 'interval, symbol, epoch_us(ts)::DOUBLE, open, high, low, close, volume, basis';
  const { rows } = await inStore(paths, (db) =>
    runReadOnlySql(db, `SELECT ${columns} FROM candles ORDER BY interval, symbol, ts`),
  );
  return rows.map((row) => Object.values(row) as Row);
}

/** Prelude of a script: how DuckDB and pyarrow reach the files at `url`, with the AWS variables. */
const PYTHON = `import json, os, sys
url = sys.argv[1]
env = os.environ
endpoint = env.get('AWS_ENDPOINT_URL_S3', '').replace('http://', '')
def duck():
    import duckdb, glob, duckdb_extension_httpfs
    con = duckdb.connect()
    if url.startswith('s3:'):
        folder = list(duckdb_extension_httpfs.__path__)[0]
        [extension] = glob.glob(os.path.join(folder, 'extensions', '*', 'httpfs.duckdb_extension'))
        con.execute(f"LOAD '{extension}'")
        con.execute(f"""CREATE SECRET (TYPE s3, KEY_ID '{env['AWS_ACCESS_KEY_ID']}',
          SECRET '{env['AWS_SECRET_ACCESS_KEY']}', REGION '{env['AWS_REGION']}',
          ENDPOINT '{endpoint}', URL_STYLE 'path', USE_SSL false)""")
    return con
def arrow():
    from pyarrow import fs
    if not url.startswith('s3:'):
        return fs.LocalFileSystem(), url
    s3 = fs.S3FileSystem(access_key=env['AWS_ACCESS_KEY_ID'], region=env['AWS_REGION'],
      secret_key=env['AWS_SECRET_ACCESS_KEY'], endpoint_override=endpoint, scheme='http')
    return s3, url[len('s3://'):]
`;

async function printed(program: string, code: string, url: string): Promise<unknown> {
  const place = objectPlace('--out', url);
  const argument = place.kind === 'file' ? place.folder : url;
  return await pythonJson(program, PYTHON + code, [argument]);
}

// The other describe exports to folders.
describe.each(someOf(STORAGES.toReversed(), 2))('a partitioned export: %s', (kind) => {
  const storage = useStorage(kind);
  let places = 0;
  let url: string;
  let objects: ObjectStore;
  beforeEach(() => {
    for (const [name, value] of Object.entries(storage.env())) vi.stubEnv(name, value);
    const place = `place-${++places}`;
    url = storage.url(place);
    objects = storage.open(place);
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await objects.close();
  });

  it('names the files of one version, with their rows, bytes and hashes', async () => {
    const paths = market();
    const report = await exported(paths, url);
    const parts = await partsOf(objects);
    expect(namesOf(parts)).toEqual([
      ...['adjustments interval=1d', 'adjustments interval=1m'],
      ...['candles-1d year=2025', 'candles-1d year=2026'],
      ...SESSIONS.map((session) => `candles-1m date=${session}`),
      'symbols',
    ]);
    expect(parts.map(({ rows }) => rows)).toEqual([3, 3, 6, 6, 270, 270, 270, 270, 3]);
    const keys = (await keysOf(objects)).filter((key) => key.endsWith('.parquet'));
    expect(keys).toEqual(parts.map(({ path }) => path).sort());
    expect(new Set(parts.map(({ version }) => version))).toEqual(new Set([report.version]));
    expect(report).toMatchObject({ files: 9, written: 9, removed: 0, rows: 1101 });
    expect(await exported(paths, url)).toMatchObject({ files: 9, written: 0, removed: 0 });
  });

  it.skipIf(!duckdbPython)(
    'has the rows of the store in DuckDB, which prunes by date',
    async () => {
      const paths = market();
      await exported(paths, url);
      const { rows, plan } = (await printed(
        duckdbPython!,
        `con = duck()
rows = []
for table in ['candles-1d', 'candles-1m']:
    con.execute(f"""SET VARIABLE files = (SELECT list('{url}/' || path)
      FROM read_json('{url}/manifest.jsonl') WHERE "table" = '{table}')""")
    key = 'year = year("timestamp")' if table.endswith('d') else 'date = "timestamp"::DATE'
    rows += con.execute(f"""SELECT '{table[8:]}', symbol, epoch_us("timestamp")::DOUBLE, open, high,
      low, close, volume, adjustment
      FROM read_parquet(getvariable('files'), hive_partitioning = true)
      WHERE {key} ORDER BY symbol, "timestamp" """).fetchall()
[(_, plan)] = con.execute(f"""EXPLAIN ANALYZE SELECT sum(volume) FROM
  read_parquet('{url}/candles-1m/*/*.parquet', hive_partitioning = true)
  WHERE date >= '2026-02-01' AND date < '2026-02-03'""").fetchall()
print(json.dumps({'rows': rows, 'plan': plan}))`,
        url,
      )) as { rows: Row[]; plan: string };
      expect(rows).toHaveLength(1092);
      expect(differing(rows, await storedRows(paths))).toEqual([]);
      expect(plan).toMatch(/Scanning Files: 1\/4/);
    },
  );

  it.skipIf(!isLong || !python)(
    'has the rows of the store in pyarrow, by its folders',
    async () => {
      const paths = market();
      await exported(paths, url);
      const rows = await printed(
        python!,
        `import pyarrow.dataset as ds
filesystem, root = arrow()
rows = []
for table in ['candles-1d', 'candles-1m']:
    data = ds.dataset(f'{root}/{table}', filesystem=filesystem, format='parquet', partitioning='hive')
    frame = data.to_table().sort_by([('symbol', 'ascending'), ('timestamp', 'ascending')])
    columns = [frame[c].to_pylist() for c in ['symbol', 'open', 'high', 'low', 'close', 'volume', 'adjustment']]
    times = frame['timestamp'].cast('int64').to_pylist()
    rows += [[table[8:], c[0], t, *c[1:]] for t, c in zip(times, zip(*columns))]
print(json.dumps(rows))`,
        url,
      );
      expect(rows).toHaveLength(1092);
      expect(differing(rows as Row[], await storedRows(paths))).toEqual([]);
    },
  );

  it('uploads changed partitions alone, and removes those that they replace', async () => {
    const paths = market();
    await exported(paths, url);
    const before = await partsOf(objects);
    await loadAll(paths, minutesOf('2026-02-04'));
    const late = minuteSegment([{ symbol: 'A', bars: [[minuteTs('2026-01-30', 5), 99, 7]] }], {
      name: 'late',
      asOf: '2026-06-01',
    });
    await loadAll(paths, late);
    await publishAll(paths);
    expect(await exported(paths, url)).toMatchObject({ files: 10, written: 2, removed: 1 });
    const known = new Set(before.map(({ path }) => path));
    const changed = (await partsOf(objects)).filter(({ path }) => !known.has(path));
    expect(namesOf(changed)).toEqual(['candles-1m date=2026-01-30', 'candles-1m date=2026-02-04']);
    const keys = (await keysOf(objects)).filter((key) => key.includes('2026-01-30'));
    expect(keys).toEqual([changed[0].path]);
  });

  it('shows the old files or the new ones, wherever it is killed, and continues', async () => {
    const paths = market();
    await exported(paths, url);
    const old = await partsOf(objects);
    await loadAll(paths, minutesOf('2026-02-04'), minutesOf('2026-02-05'));
    await publishAll(paths);
    onTestFinished(() => onFailpoint(undefined));
    // The first file, the second one, the manifest: what was uploaded is not uploaded again.
    for (const killedAt of [1, 2, 2]) {
      let steps = 0;
      onFailpoint((step) => {
        const isOurs = step === 'put object' || step === 'swap manifest';
        if (isOurs && ++steps === killedAt) throw new Error('killed');
      });
      await expect(exported(paths, url)).rejects.toThrow('killed');
      expect(await partsOf(objects)).toEqual(old);
      onFailpoint(undefined);
    }
    // Both files are there, so the last run only swaps the manifest.
    expect(await exported(paths, url)).toMatchObject({ files: 11, written: 0 });
    const scratch = existsSync(paths.scratch) ? readdirSync(paths.scratch) : [];
    expect(scratch.filter((name) => name.startsWith('export'))).toEqual([]);
  });

  it('does not swap a manifest that another export has swapped', async () => {
    await exported(market(), url, { intervals: ['1d'] });
    const before = (await readExportManifest(objects))!;
    const fewer = before.parts.slice(1);
    await swapExportManifest(objects, before, fewer);
    await expect(swapExportManifest(objects, before, before.parts)).rejects.toThrow(
      /manifest\.jsonl" was replaced by another export: run one at a time/,
    );
    expect(await partsOf(objects)).toEqual(fewer);
  });
});

describe('a partitioned export', () => {
  const storage = useStorage('file');
  const url = (name: string) => storage.url(name);

  long('keeps partitions that the store no longer has', async () => {
    const paths = market();
    await exported(paths, url('kept'));
    const fresh = freshPaths();
    await loadAll(fresh, minutesOf('2026-02-03'), minutesOf('2026-02-04'));
    await publishAll(fresh);
    await exported(fresh, url('kept'));
    const parts = await partsOf(storage.open('kept'));
    expect(namesOf(parts.filter(({ table }) => table === 'candles-1m'))).toEqual(
      [...SESSIONS, '2026-02-04'].map((session) => `candles-1m date=${session}`),
    );
  });

  it('replaces a partition that would lose most of its rows only by force', async () => {
    const paths = market();
    await exported(paths, url('lost'));
    const before = readFileSync(join(objectFolder('lost'), 'manifest.jsonl'), 'utf8');
    const poor = freshPaths();
    await loadAll(poor, minuteSegment([{ symbol: 'A', bars: minutes('2026-02-03', 0, 90) }]));
    await publishAll(poor);
    await expect(exported(poor, url('lost'))).rejects.toThrow(
      /date=2026-02-03.*has 270 rows, and the published data has 90 of them: --force/,
    );
    expect(readFileSync(join(objectFolder('lost'), 'manifest.jsonl'), 'utf8')).toBe(before);
    expect(await exported(poor, url('lost'), { isForced: true })).toMatchObject({ removed: 3 });
  });

  long('refuses the place of another mode, and of a later version', async () => {
    const paths = market();
    await exported(paths, url('own'));
    const sandbox = modePaths(join(paths.root, '..'), 'sandbox');
    const version = published(paths);
    const place = objectPlace('--out', url('own'));
    const deps = { onProgress() {}, signal: new AbortController().signal };
    const options = { place, intervals: INTERVALS, isForced: false };
    await expect(exportPartitions(sandbox, version, options, deps)).rejects.toThrow(
      /has live data: give another --out/,
    );
    version.close();
    const older = freshPaths();
    await loadAll(older, minutesOf('2026-02-03'));
    await publishAll(older, Date.parse('2026-03-01T12:00:00Z'));
    await expect(exported(older, url('own'))).rejects.toThrow(/later than this data/);
  });

  long(
    'has factors that give the adjusted minutes of the API, whatever the basis of days is',
    async () => {
      const paths = freshPaths();
      const actions = [actionsOf('A', ['2020-01-01', '2026-06-30'], { splits: ['2026-02-02'] })];
      const prices = SESSIONS.map((session) => ({
        ...{ symbol: 'A', path: session },
        bars: minutes(session, 0, 10, session < '2026-02-02' ? 200 : 100),
      }));
      await loadAll(paths, daySegment('A', days(50), { basis: 'split', actions }));
      for (const one of prices) await loadAll(paths, minuteSegment([one], { name: one.path }));
      await publishAll(paths);
      await exported(paths, url('adjusted'));
      const version = published(paths);
      const window = {
        interval: '1m',
        adjustment: 'split',
        fromUs: undefined,
        toUs: undefined,
      } as const;
      const expected = [...candleSeries(version, ['A'], window)].flatMap(
        ({ rowCount, copyRows }) => {
          const bars = blankBars(rowCount);
          copyRows(0, rowCount, bars);
          return [...bars.close];
        },
      );
      version.close();
      const folder = objectFolder('adjusted');
      const rows = await duckdbRows(
        `SELECT close * splitFactor AS close
       FROM read_parquet($1 || '/candles-1m/*/*.parquet', hive_partitioning = true) bars
       ASOF JOIN read_parquet('${folder}/adjustments/interval=1m/*.parquet') factors
         ON bars.symbol = factors.symbol AND bars.date >= factors."from"
       ORDER BY "timestamp"`,
        folder,
      );
      expect(rows.map(({ close }) => close)).toEqual(expected);
      expect(expected[0]).toBe(100);
    },
  );

  it('removes what a killed run left long ago, and nothing of others', async () => {
    const paths = market();
    await exported(paths, url('strays'));
    const folder = objectFolder('strays');
    const stray = (name: string, ageMs: number) => {
      const path = join(folder, 'candles-1d', 'year=2026', name);
      writeFileSync(path, 'rows');
      utimesSync(path, new Date(), new Date(Date.now() - ageMs));
    };
    stray('old.parquet', 7 * 3_600_000);
    stray('new.parquet', 3_600_000);
    mkdirSync(join(folder, 'notes'));
    writeFileSync(join(folder, 'notes', 'mine.parquet'), 'mine');
    utimesSync(join(folder, 'notes', 'mine.parquet'), 0, 0);
    expect(await exported(paths, url('strays'))).toMatchObject({ removed: 1 });
    expect(readdirSync(join(folder, 'candles-1d', 'year=2026'))).toContain('new.parquet');
    expect(existsSync(join(folder, 'notes', 'mine.parquet'))).toBe(true);
  });

  it('ends at a signal, and leaves the manifest as it was', async () => {
    const paths = market();
    const stop = new AbortController();
    stop.abort();
    await expect(exported(paths, url('stopped'), { signal: stop.signal })).rejects.toThrow();
    expect(await readExportManifest(storage.open('stopped'))).toBeUndefined();
  });

  function objectFolder(name: string): string {
    const place = objectPlace('--out', url(name));
    if (place.kind !== 'file') throw new Error('not a folder');
    return place.folder;
  }
});
