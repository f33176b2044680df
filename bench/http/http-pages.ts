/**
 * Pages of lists over HTTP against a bare Express handler that sends the same bytes:
 * `node bench/http/http-pages.ts [--quick | --smoke] [--data DIR]`. The market is the sandbox's, made and
 * published by the pipeline, in a folder that stays if one is given. Pages are loaded as by `tapeworks
 * bench serving`.
 *
 * The goal is by CPU time of the server, which other work on the machine changes little.
 */

import { fillSandbox } from '../../jobs/load/sandbox.ts';
import { settingsFromEnv } from '../../src/base/config/config.ts';
import { modePaths } from '../../src/base/config/data-dir.ts';
import { openSandbox, sandboxPlan } from '../../src/sandbox/source.ts';
import { OURS, taskOf } from '../command/report/document.ts';
import { EXPRESS, measureServer } from '../command/serving/bench.ts';
import { API_SERVER, startServerProcess } from '../command/serving/child.ts';
import type { ApiReady } from '../command/serving/server.ts';
import {
  benchFolder,
  benchSizeFromArgs,
  checkResult,
  goalLines,
  machineLine,
  medianOf,
  readable,
  tableFromRows,
  takeDataDir,
} from '../harness.ts';

const SIZES = {
  smoke: { stocks: 20, rounds: 1, durationMs: 100 },
  quick: { stocks: 100, rounds: 3, durationMs: 1000 },
  full: { stocks: 500, rounds: 5, durationMs: 3000 },
};

/** A time at which this session's market is whole: results are the same on every day. */
const NOW_MS = Date.parse('2026-11-20T22:00:00Z');

/** By the share of bare Express that a page must reach. */
const GOAL = 0.5;

const lists = ([symbol, other]: readonly string[]) => ({
  'news, 20 of all': '/v1/svc/news',
  'news, 100 of all': '/v1/svc/news?limit=100',
  'news, 20 of a symbol': `/v1/svc/news/${symbol}`,
  'news, 20 of a sentiment': '/v1/svc/news?sentiment=positive',
  'news, 20 of two symbols': `/v1/svc/news?symbols=${symbol},${other}`,
  'statements, 20': `/v1/svc/fundamentals/${symbol}/statements?period=quarterly`,
  'balance sheets, 20': `/v1/svc/fundamentals/${symbol}/balance-sheet?period=quarterly`,
  'insider, 20': `/v1/svc/insider/${symbol}`,
  'insider, 20 sales': `/v1/svc/insider/${symbol}?transaction_type=sell`,
  'upgrades, 20': `/v1/svc/upgrades-downgrades/${symbol}`,
  'analyst targets': `/v1/svc/analyst-targets/${symbol}`,
  expirations: `/v1/svc/options/${symbol}/expirations`,
  'earnings calendar, 20': '/v1/svc/earnings/calendar?from=2026-11-20',
  'earnings calendar, 100': '/v1/svc/earnings/calendar?from=2026-11-20&to=2027-02-10&limit=100',
  'screener, 20': '/v1/svc/screener?sector=technology&pe_ratio_max=40',
  'symbols, 20': '/v1/svc/symbols?limit=20',
  'symbols, 100': '/v1/svc/symbols?limit=100',
});

/** Bodies are alike but for cursors, which say when they were given; every page has rows. */
function withoutTime(body: Buffer): string {
  const text = body.toString();
  checkResult(JSON.parse(text).data.length > 0, 'every page has rows');
  return text.replaceAll(/"cursor":"[^"]*"/g, '');
}

const given = takeDataDir();
const { stocks, ...timing } = SIZES[benchSizeFromArgs()];
const dataDir = given ?? benchFolder();
const settings = settingsFromEnv({});
const paths = modePaths(dataDir, 'sandbox');
await fillSandbox(paths, { stocks }, { settings, verb: 'bench', nowMs: NOW_MS });
const { securities } = openSandbox(sandboxPlan({ stocks }, NOW_MS), NOW_MS);
const stocksOf = securities.filter(({ type }) => type === 'stock');
const asked = lists(stocksOf.map(({ symbol }) => symbol));
const server = await startServerProcess<ApiReady>(API_SERVER, [dataDir, 'sandbox']);
try {
  const load = { ...timing, onProgress: () => undefined };
  const { measurements } = await measureServer(load, server, asked, withoutTime);
  const micros = (group: string, name: string, program: string) =>
    medianOf(
      measurements.find((one) => one.task === taskOf(group, name) && one.program === program)!
        .samplesNs,
    ) / 1000;
  const rows = Object.keys(asked).map((name) => ({
    name,
    rate: 1e6 / micros('rate', name, OURS),
    ours: micros('cpu', name, OURS),
    bare: micros('cpu', name, EXPRESS),
  }));
  console.log(`${stocks} companies; ${machineLine()}\n`);
  console.log(
    tableFromRows(
      ['', 'requests/s', 'server CPU µs', 'bare Express'],
      rows.map(({ name, rate, ours, bare }) => [name, ...[rate, ours, bare].map(readable)]),
    ),
  );
  // Cold code on a small market says nothing about speed.
  if (stocks > SIZES.smoke.stocks) {
    const goals = rows.map(({ name, ours, bare }) => ({
      name: `${name}: bare Express ÷ ours, CPU time`,
      ratio: bare / ours,
      atLeast: GOAL,
    }));
    console.log(`\n${goalLines(goals)}`);
  }
} finally {
  await server.stop();
}
