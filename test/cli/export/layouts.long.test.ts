/**
 * Layouts read by the engines themselves, each fetched from its registry into an environment of the
 * test. LEAN's engine is a program of .NET, so its files are read in layouts.test.ts alone.
 */

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { sharedFolder } from '../../support/folders.ts';
import { python } from '../../support/tools.ts';
import { useCliFolder } from '../support/run-cli.ts';
import { LARGE_VOLUME, loadLayoutBars, SESSIONS } from './support/layout-bars.ts';

const run = promisify(execFile);
const folder = useCliFolder();
const environments = sharedFolder();
const INSTALL_MS = 1_800_000;

const ZIPLINE = `
import json, os, sys, warnings
warnings.filterwarnings("ignore")
place, first, last = sys.argv[1:]
os.environ["ZIPLINE_ROOT"] = place + "-root"
import pandas as pd, sqlite3, glob
from zipline.data.bundles import ingest, load, register
from zipline.data.bundles.csvdir import csvdir_equities
register("tapes", csvdir_equities(["daily"], place), calendar_name="NYSE",
         start_session=pd.Timestamp(first), end_session=pd.Timestamp(last))
ingest("tapes", show_progress=False)
bundle = load("tapes")
reader = bundle.equity_daily_bar_reader
read = {}
for asset in bundle.asset_finder.retrieve_all(bundle.asset_finder.sids):
    fields = ["open", "high", "low", "close", "volume"]
    arrays = reader.load_raw_arrays(fields, asset.start_date, asset.end_date, [asset.sid])
    read[asset.symbol] = [column[:, 0].tolist() for column in arrays]
database = sqlite3.connect(glob.glob(place + "-root/data/tapes/*/adjustments.sqlite")[0])
actions = [database.execute("select " + columns).fetchall() for columns in
           ("ratio from splits", "amount from dividend_payouts order by ex_date")]
print(json.dumps({"read": read, "actions": actions}))
`;

const QLIB = `
import json, logging, sys
import qlib
from qlib.data import D
qlib.init(provider_uri=sys.argv[1], region="us", logging_level=logging.ERROR)
listed = D.list_instruments(D.instruments("all"), as_list=True)
frame = D.features(["NA", *listed], ["$close", "$close / $factor", "$volume * $factor", "Ref($close, 1)"])
read = {symbol: [rows[column].tolist() for column in rows] for symbol, rows in frame.groupby(level=0)}
print(json.dumps({"listed": listed, "read": read}).replace("NaN", "null"))
`;

/** Runs a program with one package installed, and returns the JSON that it prints last. */
async function inEngine(requirement: string, program: string, ...args: string[]) {
  const place = join(environments, requirement.replace(/\W/g, '-'));
  await run(python!, ['-m', 'venv', place]);
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', requirement];
  const interpreter = join(place, 'bin/python');
  await run(interpreter, pip);
  const { stdout } = await run(interpreter, ['-c', program, ...args], { maxBuffer: 2 ** 28 });
  return JSON.parse(stdout.trimEnd().split('\n').at(-1)!);
}

const exported = async (layout: string) => {
  const place = join(folder.dataDir, layout);
  await folder.json('export', 'candles', '--layout', layout, '--out', place);
  return place;
};

const bars = (symbol: string): Promise<Record<string, number>[]> =>
  folder.json(
    'sql',
    `SELECT open, high, low, close, volume FROM candles WHERE symbol = '${symbol}' ORDER BY ts`,
  );

beforeAll(() => loadLayoutBars(folder));

it('zipline ingests its layout, and has every bar and action', {
  timeout: INSTALL_MS,
}, async () => {
  const [first, last] = [SESSIONS[0], SESSIONS.at(-1)!];
  const place = await exported('zipline');
  const { read, actions } = await inEngine('zipline-reloaded==3.2.1', ZIPLINE, place, first, last);
  expect(Object.keys(read).sort()).toEqual(['BRK-B', 'CON', 'HOLE', 'LARGE', 'NA', 'SPLT']);
  expect(read.HOLE[3]).toHaveLength(SESSIONS.length);
  expect(actions).toEqual([[[0.5]], [[0.25], [0.5]]]);
  for (const [name, symbol] of [
    ['BRK-B', 'BRK.B'],
    ['NA', 'NA'],
    ['SPLT', 'SPLT'],
  ]) {
    const stored = await bars(symbol);
    for (const [i, field] of ['open', 'high', 'low', 'close', 'volume'].entries()) {
      const values = stored.map((bar) => bar[field]);
      expect(read[name][i].map((value: number) => Number(value.toFixed(3)))).toEqual(values);
    }
  }
  // What the report says of it: 32 bits can't hold this volume.
  expect(read.LARGE[4].at(-1)).not.toBe(LARGE_VOLUME);
});

it('qlib reads its layout', { timeout: INSTALL_MS }, async () => {
  const { listed, read } = await inEngine('pyqlib==0.9.7', QLIB, await exported('qlib'));
  expect(listed.sort()).toEqual(['BRK.B', 'CON', 'HOLE', 'LARGE', 'SPLT']);
  for (const symbol of ['BRK.B', 'CON', 'NA', 'SPLT', 'LARGE']) {
    const stored = await bars(symbol);
    const [, close, volume] = read[symbol];
    for (const [row, bar] of stored.entries()) {
      expect(close[row]).toBeCloseTo(bar.close, 3);
      expect(volume[row] / bar.volume).toBeCloseTo(1, 5);
    }
  }
  expect(read.HOLE[0].slice(10, 15)).toEqual(Array(5).fill(null));
});
