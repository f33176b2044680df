/** Runs the flow in a process, and says what it came to. */

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ModePaths, modePaths } from '../../../src/base/config/data-dir.ts';
import { openMarketForReading } from '../../../src/store/duckdb/connection/open.ts';
import { selectRows } from '../../../src/store/duckdb/connection/sql-rows.ts';
import { type LogicalHash, logicalHash } from '../support/logical-hash.ts';
import { type ToldEvents, toldEvents } from '../support/told-events.ts';

export interface Run {
  /** Lines of the standard output. */
  steps: string[];
  /** Lines of the standard error output. */
  notes: string[];
  isKilled: boolean;
  /** Null where it was killed. */
  code: number | null;
  ms: number;
}

type ChildScript =
  | 'backup.ts'
  | 'flow.ts'
  | 'full.ts'
  | 'hold.ts'
  | 'market.ts'
  | 'order.ts'
  | 'rebuild.ts'
  | 'watched.ts';

/** @param tillMs When it is killed, from its first step on; undefined: nobody does but itself. */
export function runChild(
  script: ChildScript,
  options: readonly string[],
  tillMs?: number,
): Promise<Run> {
  const startMs = performance.now();
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, [path, ...options], { stdio: ['ignore', 'pipe', 'pipe'] });
  let timer: NodeJS.Timeout | undefined;
  if (tillMs !== undefined) {
    child.stdout.once('data', () => {
      timer = setTimeout(() => child.kill('SIGKILL'), tillMs);
    });
  }
  const told = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].on('data', (chunk) => {
      told[name] += chunk;
    });
  }
  return new Promise((resolve) => {
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve({
        steps: told.stdout.split('\n').slice(0, -1),
        notes: told.stderr.split('\n').slice(0, -1),
        isKilled: signal === 'SIGKILL',
        code,
        ms: performance.now() - startMs,
      });
    });
  });
}

export async function inFreshFolder<T>(work: (dataDir: string) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tapeworks-'));
  try {
    return await work(dataDir);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

export interface FlowState {
  data: LogicalHash;
  told: ToldEvents;
  /** Ids of the segments in the ledger, each as often as it is there. */
  segments: string[];
}

export async function stateOf(dataDir: string): Promise<FlowState> {
  const paths = modePaths(dataDir, 'live');
  return {
    data: logicalHash(paths.serving),
    told: toldEvents(paths),
    segments: await ledgerOf(paths),
  };
}

export async function ledgerOf(paths: ModePaths): Promise<string[]> {
  const market = await openMarketForReading(paths);
  try {
    const rows = await selectRows<{ segment: string }>(
      market.connection,
      'SELECT segment FROM segments ORDER BY segment',
    );
    return rows.map(({ segment }) => segment);
  } finally {
    market.close();
  }
}
