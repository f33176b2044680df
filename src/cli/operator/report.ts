/** The operator's report: what needs a person, and the state of data, jobs, keys and webhooks. */

import { readHeld } from '../../../jobs/load/held-records.ts';
import { scheduleRows } from '../../../jobs/schedule/schedules.ts';
import { isStale } from '../../api/operator/health.ts';
import type { Settings } from '../../base/config/config.ts';
import {
  accountsPlace,
  MODES,
  type Mode,
  modePaths,
  workPaths,
} from '../../base/config/data-dir.ts';
import { limits } from '../../base/limits.ts';
import type {
  CheckReport,
  DatasetReport,
  HeldReport,
  KeysReport,
  ModeReport,
  OperatorReport,
  RefusedReport,
  RunReport,
  WebhooksReport,
} from '../../base/operator/report.ts';
import { monotonicMs, wallMs } from '../../base/world/clock.ts';
import { readQuarantine } from '../../ingest/segments/quarantine-counts.ts';
import { ifReachable, readAccounts, withAccounts } from '../../store/accounts/open.ts';
import type { AccountRecords } from '../../store/accounts/records/contract.ts';
import { checkPostgres } from '../doctor/accounts.ts';
import { checkClock, checkKeys, checkRuntime } from '../doctor/setup.ts';
import {
  countsOf,
  integrityStatus,
  type PublishedStatus,
  publishedStatus,
} from '../inspect/status.ts';
import { readJobs } from '../server/operator-jobs.ts';
import { diskReport } from './disk.ts';
import { canRetry } from './retry.ts';

/** Parts of the report that take long to read. */
interface SlowParts {
  disk: OperatorReport['disk'];
  keys: KeysReport | null;
  webhooks: WebhooksReport | null;
  postgres: CheckReport[];
  refused: RefusedReport[];
}

/** Creates a function that makes the report. It keeps slow parts for `keptMs`. */
export function createReport(settings: Settings): () => Promise<OperatorReport> {
  const { dataDir } = settings;
  let slow: { parts: SlowParts; readMs: number } | undefined;
  async function slowParts(nowMs: number): Promise<SlowParts> {
    const { keptMs } = limits.operatorReport;
    if (!slow || monotonicMs() - slow.readMs > keptMs) {
      slow = { parts: await readSlowParts(settings, nowMs), readMs: monotonicMs() };
    }
    return slow.parts;
  }
  return async () => {
    const nowMs = wallMs();
    // Runs of the engine in use: others could not be retried.
    const [{ postgres, ...slowly }, queued] = await Promise.all([
      slowParts(nowMs),
      readJobs(settings, async (jobs) => ({
        jobs: countsOf(await jobs.figures()),
        runs: await jobs.runs(),
      })),
    ]);
    const { jobs, runs } = queued ?? { jobs: null, runs: [] };
    return {
      at: new Date(nowMs).toISOString(),
      modes: await modeReports(dataDir, nowMs),
      ...{ jobs, runs, canRetry: canRetry(settings) },
      held: MODES.flatMap((mode) => heldReports(settings, mode, runs)),
      schedules: scheduleRows(settings, nowMs).map(({ next, ...row }) => row),
      integrity: integrityStatus(dataDir),
      checks: [checkRuntime(), await checkClock(settings, nowMs), checkKeys(settings), ...postgres],
      ...slowly,
    };
  };
}

async function readSlowParts(settings: Settings, nowMs: number): Promise<SlowParts> {
  const read = async (accounts: AccountRecords) => ({
    keys: await accounts.keysReport(),
    webhooks: await accounts.webhooksReport(),
  });
  const place = accountsPlace(settings.dataDir);
  const known = readAccounts(place, read, () => nowMs).then(
    async (parts) => parts ?? (await withAccounts(place, read)),
  );
  // Each waits for as long as a connection may take.
  const [parts, postgres] = await Promise.all([ifReachable(known), checkPostgres(settings)]);
  return {
    disk: diskReport(settings),
    ...(parts ?? { keys: null, webhooks: null }),
    postgres,
    refused: MODES.map((mode) => refusedReport(settings.dataDir, mode)),
  };
}

/** Lists held loads, newest first. A run is named if it failed, so that a retry can accept it. */
function heldReports(settings: Settings, mode: Mode, runs: readonly RunReport[]): HeldReport[] {
  const failed = new Set(runs.filter(({ state }) => state === 'failed').map(({ id }) => id));
  return readHeld(workPaths(settings, mode))
    .reverse()
    .slice(0, limits.operatorReport.runsShown)
    .map(({ id, source, origin, heldMs, reason, run, symbols = [] }) => ({
      ...{ id, mode, source, origin, reason, heldAt: new Date(heldMs).toISOString() },
      symbols: symbols.slice(0, limits.operatorReport.heldSymbolsShown),
      run: run !== undefined && failed.has(run) ? run : null,
    }));
}

function refusedReport(dataDir: string, mode: Mode): RefusedReport {
  const folder = modePaths(dataDir, mode).quarantine;
  const { files, uncounted } = readQuarantine(folder);
  const byReason = new Map<string, RefusedReport['reasons'][number]>();
  for (const { source, reasons, writtenMs } of files) {
    for (const [reason, rows] of Object.entries(reasons)) {
      const key = `${source} ${reason}`;
      const newestAt = new Date(writtenMs).toISOString();
      // Files are read newest first.
      const sum = byReason.get(key) ?? { source, reason, rows: 0, files: 0, newestAt };
      byReason.set(key, { ...sum, rows: sum.rows + rows, files: sum.files + 1 });
    }
  }
  const all = [...byReason.values()].sort((a, b) => b.rows - a.rows);
  const reasons = all.slice(0, limits.operatorReport.reasonsShown);
  return {
    ...{ mode, folder, uncounted, reasons, files: files.length },
    rows: files.reduce((sum, { rows }) => sum + rows, 0),
    more: all.length - reasons.length,
  };
}

/** Published data of both modes, for the operator's report. */
function modeReports(dataDir: string, nowMs: number): Promise<ModeReport[]> {
  return Promise.all(MODES.map((mode) => modeReport(dataDir, mode, nowMs)));
}

async function modeReport(dataDir: string, mode: Mode, nowMs: number): Promise<ModeReport> {
  const { state, published, damage, datasets } = await publishedStatus(dataDir, mode);
  const others = datasets.map(
    ({ dataset, rows, changedAt }): DatasetReport => ({
      ...{ dataset, interval: null, rows, symbols: null, newestAt: changedAt },
      ...{ endedEarlier: null, isStale: false },
    }),
  );
  return {
    ...{ mode, state, damage },
    version: published?.version ?? null,
    publishedAt: published?.publishedAt ?? null,
    datasets: [...(published ? candleReports(published, nowMs) : []), ...others],
  };
}

function candleReports(
  { datasets: { candles, intraday } }: NonNullable<PublishedStatus['published']>,
  nowMs: number,
): DatasetReport[] {
  const dataset = 'candles';
  const { symbols, staleSymbols, rows, newestBarEnd } = candles;
  const daily = {
    ...{ dataset, interval: '1d', rows: rows['1d'], symbols, newestAt: newestBarEnd },
    ...{ endedEarlier: staleSymbols, isStale: isStale(newestBarEnd, nowMs) },
  };
  const shorter = Object.entries(intraday ?? {}).map(
    ([interval, { symbols, rows, newestBarEnd }]): DatasetReport => ({
      ...{ dataset, interval, rows, symbols, newestAt: newestBarEnd },
      ...{ endedEarlier: null, isStale: isStale(newestBarEnd, nowMs) },
    }),
  );
  return [daily, ...shorter].filter(({ rows }) => rows > 0);
}
