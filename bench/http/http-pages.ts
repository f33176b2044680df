/**
 * Pages of lists over HTTP against a bare Express handler that sends the same bytes:
 * `node bench/http/http-pages.ts [--quick | --smoke] [--data DIR]`. The market is the sandbox's, made and
 * published by the pipeline, in a folder that stays if one is given.
 *
 * The goal is by CPU time of the server, which other work on the machine changes little.
 */

import { fillSandbox } from '../../jobs/load/sandbox.ts';
import { settingsFromEnv } from '../../src/base/config/config.ts';
import { modePaths } from '../../src/base/config/data-dir.ts';
import { API_SERVER, startServerProcess } from '../../src/bench/serving/child.ts';
import type { ApiReady } from '../../src/bench/serving/server.ts';
import { openSandbox, sandboxPlan } from '../../src/sandbox/source.ts';
import {
  benchFolder,
  benchSizeFromArgs,
  checkResult,
  goalLines,
  machineLine,
  readable,
  tableFromRows,
  takeDataDir,
} from '../harness.ts';
import { type LoadTarget, loadInterleaved } from './load.ts';

const SIZES = {
  smoke: { stocks: 20, rounds: 1, durationS: 0.1, warmupS: 0 },
  quick: { stocks: 100, rounds: 3, durationS: 1, warmupS: 1 },
  full: { stocks: 500, rounds: 5, durationS: 3, warmupS: 2 },
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

const withoutTime = (body: string) => body.replaceAll(/"cursor":"[^"]*"/g, '');

/** Both answer alike but for cursors, which say when they were given, and with rows. */
async function checkPage(name: string, api: LoadTarget, bare: LoadTarget): Promise<void> {
  const [ours, theirs] = await Promise.all(
    [api, bare].map(async ({ address, rawKey, paths: [path] }) => {
      const answer = await fetch(address + path, { headers: { 'X-API-Key': rawKey } });
      const body = await answer.text();
      checkResult(answer.status === 200, `${path} gave status ${answer.status}: ${body}`);
      return body;
    }),
  );
  checkResult(withoutTime(ours) === withoutTime(theirs), `${name} differs bare`);
  checkResult(JSON.parse(ours).data.length > 0, `${name} has rows`);
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
  const { address, bareAddress, rawKey } = server.ready;
  const targets: Record<string, LoadTarget> = {};
  for (const [name, path] of Object.entries(asked)) {
    const api: LoadTarget = { address, rawKey, paths: [path], cpuUs: server.cpuUs };
    const bare = { ...api, address: bareAddress };
    await checkPage(name, api, bare);
    targets[name] = api;
    targets[`${name}, bare`] = bare;
  }
  const results = await loadInterleaved(targets, timing);
  const names = Object.keys(asked);
  const rows = names.map((name) => {
    const [ours, bare] = [results[name], results[`${name}, bare`]];
    return [ours.requestsPerS, ours.cpuUsPerRequest, bare.cpuUsPerRequest, ours.p99Ms];
  });
  console.log(`${stocks} companies; ${machineLine()}\n`);
  console.log(
    tableFromRows(
      ['', 'requests/s', 'server CPU µs', 'bare Express', 'p99 ms'],
      names.map((name, i) => [name, ...rows[i].map(readable)]),
    ),
  );
  // Cold code on a small market says nothing about speed.
  if (stocks > SIZES.smoke.stocks) {
    console.log();
    console.log(
      goalLines(
        names.map((name, i) => ({
          name: `${name}: bare Express ÷ ours, CPU time`,
          ratio: rows[i][2] / rows[i][1],
          atLeast: GOAL,
        })),
      ),
    );
  }
} finally {
  await server.stop();
}
