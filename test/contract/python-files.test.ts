/** The Python package over published files: it gives what it gives over HTTP, bit for bit. */

import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { modePaths } from '../../src/base/config/data-dir.ts';
import { dayFromDate } from '../../src/base/time/dates.ts';
import { openPublished } from '../../src/store/arrow/read/reader.ts';
import { compact } from '../../src/store/arrow/write/compact.ts';
import { scaled } from '../faults/scale.ts';
import { inStore, run } from '../jobs/support/store.ts';
import {
  actionsOf,
  delist,
  load,
  risingBars,
  segmentOf,
} from '../store/duckdb/support/fixtures.ts';
import { land, loadSegment } from '../store/duckdb/support/row-fixtures.ts';
import { freshFolder } from '../support/folders.ts';
import { execPython, runPython } from '../support/python-package.ts';
import { python } from '../support/tools.ts';
import { FUND, NOW_MS, STOCK, useContractMarket } from './contract-market.ts';

const CALLS = readFileSync(new URL('python-files.py', import.meta.url), 'utf8');
const PROGRAM = [
  process.execPath,
  fileURLToPath(new URL('../../bin/tapeworks.js', import.meta.url)),
];

const NAMES = [
  'bars of each interval',
  'bars on each basis',
  'bars of some symbols and days',
  'bars that the program computes',
  'a column per symbol',
  'published indicators',
  'indicators that the program computes',
  'screens',
  'studies',
  'quotes',
  'statements',
  'balance sheets',
  'insider transactions',
  'news',
  'symbols',
  'factors',
  'universes',
  'splits and dividends',
];

const market = useContractMarket();

const folder = () => join(market.dataDir, 'sandbox');

/** Returns the JSON that a program prints at its end. */
async function result(program: string, args: readonly string[] = []) {
  return JSON.parse(await runPython(`import json, tapeworks\n${program}`, { args }));
}

describe.skipIf(!python)('the Python package over files', () => {
  let report: Record<string, { rows: number; differences: unknown[] }>;

  beforeAll(async () => {
    const { address, rawKey } = market.server;
    // Two members of an index, of which one is delisted, and another security takes its ticker; a
    // bar on a wrong day, which is not the newest one of the market.
    const wrong = [{ symbol: STOCK, bars: risingBars('2027-01-09', 1) }];
    const actions = [actionsOf(STOCK, ['2026-11-18', '2027-01-09'])];
    const paths = modePaths(market.dataDir, 'sandbox');
    const dates = { from: dayFromDate('2025-03-03'), to: null };
    const rows = [STOCK, FUND].map((symbol) => ({ index: 'i', title: 'I', symbol, ...dates }));
    const members = await land('members', rows);
    // Its filings alone show a split of ten for one: no source of splits knows the company.
    const year = (date: string, filedAt: string, eps: number) => ({
      ...{ symbol: 'QXSPL', date: dayFromDate(date), period: 'annual', netIncome: 1e9 },
      ...{ filedAt: Date.parse(filedAt), eps, epsDiluted: eps, form: '10-K' },
    });
    const split = await land('statements', [
      year('2023-12-31', '2024-02-01T21:00:00Z', 20),
      year('2023-12-31', '2025-02-03T21:00:00Z', 2),
      year('2024-12-31', '2025-02-03T21:00:00Z', 3),
    ]);
    await inStore(paths, async (db) => {
      await delist(db, FUND, '2026-03-02');
      await loadSegment(db, members);
      await loadSegment(db, split);
      await load(db, segmentOf(wrong, { basis: 'raw', source: 'sandbox', actions }));
    });
    await run(paths, NOW_MS);
    const env = { TAPEWORKS_URL: address, TAPEWORKS_API_KEY: rawKey, EVERY: scaled('6', '1') };
    report = JSON.parse(await runPython(CALLS, { args: [folder(), ...PROGRAM], env }));
  });

  it.each(NAMES)('gives the same %s as over HTTP', (name) => {
    expect(report[name].differences).toEqual([]);
    expect(report[name].rows).toBeGreaterThan(0);
  });

  it('refuses with the same errors and messages as over HTTP', () => {
    expect(report.refusals).toEqual({ rows: 0, differences: [] });
    expect(Object.keys(report).toSorted()).toEqual([...NAMES, 'refusals'].toSorted());
  });

  it('has the same methods as over HTTP, with the same parameters', async () => {
    const [count, different] = await result(`
import inspect
names = [name for name in vars(tapeworks.Market) if not name.startswith("_")]
def shape(kind, name):
    parameters = inspect.signature(getattr(kind, name)).parameters.values()
    return [(one.name, one.kind, one.default) for one in parameters]
print(json.dumps([len(names), [name for name in names
      if not shape(tapeworks.Files, name) == shape(tapeworks.Server, name) == shape(tapeworks.Market, name)]]))`);
    expect(count).toBe(18);
    expect(different).toEqual([]);
  });

  it('reads a new version once it is published, and keeps tables of the one before', async () => {
    const dataDir = freshFolder();
    cpSync(market.dataDir, dataDir, { recursive: true });
    const { serving } = modePaths(dataDir, 'sandbox');
    const program = `
import json, sys, tapeworks
tw = tapeworks.open(sys.argv[1])
old = tw.bars("*")
print("ready", flush=True)
input()
new = tw.bars("*")
print(json.dumps([old.arrow().to_pydict() == new.arrow().to_pydict(), tw.version]))`;
    const running = execPython(['-c', program, join(dataDir, 'sandbox')]);
    const lines = createInterface({ input: running.stdout })[Symbol.asyncIterator]();
    expect((await lines.next()).value).toBe('ready');
    // Two publishes: the second one deletes the files of the version that Python has open.
    for (const step of [1, 2, 3]) {
      const version = openPublished(serving);
      if (!version) throw new Error('nothing is published');
      const { createdMs, manifest } = version;
      const options = {
        createdMs: createdMs + step * 3_600_000,
        currentYear: manifest.currentYear,
      };
      await compact(serving, version, 'all', options);
      version.close();
    }
    const { version } = openPublished(serving)!.manifest;
    expect(version).toBe(5);
    running.stdin.end('\n');
    expect(JSON.parse(String((await lines.next()).value))).toEqual([true, version]);
  });

  it('names what computes a result, and what loads data', async () => {
    const messages = await result(
      `
import os, sys
os.environ["PATH"] = ""
tw = tapeworks.open(sys.argv[1])
def refusal(call):
    try:
        call()
    except tapeworks.NeedsServerError as error:
        return str(error)
print(json.dumps([refusal(lambda: tw.screen("close > 1")), refusal(lambda: tw.indicators("*", "rsi:5")),
                  refusal(lambda: tw.bars("*", interval="1h")), refusal(lambda: tw.stream("data.ready")),
                  refusal(lambda: tw.backfill(["brk-b", "AAPL"], "yahoo", "analysts")),
                  refusal(lambda: tw.fundamentals("ratios", "AAPL"))]))`,
      [folder()],
    );
    const install = /must be computed: install the program \(npm install -g tapeworks\)/;
    expect(messages[0]).toMatch(/^a screen must be computed/);
    for (const message of messages.slice(0, 3)) expect(message).toMatch(install);
    expect(messages[3]).toContain('tapeworks.connect().stream()');
    expect(messages[4]).toContain('npx tapeworks backfill yahoo analysts --symbols BRK.B,AAPL');
    expect(messages[5]).toBe('ratios need a server: use tapeworks.connect()');
  });

  it('opens a mode, the data folder and TAPEWORKS_DATA_DIR', async () => {
    const found = await result(
      `
import os, sys
names = [tapeworks.open(sys.argv[1] + end).folder.name for end in ("/sandbox", "/sandbox/serving")]
os.environ["TAPEWORKS_DATA_DIR"] = sys.argv[1]
try:
    tapeworks.open()
except tapeworks.MissingDataError as error:
    names.append(str(error))
print(json.dumps(names))`,
      [market.dataDir],
    );
    expect(found.slice(0, 2)).toEqual(['sandbox', 'sandbox']);
    expect(found[2]).toMatch(/^nothing is published in .*live: run npx tapeworks backfill first/);
  });
});
