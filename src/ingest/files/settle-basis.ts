/** Settles the basis of a file's prices by its rows, header, name and the prices themselves. */

import type { Basis } from '../../base/bars.ts';
import { type Answer, type Candidate, type Question, settle } from '../contract/reading.ts';
import { basisWordOfFileName } from '../names/file-name.ts';
import {
  ADJUSTED_CLOSE,
  BASIS_RULES,
  basisFromRows,
  isUnadjustedClose,
  isYfinanceOrder,
  ruleOfHeader,
} from './basis.ts';
import { type CandleColumns, plainName } from './columns.ts';
import { basisOfWords } from './evidence/basis-words.ts';
import { numberFromCell } from './evidence/cells.ts';
import { factorFact } from './evidence/factor-column.ts';
import { adjustedPart, splitJumps } from './evidence/split-jumps.ts';
import { unadjustedPair } from './evidence/unadjusted-pairs.ts';
import type { FileSample } from './sample.ts';

const BASIS_WORDS: Readonly<Record<Basis, string>> = {
  raw: 'prices as traded',
  split: 'split-adjusted prices',
  all: 'prices adjusted for splits and dividends',
};

export interface BasisFacts {
  sample: FileSample;
  columns: CandleColumns;
  /** Name of the file. */
  name?: string;
  /** Basis by `--basis`. */
  asked?: Basis;
  isNewestFirst: boolean;
}

export interface BasisAnswer extends Answer<Basis> {
  /** A symbol, by its text, whose prices alone are as traded. */
  alone?: { symbol: string; answer: Answer<Basis> };
}

/** @returns the answer, or the reason of a refusal if the facts contradict each other. */
export function settleBasis(facts: BasisFacts): BasisAnswer | { reason: string } {
  const { sample, columns, asked } = facts;
  if (asked !== undefined) return answer(asked, `--basis ${asked} says so`);
  const ofRows = basisFromRows(sample, columns);
  if (ofRows !== undefined) return statedByColumn(ofRows);
  const words = basisOfWords(sample.header.map(plainName), sample);
  if (words?.basis === 'adjusted') return settle(adjusted(words.fact));
  if (words !== undefined) return answer(words.basis, words.fact);
  const told = ofHeader(facts);
  const traded = ofAdjustedSteps(facts, told);
  if (traded !== undefined) return traded;
  if (told !== undefined && !told.isWeak) return answer(told.basis, told.fact);
  const proven = ofPrices(facts);
  if (proven !== undefined) {
    return settle({ aspect: 'basis', candidates: proven, remedy: 'say which with --basis' });
  }
  if (told !== undefined) return answer(told.basis, told.fact);
  const factored = ofFactors(facts);
  if (factored !== undefined) return factored;
  const named = basisWordOfFileName(facts.name ?? '');
  if (named === 'adjusted') return settle(adjusted('its name says adjusted'));
  if (named !== undefined) return answer(named, 'its name says so');
  const untold = `${BASIS_WORDS.raw}, by default: nothing in the file tells`;
  return { value: 'raw', words: untold, facts: [] };
}

/**
 * Returns true if rows beyond the first can settle the basis: the file states splits, or traded
 * closes, and its header alone does not.
 */
export function needsAllRows({ sample, columns, asked }: BasisFacts): boolean {
  if (asked !== undefined || basisFromRows(sample, columns) !== undefined) return false;
  if (factorColumn(sample) >= 0) return true;
  const adjusted = columns.split === undefined ? adjustedColumn(sample) : -1;
  if (adjusted >= 0) {
    // Rows at even places are seldom those of one symbol.
    if (columns.symbol !== undefined) return true;
    const rows = [sample.rows[0], ...(sample.spread ?? []), sample.last];
    const parts = rows
      .map((row) => adjustedPart(row, { ...columns, adjusted }).ratio)
      .filter(Boolean);
    const isStep = (part: number, i: number) =>
      Math.abs(Math.log(part / parts[i - 1])) > Math.log(SPLIT_STEP);
    if (parts.some(isStep)) return true;
  }
  const isPaired = sample.header.some((name) => isUnadjustedClose(plainName(name)));
  return ruleOfHeader(sample.header).isWeak === true && (columns.split !== undefined || isPaired);
}

/** Step between rows at even places behind which a split may lie, with some dividends against it. */
const SPLIT_STEP = 1.15;

/** Yahoo adjusts its closes for splits. Other vendors write traded ones next to `Adj Close`. */
export function adjustedColumn({ header }: FileSample): number {
  return header.findIndex((name) => plainName(name) === 'adjclose');
}

/**
 * Takes prices as traded by the steps of adjusted closes; undefined without a step, or if a column
 * states the splits. A special dividend of a third or a half of the price steps, too: then one symbol
 * of several says nothing of the others.
 */
function ofAdjustedSteps(
  { sample, columns, isNewestFirst }: BasisFacts,
  told: Told | undefined,
): BasisAnswer | { reason: string } | undefined {
  const adjusted = adjustedColumn(sample);
  if (adjusted < 0 || columns.split !== undefined) return undefined;
  const found = splitJumps(sample, { ...columns, adjusted }, isNewestFirst);
  if (found.jumps.length === 0) return undefined;
  const raw = answer('raw', found.jumps[0]);
  const isSure = found.hasSplit || found.jumping.size > 1 || found.symbols.size === 1;
  if (isSure || told === undefined) return raw;
  const [symbol] = found.jumping;
  const others = answer(told.basis, `${told.fact}; ${symbol} is read apart`);
  if (String(sample.rows.at(-1)) === String(sample.last)) {
    return { ...others, alone: { symbol, answer: raw } };
  }
  const only = { ...raw, facts: [`${symbol} alone: ${found.jumps[0]}`] };
  const readings = [only, answer(told.basis, told.fact)];
  return settle({ aspect: 'basis', candidates: readings, remedy: 'say which with --basis' });
}

/** Factors of adjustment, which qlib has multiplied its prices by, and Tushare has not. */
const FACTORS = new Set(['factor', 'adjfactor', 'adjustfactor', 'adjustmentfactor', 'cumfactor']);

function factorColumn({ header }: FileSample): number {
  return header.findIndex((name) => FACTORS.has(plainName(name)));
}

/** Settles the basis by a column of factors; undefined without one, or if it changes nothing. */
function ofFactors(facts: BasisFacts): Answer<Basis> | { reason: string } | undefined {
  const { sample, columns, isNewestFirst } = facts;
  const factor = factorColumn(sample);
  if (factor < 0) return undefined;
  const found = factorFact(sample, { ...columns, factor }, isNewestFirst);
  if (found === 'unchanged') return undefined;
  if (found !== 'open') return answer(found.basis, found.fact);
  const name = sample.header[factor];
  return settle<Basis>({
    aspect: 'basis',
    candidates: (['raw', 'split', 'all'] as const).map((value) => ({
      value,
      words: BASIS_WORDS[value],
      facts: [
        `its column "${name}" may ${value === 'raw' ? 'still have to be' : 'have been'} applied`,
      ],
    })),
    remedy: 'say which with --basis',
  });
}

/** A name alone does not say what prices are adjusted for. */
function adjusted(fact: string): Question<Basis> {
  const candidates = (['split', 'all'] as const).map((value) => {
    return { value, words: BASIS_WORDS[value], facts: [fact] };
  });
  return { aspect: 'basis', candidates, remedy: 'say which with --basis' };
}

export function statedByColumn(basis: Basis): Answer<Basis> {
  return answer(basis, 'its column of adjustments says so');
}

function answer(basis: Basis, fact: string): Answer<Basis> {
  return { value: basis, words: BASIS_WORDS[basis], facts: [fact] };
}

/** True for files of Stooq, and files made from them. */
export function isOfStooq({ sample, name = '' }: BasisFacts): boolean {
  return ruleOfHeader(sample.header) === BASIS_RULES[0] || STOOQ_DOWNLOAD.test(name);
}

interface Told {
  basis: Basis;
  fact: string;
  isWeak: boolean;
}

/** Stooq's download from its page of one symbol. */
const STOOQ_DOWNLOAD = /(^|[/\\])[^/\\]+_us_d\.csv$/i;

/** Midnight in New York, as yfinance's `history` stamps days. */
const YFINANCE_DAY = /^\d{4}-\d\d-\d\d 00:00:00-0[45]:00$/;

const PLAIN_DAY = /^\d{4}-\d\d-\d\d(?: 00:00:00)?$/;

function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function ofHeader({ sample, columns, name = '' }: BasisFacts): Told | undefined {
  const { basis, writers, isWeak = false } = ruleOfHeader(sample.header);
  if (writers === 'others') return ofPlainFile(sample, columns, name);
  if (writers === 'OpenBB from Yahoo' && !hasYahooZeros(sample, columns)) return undefined;
  if (writers === ADJUSTED_CLOSE.writers && areFloats(sample, columns)) {
    const fact = "its prices are Yahoo's 32-bit floats, which are adjusted for splits";
    return { basis: 'split', isWeak: false, fact };
  }
  // A column of flags says nothing of the kind.
  if (writers.startsWith('tidyquant') && hasFlags(sample)) return undefined;
  return { basis, isWeak, fact: `its columns are those of ${writers}` };
}

/** Finds files of open, high, low, close and volume alone by their names and stamps. */
function ofPlainFile(sample: FileSample, columns: CandleColumns, name: string): Told | undefined {
  if (STOOQ_DOWNLOAD.test(name)) {
    const fact = 'its name is that of a download from Stooq, whose prices are adjusted for both';
    return { basis: 'all', isWeak: false, fact };
  }
  const areDays = (day: RegExp) => sample.rows.every((row) => day.test(row[columns.date!] ?? ''));
  const isInOrder = isYfinanceOrder(sample.header.map(capitalised)) && areDays(PLAIN_DAY);
  const isOfYfinance = (isInOrder || areDays(YFINANCE_DAY)) && isComputed(sample, columns);
  if (!isOfYfinance) return undefined;
  const by = isInOrder ? 'order of columns' : 'days';
  const fact = `its ${by} and computed prices are those of yfinance with auto_adjust`;
  return { basis: 'all', isWeak: false, fact };
}

/** Yahoo's splits are 0 on days without one; other vendors write 1. */
function hasYahooZeros({ rows }: FileSample, { split }: CandleColumns): boolean {
  return rows.every((row) => numberFromCell(row[split!]) !== 1);
}

function hasFlags({ header, rows }: FileSample): boolean {
  const at = header.findIndex((name) => plainName(name).endsWith('adjusted'));
  return rows.every((row) => [undefined, 0, 1].includes(numberFromCell(row[at])));
}

/** Unit of traded prices, and the error of a price that was once a 32-bit float. */
const TICK = 0.0001;
const FLOAT_NOISE = 1e-7;

/** Digits of a price beyond which only a computed or converted number goes. */
const DIGITS_MAX = 9;

/** Returns true if all prices of many digits are 32-bit floats, as Yahoo's are, and most are such. */
function areFloats({ rows }: FileSample, { open, high, low, close }: CandleColumns): boolean {
  const texts = rows.flatMap((row) => [open, high, low, close].map((at) => row[at!] ?? ''));
  const long = texts.filter((text) => text.replace(/\D/g, '').length > DIGITS_MAX);
  return long.length * 2 > texts.length && long.every((text) => isFloat(Number(text)));
}

/** True for a 32-bit float, also if its decimals were cut. */
function isFloat(price: number): boolean {
  return Math.abs(price - Math.fround(price)) <= price * Number.EPSILON * 64;
}

/** Returns true if most prices lie between ticks, as only computed ones do. */
function isComputed({ rows }: FileSample, { open, high, low, close }: CandleColumns): boolean {
  const prices = rows.flatMap((row) =>
    [open, high, low, close].map((at) => numberFromCell(row[at!]) ?? 0),
  );
  const between = prices.filter((price) => {
    const off = Math.abs(price - Math.round(price / TICK) * TICK);
    return off > price * FLOAT_NOISE + Number.EPSILON;
  });
  return between.length * 2 > prices.length;
}

/** Returns candidates with what the prices prove; undefined if they prove nothing. */
function ofPrices(facts: BasisFacts): Candidate<Basis>[] | undefined {
  const { sample, columns, isNewestFirst } = facts;
  const told = ofHeader(facts);
  const unadjusted = sample.header.findIndex((name) => isUnadjustedClose(plainName(name)));
  if (unadjusted >= 0) return ofPair({ ...columns, unadjusted }, sample, isNewestFirst);
  if (columns.split === undefined) return undefined;
  const { jumps, flats } = splitJumps(sample, columns, isNewestFirst);
  if (jumps.length === 0 && flats.length === 0) return undefined;
  const adjusted = (value: Basis): Candidate<Basis> => ({
    value,
    words: BASIS_WORDS[value],
    facts: told === undefined || told.basis === value ? flats.slice(0, 1) : [],
    contradictions: jumps.slice(0, 1),
  });
  const raw = { value: 'raw' as const, words: BASIS_WORDS.raw };
  return [
    { ...raw, facts: jumps.slice(0, 1), contradictions: flats.slice(0, 1) },
    adjusted('split'),
    adjusted('all'),
  ];
}

function ofPair(
  columns: CandleColumns & { unadjusted: number },
  sample: FileSample,
  isNewestFirst: boolean,
): Candidate<Basis>[] {
  const proven = unadjustedPair(sample, columns, isNewestFirst);
  return (['split', 'all'] as const).map((value) => ({
    value,
    words: BASIS_WORDS[value],
    facts:
      proven === undefined
        ? ['its close differs from the traded one by no split of the file']
        : [proven.fact].filter(() => proven.basis === value),
  }));
}
