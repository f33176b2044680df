/**
 * Drives a peer in any language: `--peer-command CMD`. Each run starts
 * `CMD <bars.arrow> <outputs.arrow> <indicator>`; the command writes the outputs of all bars and
 * the seconds that only computing took.
 */

import { once } from 'node:events';
import { join } from 'node:path';
import {
  Dictionary,
  Float64,
  Int32,
  makeData,
  makeVector,
  Table,
  TimestampMicrosecond,
  tableFromIPC,
  tableToIPC,
  Utf8,
  Vector,
  vectorFromArray,
} from 'apache-arrow';
import { TapeworksError, UsageError } from '../../../src/base/errors.ts';
import { quoted } from '../../../src/base/quoted.ts';
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from '../../../src/base/world/files.ts';
import { tmpdir } from '../../../src/base/world/machine.ts';
import { spawn } from '../../../src/base/world/programs.ts';
import type { IndicatorRequest } from '../../../src/compute/indicators/indicator-request.ts';
import { benchLimits } from '../limits.ts';
import type { PeerData, PeerDriver } from './driver.ts';
import type { PeerColumns } from './peer.ts';

/** Exit code by which a command says that it does not have an indicator. */
const NOT_OFFERED = 3;

/** Series whose values one run gives. */
const CHECKED_SERIES = 2;

const PRICES = ['open', 'high', 'low', 'close', 'volume'] as const;

interface CommandResult {
  ms: number;
  columns: PeerColumns;
}

/** @throws {UsageError} The command can't be started. */
export function commandDriver(command: string, { symbols, series }: PeerData): PeerDriver {
  const folder = mkdtempSync(join(tmpdir(), 'tapeworks-bench-'));
  const written = new Set<number>();
  const offered = new Map<string, boolean>();
  let checked: { indicator: string; result: CommandResult | undefined } | undefined;
  const symbolsMax = symbolsWithin(series.map(({ close }) => close.length));

  const inputOf = (count: number) => {
    const path = join(folder, `bars-${count}.arrow`);
    if (!written.has(count)) {
      writeFileSync(path, arrowFromBars(symbols.slice(0, count), series.slice(0, count)));
      written.add(count);
    }
    return path;
  };
  const runOnce = async (indicator: string, count: number): Promise<CommandResult | undefined> => {
    const outPath = join(folder, 'outputs.arrow');
    rmSync(outPath, { force: true });
    const code = await exitCodeOf(command, [inputOf(count), outPath, indicator]);
    if (code === NOT_OFFERED) return undefined;
    if (code !== 0) throw new TapeworksError(`--peer-command ended with ${code} for ${indicator}`);
    return resultFrom(outPath, indicator);
  };
  /** The text that the command is given has all parameters. */
  const textOf = ({ spec, params }: IndicatorRequest) =>
    [spec.name, ...spec.params.map(({ name }) => params[name])].join(':');

  return {
    program: {
      name: command,
      version: 'no version',
      driven: 'a command that reads and writes Arrow files; its own clock counts',
    },
    symbolsMax,
    isProcess: true,
    async offers(mode, request) {
      if (mode !== 'written') return false;
      const text = textOf(request);
      if (!offered.has(text)) offered.set(text, (await runOnce(text, 1)) !== undefined);
      return offered.get(text)!;
    },
    async values(request, place) {
      const text = textOf(request);
      // One run gives the values of all series that are checked.
      if (checked?.indicator !== text || place >= CHECKED_SERIES) {
        const count = Math.max(place + 1, Math.min(CHECKED_SERIES, series.length));
        checked = { indicator: text, result: await runOnce(text, count) };
      }
      const { result } = checked;
      const from = series.slice(0, place).reduce((sum, { close }) => sum + close.length, 0);
      const end = from + series[place].close.length;
      const columns = Object.entries(result?.columns ?? {});
      return Object.fromEntries(
        columns.map(([name, column]) => [name, Array.from(column).slice(from, end)]),
      );
    },
    async run(_mode, request, count) {
      const result = await runOnce(textOf(request), count);
      if (!result) throw new TapeworksError(`--peer-command no longer has ${request.key}`);
      return result.ms;
    },
    async close() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Returns the number of series whose bars fit the bound of a file. */
function symbolsWithin(lengths: readonly number[]): number {
  let sum = 0;
  const beyond = lengths.findIndex((length) => {
    sum += length;
    return sum > benchLimits.commandBarsMax;
  });
  return Math.max(1, beyond < 0 ? lengths.length : beyond);
}

function arrowFromBars(symbols: readonly string[], series: PeerData['series']): Uint8Array {
  const rowCount = series.reduce((sum, { close }) => sum + close.length, 0);
  const codes = new Int32Array(rowCount);
  const timestamps = new BigInt64Array(rowCount);
  const prices = PRICES.map((name) => [name, new Float64Array(rowCount)] as const);
  let at = 0;
  for (const [code, bars] of series.entries()) {
    const { length } = bars.close;
    codes.fill(code, at, at + length);
    timestamps.set(bars.timestampUs, at);
    for (const [name, column] of prices) column.set(bars[name], at);
    at += length;
  }
  const symbolType = new Dictionary(new Utf8(), new Int32());
  const dictionary = vectorFromArray([...symbols], new Utf8());
  const columns: Record<string, Vector> = {
    symbol: new Vector([makeData({ type: symbolType, data: codes, dictionary })]),
    timestamp: new Vector([makeData({ type: new TimestampMicrosecond(), data: timestamps })]),
  };
  for (const [name, column] of prices) {
    columns[name] = makeVector(makeData({ type: new Float64(), data: column }));
  }
  return tableToIPC(new Table(columns), 'file');
}

async function exitCodeOf(command: string, args: readonly string[]): Promise<number> {
  const [program, ...rest] = wordsOf(command);
  const child = spawn(program, [...rest, ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: benchLimits.childMs,
  });
  try {
    const [code, signal] = await once(child, 'close');
    if (signal) throw new TapeworksError(`--peer-command ended by ${signal}`);
    return code;
  } catch (error) {
    if (error instanceof TapeworksError) throw error;
    throw new UsageError(`--peer-command can't be started: ${quoted(command)}`, { cause: error });
  }
}

/** Splits a command at spaces outside of double quotes. */
export function wordsOf(command: string): string[] {
  const words = command.match(/"[^"]*"|[^\s"]+/g) ?? [];
  if (words.length === 0) throw new UsageError('--peer-command must be a command, got ""');
  return words.map((word) => word.replace(/^"|"$/g, ''));
}

/** Reads what the command wrote. @throws {TapeworksError} The file breaks the protocol. */
function resultFrom(path: string, indicator: string): CommandResult {
  const rule = `--peer-command for ${indicator}`;
  if (!existsSync(path)) throw new TapeworksError(`${rule} must write its second argument`);
  let table: Table;
  try {
    table = tableFromIPC(readFileSync(path));
  } catch (error) {
    throw new TapeworksError(`${rule} must write an Arrow IPC file without compression`, {
      cause: error,
    });
  }
  const seconds = Number(table.schema.metadata.get('seconds') ?? Number.NaN);
  if (!(seconds >= 0)) {
    throw new TapeworksError(`${rule} must write metadata "seconds" to the schema`);
  }
  const columns = table.schema.fields.map(({ name }) => {
    const column = table.getChild(name)!;
    return [name, Array.from({ length: table.numRows }, (_, row) => column.get(row))] as const;
  });
  return { ms: 1000 * seconds, columns: Object.fromEntries(columns) };
}
