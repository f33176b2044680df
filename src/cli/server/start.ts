/**
 * `start`, which `npm start` runs: prints a key once, and supervises two processes: the API, and a
 * pipeline that fills the sandbox and updates it to the latest session.
 */

import { join } from 'node:path';
import type { Command } from 'commander';
import { type Settings, settingsFromEnv } from '../../base/config/config.ts';
import {
  accountsPlace,
  MANIFEST_NAME,
  MODES,
  type Mode,
  modePaths,
  startPaths,
} from '../../base/config/data-dir.ts';
import { countText } from '../../base/count-text.ts';
import { dataFolders, fullFolder } from '../../base/data-folder.ts';
import { isDiskFull } from '../../base/disk-full.ts';
import { StoreBusyError } from '../../base/errors.ts';
import { lockFile } from '../../base/file-lock.ts';
import { wallMs } from '../../base/world/clock.ts';
import { existsSync, rmSync } from '../../base/world/files.ts';
import { process } from '../../base/world/process.ts';
import { listeningLine } from '../options.ts';
import { createOutput, type Output } from '../output.ts';
import { readStartNote, type StartNote, writeStartNote } from '../start-note.ts';
import type { ApiReport } from './api-threads.ts';
import { untilStopped, withThreadCount } from './serve.ts';
import { type Supervised, superviseVerb, whenRoom } from './supervise.ts';

/** Label of the keys that `start` creates, by which it finds them again. */
const START_KEY_LABEL = 'made by start';

/** Keys that `start` makes, by mode. The live one may load data, which the page needs. */
const START_SCOPES: Readonly<Record<Mode, readonly string[]>> = {
  sandbox: ['all'],
  live: ['all', 'ingest:write'],
};

/** Raw keys that were made now; undefined for those of an earlier start. */
type StartKeys = Partial<Record<Mode, string>>;

interface StartOptions {
  processes: number;
  newKey?: boolean;
  json?: boolean;
}

async function start(options: StartOptions): Promise<void> {
  const settings = settingsFromEnv(process.env);
  const output = createOutput(options.json);
  const { note } = output;
  if (settings.redisUrl !== undefined) {
    const { requireUsableRedis } = await import('../../../jobs/redis/connection.ts');
    await requireUsableRedis(settings);
  }
  const stopped = untilStopped();
  const own: StartNote = { pid: process.pid, since: new Date(wallMs()).toISOString() };
  const giveFolderBack = takeFolder(settings.dataDir, own);
  const serving = modePaths(settings.dataDir, 'sandbox').serving;
  const { isOfOlderFormat } = await import('../../store/arrow/format/manifest.ts');
  const isFilled = existsSync(join(serving, MANIFEST_NAME)) && !isOfOlderFormat(serving);
  const isFull = fullFolder(dataFolders(process.env)) !== undefined;
  const pipeline = whenRoom(() => superviseVerb<unknown>(['pipeline'], { note }));
  /** Becomes true after the first fill, false at a stop before it. */
  const filled = isFilled
    ? Promise.resolve(true)
    : Promise.race([pipeline.firstReport.then(() => true), stopped.then(() => false)]);
  // People get the address before the first fill ends, a program when all data is there.
  const isWhole = isFilled || (options.json === true && !isFull);
  let api: Supervised<ApiReport> | undefined;
  try {
    if (isWhole && !(await filled)) return;
    const args = ['serve', '--processes', String(options.processes)];
    const { freePort } = await import('./free-port.ts');
    // A restarted server listens on the same port.
    const env = { TAPEWORKS_PORT: String(await freePort(settings)), ...terminalLevel() };
    api = superviseVerb<ApiReport>(args, { note, fatalUntilReported: true, env });
    const report = await Promise.race([api.firstReport, stopped]);
    if (!report) return;
    writeStartNote(settings.dataDir, { ...own, address: report.address });
    const keys = await startKeys(settings, options.newKey === true);
    announce(output, report, { settings, keys, isFilled: isWhole, isFull });
    if (!isWhole && (await filled)) {
      note(`The sandbox is filled: ${sandboxText(await symbolCount(serving))}.`);
    }
    await stopped;
  } finally {
    await Promise.all([pipeline.stop(), api?.stop()]);
    giveFolderBack();
  }
}

/**
 * Locks the folder for this process: two starts would both fill the sandbox and run schedules.
 *
 * @returns a function that releases it.
 * @throws {StoreBusyError} another `start` has it.
 */
function takeFolder(dataDir: string, own: StartNote): () => void {
  const { lock, holder } = startPaths(dataDir);
  const held = lockFile(lock);
  if (!held) {
    const other = holderText(readStartNote(dataDir));
    throw new StoreBusyError(
      other,
      `${other} uses "${dataDir}": stop it first, set TAPEWORKS_DATA_DIR to another folder, ` +
        'or run serve for a second server over the same data',
    );
  }
  writeStartNote(dataDir, own);
  return () => {
    rmSync(holder, { force: true });
    held.close();
  };
}

function holderText(note: StartNote | undefined): string {
  // Without a note it has just started.
  return note ? `another start (process ${note.pid}, since ${note.since})` : 'another start';
}

/** Counts the published symbols; 0 before the first publish. */
async function symbolCount(serving: string): Promise<number> {
  const { openPublished } = await import('../../store/arrow/read/reader.ts');
  using version = openPublished(serving);
  return version?.symbols.length ?? 0;
}

/** Creates the keys at the first start. A revoked live key is not replaced unasked. */
async function startKeys(settings: Settings, forceNew: boolean): Promise<StartKeys> {
  const { withAccounts } = await import('../../store/accounts/open.ts');
  return await withAccounts(accountsPlace(settings.dataDir), async (accounts) => {
    const all = await accounts.listKeys();
    const known = all.filter(({ label }) => label === START_KEY_LABEL);
    const missing = MODES.filter(
      (mode) =>
        forceNew ||
        !known.some((key) => key.mode === mode && (mode === 'live' || key.revokedAt === null)),
    );
    const made: StartKeys = {};
    try {
      for (const mode of missing) {
        const key = { mode, label: START_KEY_LABEL, scopes: START_SCOPES[mode], limit: null };
        made[mode] = (await accounts.createKey(key)).rawKey;
      }
    } catch (error) {
      // The next start makes them.
      if (!isDiskFull(error)) throw error;
    }
    return made;
  });
}

/**
 * Leaves out the lines of requests at a terminal, where nobody chose a level: one visit of the page
 * has sixty, which would push the links away that are shown only once.
 */
function terminalLevel(): Record<string, string> {
  const isChosen = process.env.TAPEWORKS_LOG_LEVEL !== undefined;
  return process.stderr.isTTY && !isChosen ? { TAPEWORKS_LOG_LEVEL: 'warn' } : {};
}

interface Found {
  settings: Settings;
  keys: StartKeys;
  /** False while the sandbox is filled. */
  isFilled: boolean;
  /** True if it is filled once the disk has room. */
  isFull: boolean;
}

function announce(output: Output, api: ApiReport, found: Found): void {
  const { settings, keys, isFilled, isFull } = found;
  const { address, sandboxSymbolCount: symbols } = api;
  const live = modePaths(settings.dataDir, 'live').serving;
  const jobs =
    settings.operatorToken === undefined
      ? 'off, as /metrics is; set TAPEWORKS_ADMIN_TOKEN to see them'
      : `${address}/jobs, as /metrics with your TAPEWORKS_ADMIN_TOKEN`;
  // Erases the line of progress.
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  const page = pageLink(address, keys.sandbox);
  const livePage = keys.live ? pageLink(address, keys.live) : null;
  const { sandbox: key = null, live: liveKey = null } = keys;
  output.result({ address, key, page, liveKey, livePage, symbols }, [
    listeningLine(address, settings),
    '',
    `  page     ${page}`,
    ...(livePage ? [`  live     ${livePage}`] : []),
    `  docs     ${address}/docs`,
    `  sandbox  ${isFilled ? sandboxText(symbols) : isFull ? 'empty until the disk has room' : 'being filled; its data follows in seconds'}`,
    `  data     ${settings.dataDir}`,
    `  jobs     ${jobs}`,
    '',
    ...keyLines(address, keys),
    ...(existsSync(join(live, MANIFEST_NAME))
      ? []
      : ['', ...firstSteps(address, settings.vendorKeys, keys.live)]),
  ]);
}

function sandboxText(symbols: number): string {
  return `${countText(symbols)} synthetic symbols with bars, statements and news`;
}

/** Returns the address of the page; with a key it opens signed in, and drops the key at once. */
function pageLink(address: string, key: string | undefined): string {
  return key ? `${address}/#key=${key}` : `${address}/`;
}

function keyLines(address: string, { sandbox, live }: StartKeys): string[] {
  if (!sandbox && !live) return ['The keys were shown at the first start; --new-key makes others.'];
  const lines = sandbox
    ? [
        `Your sandbox key, shown this once: ${sandbox}`,
        `  curl -H 'X-API-Key: ${sandbox}' '${address}/v1/svc/symbols?limit=3'`,
      ]
    : [];
  if (!live) return lines;
  return [
    ...lines,
    'The live link may load data: keep it to yourself. It is shown this once, too.',
  ];
}

/** Lists commands from an empty store to real statements and the chart of a real stock. */
function firstSteps(
  address: string,
  vendorKeys: Settings['vendorKeys'],
  liveKey = 'svc_live_…',
): string[] {
  const dataDir = process.env.TAPEWORKS_DATA_DIR;
  const tapeworks = `${dataDir ? `TAPEWORKS_DATA_DIR='${dataDir}' ` : ''}npx tapeworks`;
  const hasKey = Object.keys(vendorKeys).length > 0;
  const statements = `${address}/v1/svc/fundamentals/NVDA/statements?period=annual`;
  return [
    'Next, real data: open the live link and add a symbol. Or from a second terminal,',
    'statements that come with Tapeworks:',
    `  ${tapeworks} backfill sec --sample`,
    `  curl -H 'X-API-Key: ${liveKey}' '${statements}'`,
    '',
    hasKey
      ? 'Prices, from the vendors whose keys are set:'
      : 'Prices, after you set TAPEWORKS_ALPACA_KEY and TAPEWORKS_ALPACA_SECRET (free at https://alpaca.markets):',
    `  ${tapeworks} backfill any --symbols AAPL`,
    `  ${tapeworks} chart AAPL`,
  ];
}

export function registerStart(program: Command): void {
  withThreadCount(program.command('start'))
    .description('fill the sandbox, make an API key, serve the API and keep data current')
    .option('--new-key', 'create and print other keys and links')
    .option('--json', 'print one JSON document when the server is ready')
    .action(start);
}
