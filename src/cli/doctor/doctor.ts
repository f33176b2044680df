/** `doctor`: checks the set-up; with `--sources` the vendors too. */

import type { Command } from 'commander';
import { type Settings, settingsFromEnv } from '../../base/config/config.ts';
import { ConfigError } from '../../base/errors.ts';
import { wallMs } from '../../base/world/clock.ts';
import { process } from '../../base/world/process.ts';
import { createOutput, tableLines } from '../output.ts';
import { checkPostgres } from './accounts.ts';
import { checkObjects } from './objects.ts';
import { checkRedis } from './redis.ts';
import {
  type Check,
  checkClock,
  checkDataDir,
  checkKeys,
  checkPython,
  checkRuntime,
  checkSchedules,
} from './setup.ts';
import { probeSources, type SourceReport } from './sources.ts';
import { checkStores } from './stores.ts';

interface DoctorReport {
  ok: boolean;
  checks: Check[];
  /** With `--sources` only. */
  sources?: SourceReport[];
}

async function examine(options: {
  sources?: boolean;
  balancer?: string;
  json?: boolean;
}): Promise<void> {
  const settings = readSettings();
  const checks = [checkRuntime()];
  if ('state' in settings) checks.push(settings);
  else checks.push(...(await checkAll(settings)));
  if (options.balancer !== undefined && !('state' in settings)) {
    const { checkBalancer } = await import('./balancer.ts');
    checks.push(await checkBalancer(options.balancer, settings));
  }
  const isSetUp = checks.every(({ state }) => state !== 'failed');
  const sources = options.sources && !('state' in settings) && (await probeSources(settings));
  const isAnswered =
    !sources || sources.every(({ state }) => state === 'works' || state === 'not configured');
  const ok = isSetUp && isAnswered;
  const report: DoctorReport = { ok, checks, ...(sources && { sources }) };
  const rows = checks.map(({ name, state, detail }) => [state, name, detail]);
  const probes = (sources || []).map(({ source, state, detail }) => [state, source, detail]);
  createOutput(options.json).result(report, [...tableLines(rows), ...tableLines(probes)]);
  if (!ok) process.exitCode = 1;
}

/** Reads the settings, or returns the check that failed because of them. */
function readSettings(): Settings | Check {
  try {
    return settingsFromEnv(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { name: 'settings', state: 'failed', detail: error.message };
  }
}

async function checkAll(settings: Settings): Promise<Check[]> {
  return [
    { name: 'settings', state: 'ok', detail: 'no unknown ones' },
    ...(await checkDataDir(settings)),
    await checkClock(settings, wallMs()),
    ...(await checkStores(settings)),
    ...(await checkRedis(settings)),
    ...(await checkObjects(settings)),
    ...(await checkPostgres(settings)),
    checkKeys(settings),
    await checkSchedules(settings),
    await checkPython(),
  ];
}

export function registerDoctor(program: Command): void {
  program
    .command('doctor')
    .description('check the installation: runtime, disk, clock, stores, settings')
    .option('--sources', 'send one real request to every configured source')
    .option('--balancer <url>', 'check what the load balancer at this address passes on')
    .action(examine);
}
