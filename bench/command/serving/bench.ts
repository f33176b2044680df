/** The bench of serving: three requests beside bare Express handlers that send the same bytes. */

import { join } from 'node:path';
import { promisify } from 'node:util';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import { countText } from '../../../src/base/count-text.ts';
import { TapeworksError } from '../../../src/base/errors.ts';
import { mkdtempSync, rmSync } from '../../../src/base/world/files.ts';
import { tmpdir } from '../../../src/base/world/machine.ts';
import { fetch } from '../../../src/base/world/network.ts';
import { execFile } from '../../../src/base/world/programs.ts';
import type { Universe } from '../data/universe.ts';
import { measureRounds } from '../measure/rounds.ts';
import { yardstick } from '../measure/yardstick.ts';
import {
  type BenchDocument,
  type Group,
  type Measurement,
  OURS,
  taskOf,
} from '../report/document.ts';
import { API_SERVER, type ServerProcess, startServerProcess } from './child.ts';
import { closedLoop, type LoadCount, type LoadTarget } from './closed-loop.ts';
import { publishMarket } from './market.ts';
import type { ApiReady } from './server.ts';

const run = promisify(execFile);

/** Returns the version; undefined if it is not installed. */
async function wrkVersion(): Promise<string | undefined> {
  try {
    // It prints its version with its usage, and ends with 1.
    const { stdout } = await run('wrk', ['-v']).catch((error) => {
      if (error.code === 'ENOENT') throw error;
      return error as { stdout: string };
    });
    return /^wrk (\S+)/m.exec(stdout)?.[1] ?? 'no version';
  } catch {
    return undefined;
  }
}

/** @throws {TapeworksError} A response was not 2xx, or a connection failed. */
async function wrkLoop(
  { address, paths: [path], headers }: LoadTarget,
  connections: number,
  durationMs: number,
): Promise<LoadCount> {
  const seconds = Math.max(1, Math.round(durationMs / 1000));
  const names = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const options = ['-t1', `-c${connections}`, `-d${seconds}s`, ...names];
  const { stdout } = await run('wrk', [...options, address + path]);
  return countFromText(stdout);
}

export function countFromText(text: string): LoadCount {
  const total = /(\d+) requests in ([\d.]+)(ms|s|m)/.exec(text);
  const failures = /Non-2xx|Socket errors/.test(text);
  if (!total || failures) throw new TapeworksError(`wrk failed: ${text.trim()}`);
  const unitMs = { ms: 1, s: 1000, m: 60_000 }[total[3] as 'ms' | 's' | 'm'];
  return { requests: Number(total[1]), ms: Number(total[2]) * unitMs };
}

export interface ServingBench {
  universe: Universe;
  rounds: number;
  /** Time of one load. */
  durationMs: number;
  onProgress: (step: string, done: number, total: number) => void;
}

export type ServingResult = Pick<
  BenchDocument,
  'groups' | 'checks' | 'measurements' | 'yardstickNs' | 'rules'
>;

export const EXPRESS = 'bare Express';

const CONNECTIONS = 32;
const BARS = 5000;
const WARMUP_ROUNDS = 1;

const GROUPS: readonly Group[] = [
  { id: 'rate', title: 'time per request at the full rate', unit: 'request' },
  { id: 'cpu', title: 'CPU time of the server per request', unit: 'request' },
];

/** @throws {Error} A response is not 200, or differs from the one of bare Express. */
export async function benchServing(bench: ServingBench): Promise<ServingResult> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tapeworks-bench-'));
  try {
    const { symbols } = await publishMarket(modePaths(dataDir, 'live').serving, bench.universe);
    const server = await startServerProcess<ApiReady>(API_SERVER, [dataDir]);
    try {
      const [symbol] = symbols;
      return await measureServer(bench, server, {
        quote: `/v1/svc/quotes/${symbol}`,
        'page of the screener': '/v1/svc/screener?price_min=20&price_max=150&sort=volume',
        [`${countText(BARS)} bars as Arrow`]: `/v1/svc/technical/${symbol}?limit=${BARS}&format=arrow`,
      });
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/**
 * Loads each path in turn with bare Express.
 *
 * @param paths By their names.
 * @param shown What both responses must have in common; by default all bytes.
 * @throws {Error} A response is not 200, or differs from the one of bare Express.
 */
export async function measureServer(
  { rounds, durationMs, onProgress }: Omit<ServingBench, 'universe'>,
  server: ServerProcess<ApiReady>,
  paths: Readonly<Record<string, string>>,
  shown = (body: Buffer): string => body.toString('latin1'),
): Promise<ServingResult> {
  const wrk = await wrkVersion();
  const loop = wrk === undefined ? closedLoop : wrkLoop;
  const { address, bareAddress, rawKey } = server.ready;
  const checks: BenchDocument['checks'][number][] = [];
  const targets: { item: string; program: string; load: string; target: LoadTarget }[] = [];
  for (const [item, path] of Object.entries(paths)) {
    const headers = { 'X-API-Key': rawKey };
    const [ours, bare] = [address, bareAddress].map((one) => ({
      address: one,
      paths: [path],
      headers,
    }));
    const bodies = await Promise.all([ours, bare].map(bodyOf));
    if (shown(bodies[0]) !== shown(bodies[1]))
      throw new Error(`wrong result: ${path} differs in ${EXPRESS}`);
    const load = `${countText(bodies[0].length)} bytes`;
    checks.push({ item, program: EXPRESS, status: 'equal', detail: '' });
    targets.push(
      { item, program: OURS, load, target: ours },
      { item, program: EXPRESS, load, target: bare },
    );
  }
  const cpuNs = new Map<string, number[]>();
  const candidates = targets.map(({ item, program, target }) => ({
    id: `${item} ${program}`,
    async run() {
      const beforeUs = await server.cpuUs();
      const { requests, ms }: LoadCount = await loop(target, CONNECTIONS, durationMs);
      const usedUs = (await server.cpuUs()) - beforeUs;
      const id = `${item} ${program}`;
      cpuNs.set(id, [...(cpuNs.get(id) ?? []), (1000 * usedUs) / requests]);
      return ms / requests;
    },
  }));
  const samples = await measureRounds([...candidates, { id: 'yardstick', run: yardstick }], {
    rounds,
    warmupRounds: WARMUP_ROUNDS,
    onRound: (round) => onProgress('serving', round + 1, rounds),
  });
  const measurements = targets.flatMap(({ item, program, load }): Measurement[] => {
    const id = `${item} ${program}`;
    const toNs = (ms: number) => ms * 1e6;
    return [
      { task: taskOf('rate', item), program, load, samplesNs: (samples.get(id) ?? []).map(toNs) },
      {
        task: taskOf('cpu', item),
        program,
        load,
        samplesNs: (cpuNs.get(id) ?? []).slice(WARMUP_ROUNDS),
      },
    ];
  });
  return {
    groups: GROUPS,
    checks,
    measurements,
    yardstickNs: (samples.get('yardstick') ?? []).map((ms) => ms * 1e6),
    rules: [
      `load: ${wrk === undefined ? 'a closed loop over plain sockets of this program (wrk is not installed)' : `wrk ${wrk}`}, ` +
        `${CONNECTIONS} connections, ${durationMs} ms each`,
      'tapeworks and bare Express are one process with one thread; the load comes from another',
      'a ratio of 0.8 means that bare Express needs 0.8 of our time for the same bytes',
    ],
  };
}

async function bodyOf({ address, paths: [path], headers }: LoadTarget): Promise<Buffer> {
  const response = await fetch(address + path, { headers });
  if (response.status !== 200) throw new Error(`wrong result: ${path} gave ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}
