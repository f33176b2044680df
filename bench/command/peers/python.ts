/** Drives Python libraries through one process of the interpreter that the user names. */

import { join } from 'node:path';
import { TapeworksError } from '../../../src/base/errors.ts';
import {
  closeSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeSync,
} from '../../../src/base/world/files.ts';
import { tmpdir } from '../../../src/base/world/machine.ts';
import type { IndicatorRequest } from '../../../src/compute/indicators/indicator-request.ts';
import { benchLimits } from '../limits.ts';
import type { MeasuredProgram } from '../report/document.ts';
import type { PeerData, PeerDriver, PeerMode } from './driver.ts';
import type { PeerColumns } from './peer.ts';
import { PythonProcess } from './python-process.ts';

export const PYTHON_PEERS = ['TA-Lib', 'polars', 'polars-talib', 'pandas-ta-classic'] as const;

const INPUTS = ['open', 'high', 'low', 'close', 'volume'] as const;

const script = new URL('./python-driver.py', import.meta.url);

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
  const python = new PythonProcess(interpreter, script);
  try {
    const found = (await request(python, { op: 'libraries', names })) as MeasuredProgram[];
    if (found.length === 0) {
      await python.close();
      return [];
    }
    const symbolsMax = Math.min(series.length, benchLimits.pythonSymbolsMax);
    const given = series.slice(0, symbolsMax);
    const folder = mkdtempSync(join(tmpdir(), 'tapeworks-bench-'));
    try {
      const path = join(folder, 'bars');
      const file = openSync(path, 'w');
      for (const name of INPUTS) for (const bars of given) writeSync(file, bars[name]);
      closeSync(file);
      const lengths = given.map(({ close }) => close.length);
      await request(python, { op: 'load', path, lengths });
    } finally {
      rmSync(folder, { recursive: true });
    }
    return found.map((program) => driverOf(python, program, symbolsMax));
  } catch (error) {
    await python.close();
    throw error;
  }
}

function driverOf(python: PythonProcess, program: MeasuredProgram, symbolsMax: number): PeerDriver {
  const textOf = ({ spec, params }: IndicatorRequest, mode: PeerMode) => ({
    library: program.name,
    indicator: spec.name,
    params,
    last: mode === 'last',
  });
  return {
    program,
    symbolsMax,
    async offers(mode, one) {
      if (mode === 'next') return false;
      return (await request(python, { op: 'offers', ...textOf(one, mode) })) as boolean;
    },
    async values(one, place) {
      const message = { op: 'values', ...textOf(one, 'written'), place };
      return (await request(python, message)) as PeerColumns;
    },
    async run(mode, one, count) {
      return (await request(python, { op: 'run', ...textOf(one, mode), count })) as number;
    },
    async skipped(mode, one, count) {
      return (await request(python, { op: 'skipped', ...textOf(one, mode), count })) as number[];
    },
    close: () => python.close(),
  };
}

async function request(python: PythonProcess, message: object): Promise<unknown> {
  python.send(message);
  const { result, error } = JSON.parse(await python.line());
  if (error !== undefined) throw new TapeworksError(`Python: ${error}`);
  return result;
}
