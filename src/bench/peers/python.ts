/** Drives Python libraries through one process of the interpreter that the user names. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { TapeworksError, UsageError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { quoted } from '../../base/quoted.ts';
import type { IndicatorRequest } from '../../compute/indicators/indicator-request.ts';
import type { MeasuredProgram } from '../report/document.ts';
import type { PeerData, PeerDriver, PeerMode } from './driver.ts';
import type { PeerColumns } from './peer.ts';

export const PYTHON_PEERS = ['TA-Lib', 'polars', 'polars-talib', 'pandas-ta-classic'] as const;

const INPUTS = ['open', 'high', 'low', 'close', 'volume'] as const;

const script = fileURLToPath(new URL('./python-driver.py', import.meta.url));

/**
 * Starts the interpreter and gives it the bars.
 *
 * @returns Drivers of the libraries that it has. All share the process: closing one closes all.
 * @throws {UsageError} The interpreter can't be started.
 */
export async function pythonDrivers(
  interpreter: string,
  names: readonly string[],
  { series }: PeerData,
): Promise<PeerDriver[]> {
  const python = new Python(interpreter);
  try {
    const found = (await python.request({ op: 'libraries', names })) as MeasuredProgram[];
    if (found.length === 0) {
      await python.close();
      return [];
    }
    const symbolsMax = Math.min(series.length, limits.bench.pythonSymbolsMax);
    const given = series.slice(0, symbolsMax);
    const folder = mkdtempSync(join(tmpdir(), 'tapeworks-bench-'));
    try {
      const path = join(folder, 'bars');
      const file = openSync(path, 'w');
      for (const name of INPUTS) for (const bars of given) writeSync(file, bars[name]);
      closeSync(file);
      const lengths = given.map(({ close }) => close.length);
      await python.request({ op: 'load', path, lengths });
    } finally {
      rmSync(folder, { recursive: true });
    }
    return found.map((program) => driverOf(python, program, symbolsMax));
  } catch (error) {
    await python.close();
    throw error;
  }
}

function driverOf(python: Python, program: MeasuredProgram, symbolsMax: number): PeerDriver {
  const textOf = ({ spec, params }: IndicatorRequest, mode: PeerMode) => ({
    library: program.name,
    indicator: spec.name,
    params,
    last: mode === 'last',
  });
  return {
    program,
    symbolsMax,
    async offers(mode, request) {
      if (mode === 'next') return false;
      return (await python.request({ op: 'offers', ...textOf(request, mode) })) as boolean;
    },
    async values(request, place) {
      const message = { op: 'values', ...textOf(request, 'written'), place };
      return (await python.request(message)) as PeerColumns;
    },
    async run(mode, request, count) {
      return (await python.request({ op: 'run', ...textOf(request, mode), count })) as number;
    },
    close: () => python.close(),
  };
}

/** A process that gives one response a request. */
class Python {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly #ended: Promise<unknown>;
  #stderr = '';

  constructor(interpreter: string) {
    this.#child = spawn(interpreter, [script], { stdio: ['pipe', 'pipe', 'pipe'] });
    this.#ended = once(this.#child, 'close').catch((error: Error) => {
      throw new UsageError(`--python must name an interpreter, ${quoted(interpreter)} can't run`, {
        cause: error,
      });
    });
    // A failure is reported by the request that waits for the response.
    this.#ended.catch(() => {});
    this.#child.stdin?.on('error', () => {});
    this.#child.stderr?.setEncoding('utf8').on('data', (text) => {
      this.#stderr = (this.#stderr + text).slice(-4096);
    });
    this.#lines = createInterface({ input: this.#child.stdout! })[Symbol.asyncIterator]();
  }

  async request(message: object): Promise<unknown> {
    this.#child.stdin?.write(`${JSON.stringify(message)}\n`);
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      this.#child.kill();
      reject(new TapeworksError(`Python gave no response within ${limits.bench.childMs / 1000} s`));
    }, limits.bench.childMs);
    try {
      const line = await Promise.race([this.#lines.next(), late]);
      if (line.done) {
        await this.#ended;
        const reason = this.#stderr.trim().split('\n').pop();
        throw new UsageError(`--python ended: ${reason || 'without a message'}`);
      }
      const { result, error } = JSON.parse(line.value);
      if (error !== undefined) throw new TapeworksError(`Python: ${error}`);
      return result;
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    this.#child.stdin?.end();
    await this.#ended.catch(() => {});
  }
}
