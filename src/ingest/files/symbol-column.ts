/** Decides if a column names the security of each row, or else the file's name does. */

import { basename } from 'node:path';
import { canonicalSymbol } from '../../base/symbols.ts';
import { type Answer, type Candidate, settle } from '../contract/reading.ts';
import {
  findSymbolColumn,
  isWord,
  type SymbolFinding,
  type SymbolSample,
} from '../values/symbol-columns.ts';
import { type CandleColumns, plainName } from './columns.ts';
import type { FileSample } from './sample.ts';

/** A column of symbols, or none, and the facts that decided if a column could be one. */
export interface SymbolColumn {
  at: number | undefined;
  answer?: Answer<number | undefined>;
}

interface FileName {
  name: string;
  /** Symbol that the name spells, if it is a ticker. */
  symbol: string | undefined;
  /** Symbol that the user states. */
  asked: string | undefined;
}

const NAME_THEM = 'name the securities in a column "symbol", or give one file a security';

/**
 * Settles if a column names the symbols.
 * @param stampOf Stamp of a bar by its row.
 * @param isWhole True if the sample has all rows that can be looked at.
 */
export function symbolColumn(
  sample: FileSample,
  columns: CandleColumns,
  stampOf: (row: readonly string[]) => string,
  file: FileName,
  isWhole: boolean,
): SymbolColumn | { reason: string } | 'look further' {
  if (columns.message !== undefined) return { at: columns.symbol };
  if (columns.ticker !== undefined) return { at: undefined };
  const found = findSymbolColumn(symbolSample(sample, columns, stampOf), isWhole);
  if (found === undefined) return { at: undefined };
  if (found === 'look further') return found;
  return settledColumn(found, sample, file);
}

function symbolSample(
  { header, statedNames, types = [], rows, last }: FileSample,
  columns: CandleColumns,
  stampOf: (row: readonly string[]) => string,
): SymbolSample {
  const { open = 0, high = 0, low = 0 } = columns;
  const typed = types.flatMap((type, at) => (type === undefined || type === 'VARCHAR' ? [] : [at]));
  return {
    names: (statedNames ?? header).map(plainName),
    used: new Set(Object.values(columns)),
    typed: new Set(typed),
    ...{ rows, last, stampOf, prices: [open, high, low] },
  };
}

function settledColumn(
  found: Exclude<SymbolFinding, 'look further' | undefined>,
  { header }: FileSample,
  file: FileName,
): SymbolColumn | { reason: string } {
  if ('severalAt' in found) {
    const [first, second] = found.severalAt.map((at) => `"${header[at]}"`);
    return {
      reason: `its columns ${first} and ${second} could both name the security of a row: name the one with the tickers "symbol"`,
    };
  }
  if ('noTickersAt' in found) {
    return {
      reason: `its column "${header[found.noTickersAt]}" names securities by "${found.value}", which is no ticker: ${NAME_THEM}`,
    };
  }
  const { at, isSure, fact, value } = found;
  if (isSure || value === undefined) {
    const facts = fact === 'named' ? [] : ['it tells rows of one day apart'];
    return { at, answer: { value: at, words: `from the column "${header[at]}"`, facts } };
  }
  return constantColumn({ at, value, name: header[at] }, file);
}

/** Names under which one value claims to be the ticker of all rows. */
const NAMING: ReadonlySet<string> = new Set(['name', 'stock']);

/** Settles a column whose one value may be a ticker or the name of a company. */
function constantColumn(
  { at, value, name }: { at: number; value: string; name: string },
  file: FileName,
): SymbolColumn | { reason: string } {
  const symbol = canonicalOf(value);
  if (file.asked !== undefined) return { at: symbol === file.asked ? at : undefined };
  if (symbol === file.symbol) return { at };
  const isNamedByTicker = file.symbol !== undefined && isInCapitals(file.name, file.symbol);
  // One value under another name may be a kind, a market or a company, beside a file's own ticker.
  const isWeak = !NAMING.has(plainName(name));
  if (isWeak && (isNamedByTicker || (file.symbol !== undefined && isWord(value)))) {
    return { at: undefined };
  }
  const says = `its column "${name}" says "${value}"`;
  const column: Candidate<number | undefined> = {
    value: at,
    words: `bars of ${symbol ?? value}`,
    facts: [says],
  };
  if (!isWord(value) && !isNamedByTicker) {
    return { at, answer: { value: at, words: `from the column "${name}"`, facts: [says] } };
  }
  const settled = settle<number | undefined>({
    aspect: 'symbol',
    candidates: [
      column,
      {
        value: undefined,
        words: file.symbol === undefined ? 'bars of another symbol' : `bars of ${file.symbol}`,
        facts: [file.symbol === undefined ? `"${value}" may be a company` : 'its name says so'],
      },
    ],
    remedy: 'say whose with --symbol',
  });
  return 'reason' in settled ? settled : { at: settled.value, answer: settled };
}

function canonicalOf(text: string): string | undefined {
  try {
    return canonicalSymbol(text);
  } catch {
    // Something known that is not held, such as an index: its rows say so.
    return undefined;
  }
}

/** Returns true if a file's name spells a symbol in capitals, as names after companies do not. */
function isInCapitals(name: string, symbol: string): boolean {
  return basename(name).includes(symbol.split('.')[0]);
}
