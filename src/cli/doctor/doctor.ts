/** `doctor`: checks the set-up; with `--sources` the vendors too. */

import type { Command } from 'commander';
import { type Settings, settingsFromEnv } from '../../base/config/config.ts';
import {
  ConfigError,
  MalformedInputError,
  RateLimitedError,
  SourceBlockedError,
  SourceEmptyError,
  SubscriptionNeededError,
  TapeworksError,
  UnknownSymbolError,
} from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { redisPlace, withoutPassword } from '../../base/redis/redis-address.ts';
import { wallMs } from '../../base/world/clock.ts';
import { process } from '../../base/world/process.ts';
import { createOutput, tableLines } from '../output.ts';
import { checkPostgres } from './accounts.ts';
import { checkObjects } from './objects.ts';
import {
  type Check,
  checkClock,
  checkDataDir,
  checked,
  checkKeys,
  checkPython,
  checkRuntime,
  checkSchedules,
} from './setup.ts';
import { checkStores } from './stores.ts';

/** `doctor --sources`: sends one real request to each configured source. */
type SourceState =
  | 'works'
  | 'blocked'
  | 'needs plan'
  | 'format changed'
  | 'empty'
  | 'unavailable'
  | 'not configured';

interface SourceReport {
  source: string;
  state: SourceState;
  /** Message of the vendor, or the field that differs; never a key. */
  detail: string;
}

async function probeSources(settings: Settings): Promise<SourceReport[]> {
  const [{ vendors }, { probeSource }, { HttpClient }] = await Promise.all([
    import('../../ingest/vendors/vendors.ts'),
    import('../../ingest/sources/sources.ts'),
    import('../../ingest/http/client.ts'),
  ]);
  // Fails at once if the rate limit is used up, instead of waiting.
  await using http = new HttpClient(settings, { paceWaitMaxMs: limits.http.retryAfterMaxMs });
  const reports: SourceReport[] = [];
  for (const { id: source } of vendors) {
    try {
      const rows = await probeSource(source, { http, settings, nowMs: wallMs() });
      reports.push({ source, state: 'works', detail: `${rows} rows` });
    } catch (error) {
      if (!(error instanceof TapeworksError)) throw error;
      reports.push({ source, state: stateOf(error), detail: error.message });
    }
  }
  return reports;
}

function stateOf(error: TapeworksError): SourceState {
  if (error instanceof ConfigError) return 'not configured';
  if (error instanceof RateLimitedError || error instanceof SourceBlockedError) return 'blocked';
  if (error instanceof SubscriptionNeededError) return 'needs plan';
  if (error instanceof MalformedInputError) return 'format changed';
  if (error instanceof SourceEmptyError || error instanceof UnknownSymbolError) return 'empty';
  return 'unavailable';
}

/** Checks Redis; none if the settings name none. Rejects a Redis that may lose jobs. */
async function checkRedis({ redisUrl }: Pick<Settings, 'redisUrl'>): Promise<Check[]> {
  if (redisUrl === undefined) return [];
  const { connectRedis } = await import('../../../jobs/redis/connection.ts');
  const address = withoutPassword(redisUrl);
  const check = async () => {
    const redis = await connectRedis(redisUrl);
    try {
      const faults = [...redisFaults(await redis.info()), ...(await replicaFaults(redisUrl))];
      if (faults.length === 0) return address;
      throw new TapeworksError(`${address}: ${faults.join('; ')}`);
    } finally {
      redis.disconnect();
    }
  };
  return [await checked('redis', check)];
}

/** Finds the faults of a replica that sentinels may promote. */
async function replicaFaults(url: string): Promise<string[]> {
  if (!('sentinels' in redisPlace(url))) return [];
  const { createRedis } = await import('../../base/redis/redis-client.ts');
  const replica = createRedis(url, 'producer', { role: 'slave' });
  replica.on('error', () => undefined);
  try {
    return redisFaults(await replica.info()).map((fault) => `its replica: ${fault}`);
  } catch {
    return [];
  } finally {
    replica.disconnect();
  }
}

/** Finds faults in the output of `INFO`, which servers allow even without `CONFIG`. */
function redisFaults(info: string): string[] {
  const values = new Map(
    info.split(/\r?\n/).map((line) => line.split(':', 2) as [name: string, value: string]),
  );
  const faults: string[] = [];
  const policy = values.get('maxmemory_policy');
  if (policy !== 'noeviction') {
    faults.push(
      `it evicts jobs when its memory is full: set maxmemory-policy noeviction, got "${policy}"`,
    );
  }
  if (values.get('aof_enabled') !== '1') {
    faults.push('it forgets jobs when it ends: set appendonly yes');
  }
  return faults;
}

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
