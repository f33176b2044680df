/**
 * `start`, which `npm start` runs: fills the sandbox, prints a key once, and supervises two
 * processes: the API, and a pipeline that updates the sandbox to the latest session.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { type Settings, settingsFromEnv } from '../../base/config/config.ts';
import { accountsPath, modePaths } from '../../base/config/data-dir.ts';
import { countText } from '../../base/count-text.ts';
import { createOutput, type Output } from '../output.ts';
import type { ApiReport } from './api-threads.ts';
import { untilStopped, withThreadCount } from './serve.ts';
import { type Supervised, superviseVerb } from './supervise.ts';

/** Label of the key that `start` creates, by which it finds the key again. */
const START_KEY_LABEL = 'made by start';

interface StartOptions {
  processes: number;
  newKey?: boolean;
  json?: boolean;
}

async function start(options: StartOptions): Promise<void> {
  const settings = settingsFromEnv(process.env);
  const output = createOutput(options.json);
  const stopped = untilStopped();
  const { takeFolder } = await import('./start-lock.ts');
  const giveFolderBack = takeFolder(settings.dataDir);
  const serving = modePaths(settings.dataDir, 'sandbox').serving;
  const { isOfOlderFormat, MANIFEST_NAME } = await import('../../store/arrow/format/manifest.ts');
  const isFirstStart = !existsSync(join(serving, MANIFEST_NAME)) || isOfOlderFormat(serving);
  // A terminal shows the line of progress.
  if (isFirstStart && !process.stderr.isTTY) output.note('Filling the sandbox.');
  const { note } = output;
  const pipeline = superviseVerb(['pipeline'], { note });
  let api: Supervised<ApiReport> | undefined;
  try {
    // Later starts serve at once, while the pipeline catches up.
    if (isFirstStart) await Promise.race([pipeline.firstReport, stopped]);
    const args = ['serve', '--processes', String(options.processes)];
    const { freePort } = await import('./free-port.ts');
    // A restarted server listens on the same port.
    const env = { TAPEWORKS_PORT: String(await freePort(settings)) };
    api = superviseVerb<ApiReport>(args, { note, mustStart: true, env });
    const report = await Promise.race([api.firstReport, stopped]);
    if (report) {
      const live = modePaths(settings.dataDir, 'live').serving;
      const isFilled = existsSync(join(live, MANIFEST_NAME));
      const key = await startKey(settings, options.newKey === true);
      announce(output, report, { settings, key, isFilled });
      await stopped;
    }
  } finally {
    await Promise.all([pipeline.stop(), api?.stop()]);
    giveFolderBack();
  }
}

/** Creates the key at the first start. @returns the raw key; undefined if there was one. */
async function startKey(settings: Settings, forceNew: boolean): Promise<string | undefined> {
  const { openAccounts } = await import('../../store/sqlite/accounts.ts');
  const accounts = openAccounts(accountsPath(settings.dataDir));
  try {
    const exists = accounts
      .listKeys()
      .some((key) => key.label === START_KEY_LABEL && key.revokedAt === null);
    if (exists && !forceNew) return undefined;
    const all = { scopes: ['all'], limit: null };
    const made = accounts.createKey({ mode: 'sandbox', label: START_KEY_LABEL, ...all });
    return made.rawKey;
  } finally {
    accounts.close();
  }
}

interface Found {
  settings: Settings;
  /** Raw key, if it was created now. */
  key: string | undefined;
  /** True if there is live data. */
  isFilled: boolean;
}

function announce(output: Output, api: ApiReport, { settings, key, isFilled }: Found): void {
  const { address, sandboxSymbolCount: symbols } = api;
  const jobs =
    settings.operatorToken === undefined
      ? 'off, as /metrics is; set TAPEWORKS_ADMIN_TOKEN to see them'
      : `${address}/jobs, as /metrics with your TAPEWORKS_ADMIN_TOKEN`;
  output.result({ address, key: key ?? null, symbols }, [
    `Tapeworks answers on ${address}`,
    '',
    `  docs     ${address}/docs`,
    `  sandbox  ${countText(symbols)} synthetic symbols with bars, statements and news`,
    `  data     ${settings.dataDir}`,
    `  jobs     ${jobs}`,
    '',
    ...keyLines(address, key),
    ...(isFilled ? [] : ['', ...firstSteps(address)]),
  ]);
}

function keyLines(address: string, key: string | undefined): string[] {
  if (!key) return ['The sandbox key was shown at the first start; --new-key makes another.'];
  return [
    `Your sandbox key, shown this once: ${key}`,
    `  curl -H 'X-API-Key: ${key}' '${address}/v1/svc/symbols?limit=3'`,
  ];
}

/** Lists commands from an empty store to the indicators of a real stock. */
function firstSteps(address: string): string[] {
  const dataDir = process.env.TAPEWORKS_DATA_DIR;
  const tapeworks = `${dataDir ? `TAPEWORKS_DATA_DIR='${dataDir}' ` : ''}npx tapeworks`;
  return [
    'Next, a real stock, from a second terminal:',
    `  ${tapeworks} backfill yahoo --symbols AAPL`,
    `  ${tapeworks} keys create --mode live --label me --scopes all`,
    `  curl -H 'X-API-Key: svc_live_…' '${address}/v1/svc/technical/AAPL?indicators=sma,rsi,macd'`,
  ];
}

export function registerStart(program: Command): void {
  withThreadCount(program.command('start'))
    .description('fill the sandbox, make an API key, serve the API and keep data current')
    .option('--new-key', 'create and print another sandbox key')
    .option('--json', 'print one JSON document when the server is ready')
    .action(start);
}
