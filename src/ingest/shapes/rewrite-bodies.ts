/** Rewrites responses of APIs, saved as files, as JSON lines of bars. */

import { pipeline } from 'node:stream/promises';
import { fileChunks } from '../../base/copy-file.ts';
import { adviceOfColumns } from '../../base/datasets/of-columns.ts';
import { MalformedInputError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { BAR_NAMES } from '../../base/time/intervals.ts';
import { createWriteStream } from '../../base/world/files.ts';
import { isExtended, isObject, type JsonObject, objectFromLine } from '../inputs/json-line.ts';
import type { FileScan } from '../inputs/scan-input.ts';
import { isoStamp } from '../timing/iso-stamp.ts';
import { intervalFromPeriod } from '../timing/periods.ts';
import { bodyBars, isBar, isHeader, namedRow, namesOfRows, plainKey } from './body-bars.ts';
import { errorOfBody } from './body-errors.ts';
import { barOfRecord, severalVenues } from './databento.ts';
import { onePrice } from './fields.ts';
import { statedColumns } from './rewrite-table.ts';
import {
  type BodyBar,
  type BodyFacts,
  isTickerLike,
  type ShapeFacts,
  type Statements,
  statement,
} from './shape.ts';
import { dateColumn, symbolsOfCloses } from './wide-names.ts';

/**
 * @returns undefined if the objects are bars themselves, or of another kind.
 * @throws {MalformedInputError} a response holds an error or no bars, or is too large.
 */
export async function rewriteBodies(
  from: string,
  to: string,
  { head, lineCount }: Pick<FileScan, 'head' | 'lineCount'>,
): Promise<ShapeFacts | undefined> {
  const names = namesOfLines(head);
  if (names !== undefined) {
    const found = createFound();
    await pipeline(barLines(from, found, names), createWriteStream(to));
    return found.facts();
  }
  const isOnly = lineCount === 1;
  const isFlat = !holdsNested(head) && !WORDED_DATE.test(head) && !WIDE_NAME.test(head);
  if (isFlat && !isOnly) return undefined;
  const line = (await firstLine(from)) ?? '';
  const first = objectFromLine(line);
  if (first === undefined || isMessage(first)) return undefined;
  const isPlain = isoDates(first) === first && !isExtended(line);
  if (isBar(first) && isPlain && !barOfRecord(first)) return undefined;
  const found = createFound();
  await pipeline(barLines(from, found), createWriteStream(to));
  if (found.barCount > 0) return found.facts();
  if (!isOnly) return undefined;
  const error = errorOfBody(first);
  if (error !== undefined) throw new MalformedInputError(`it holds an error, no bars: ${error}`);
  const symbols = symbolsOfPrices(first);
  if (symbols !== undefined) throw new MalformedInputError(onePrice(symbols));
  if (!holdsNested(head)) return undefined;
  const keys = Object.keys(first)
    .slice(0, 5)
    .map((key) => `"${key}"`);
  const rows = Object.values(first).find((value) => Array.isArray(value) && isObject(value[0]));
  const advice = adviceOfColumns(
    Object.keys((rows as JsonObject[] | undefined)?.[0] ?? {}),
    'candles',
  );
  const reason = `no bars are found below its keys ${keys.join(', ')}`;
  throw new MalformedInputError(advice === '' ? reason : `${reason}; ${advice}`);
}

/** Returns the names of the lists of values in the first lines; undefined for other lines. */
function namesOfLines(head: string): string[] | undefined {
  if (!head.startsWith('[')) return undefined;
  const rows = head.split('\n').map(rowOfLine);
  return namesOfRows(rows.filter((row) => row !== undefined));
}

function rowOfLine(line: string): unknown[] | undefined {
  if (!line.startsWith('[')) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** The open of a ticker: `AAPL_Open`, `Open.AAPL`, `('Open', 'AAPL')`. */
const WIDE_NAME =
  /"(?:\([^"]*\bopen\b[^"]*\)|[A-Z][A-Z.-]*[ ._|:/-]?open|open[ ._|:/-]+[A-Z.-]+)"/i;
const WORDED_DATE = /"(?:date|datetime|timestamp|time)"\s*:\s*"[^"]*[a-z]{3}/i;

/** Tickers of an object with one price a ticker, or with prices by date below each. */
function symbolsOfPrices(object: JsonObject): string[] | undefined {
  const names = Object.keys(object);
  const values = Object.values(object);
  if (dateColumn(names) !== -1) return symbolsOfCloses(names);
  const areSeries = values.every(
    (value) => isObject(value) && Object.values(value).every((price) => typeof price === 'number'),
  );
  return names.length > 0 && areSeries && names.every(isTickerLike) ? names : undefined;
}

function tooLarge(): MalformedInputError {
  const megabytes = limits.ingest.responseBytesMax / 1024 / 1024;
  return new MalformedInputError(
    `it is a response of more than ${megabytes} MB, the most that is read: save its bars as JSON lines, or request less at once`,
  );
}

/** Messages of a stream have a type; some of them have lists. */
function isMessage(object: JsonObject): boolean {
  return typeof object.T === 'string' || typeof object.ev === 'string';
}

/** Returns true if the first object of a text holds another one, or a list. */
function holdsNested(head: string): boolean {
  const start = head.indexOf('{');
  if (start === -1) return false;
  const outside = head.slice(start + 1).replace(/"(?:[^"\\]|\\.)*"?/g, '');
  const nested = outside.search(/[[{]/);
  const end = outside.indexOf('}');
  return nested !== -1 && (end === -1 || nested < end);
}

async function firstLine(path: string): Promise<string | undefined> {
  for await (const line of linesOf(path)) if (line.trim() !== '') return line;
  return undefined;
}

/** Yields the lines of a text. @throws {MalformedInputError} a line exceeds the limit. */
async function* linesOf(path: string): AsyncGenerator<string> {
  let parts: string[] = [];
  let chars = 0;
  for await (const chunk of fileChunks(path, { encoding: 'utf8' })) {
    const text = chunk as string;
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      yield [...parts, text.slice(start, end)].join('');
      parts = [];
      chars = 0;
      start = end + 1;
    }
    parts.push(text.slice(start));
    chars += text.length - start;
    if (chars > limits.ingest.responseBytesMax) throw tooLarge();
  }
  if (chars > 0) yield parts.join('');
}

/** The same bar, with a date in words (`Tue, 02 Jan 2024 00:00:00 GMT`) as ISO 8601. */
function isoDates(bar: JsonObject): JsonObject {
  for (const name of ['date', 'datetime', 'timestamp', 'time']) {
    const key = Object.keys(bar).find((own) => plainKey(own) === name);
    const text = key === undefined ? undefined : bar[key];
    if (key === undefined || typeof text !== 'string' || !/[a-z]{2}/i.test(text)) continue;
    const stamp = isoStamp(text);
    if (stamp && stamp.zone === undefined) return { ...bar, [key]: stamp.text };
  }
  return bar;
}

function barsOf(body: JsonObject): BodyBar[] {
  const record = barOfRecord(body);
  if (record !== undefined) return [record];
  return isBar(body) ? [{ bar: body, facts: {} }] : bodyBars(body);
}

type Found = ReturnType<typeof createFound>;

/** Yields the bars of each body. A line that is no body stays, to be refused by its number. */
async function* barLines(
  path: string,
  found: Found,
  names: readonly string[] = [],
): AsyncGenerator<string> {
  for await (const line of linesOf(path)) {
    const row = rowOfLine(line);
    if (row && isHeader(row)) continue;
    const body = row ? namedRow(names, row) : objectFromLine(line);
    const bars = body === undefined ? [] : barsOf(body);
    if (bars.length === 0) {
      if (line.trim() !== '') yield `${line}\n`;
      continue;
    }
    let text = '';
    for (const { bar, facts } of bars) {
      found.add(facts, bar.publisher_id);
      const names = Object.keys(bar).map(plainKey);
      const { symbol, ...others } = facts;
      const isNamed = names.includes('symbol') || names.includes('ticker');
      const stated = statedColumns(statementsOf(isNamed ? others : facts));
      text += `${JSON.stringify({ ...Object.fromEntries(stated), ...isoDates(bar) })}\n`;
    }
    yield text;
  }
}

/** Collects what all bodies of a file state alike. */
function createFound() {
  let barCount = 0;
  const venues = new Set<string>();
  const values = new Map<keyof BodyFacts, Set<string>>();
  return {
    get barCount() {
      return barCount;
    },
    /** @param venue Of a record of Databento. */
    add(facts: BodyFacts, venue: unknown) {
      barCount++;
      if (venue !== undefined) venues.add(`${venue}`);
      for (const [aspect, value] of Object.entries(facts) as [keyof BodyFacts, string][]) {
        values.set(aspect, (values.get(aspect) ?? new Set()).add(value));
      }
    },
    facts(): ShapeFacts {
      const [one, other] = venues;
      if (other !== undefined) throw severalVenues(one, other);
      const zones = values.get('zone') ?? new Set();
      if (zones.size > 1) {
        throw new MalformedInputError(`it states several time zones: ${[...zones].join(', ')}`);
      }
      const common = [...values].flatMap(([aspect, texts]) =>
        texts.size === 1 ? [[aspect, [...texts][0]]] : [],
      );
      return {
        words: 'a response of an API',
        addedLines: 0,
        stated: statementsOf(Object.fromEntries(common)),
      };
    },
  };
}

function statementsOf(facts: BodyFacts): Statements {
  const entries = Object.entries(facts).map(([aspect, value]) => [
    aspect,
    statement(value, factOf(aspect, value), wordsOf(aspect, value)),
  ]);
  return Object.fromEntries(entries);
}

function factOf(aspect: string, value: string): string {
  return aspect === 'stamps' ? 'its API writes it' : `the response states "${value}"`;
}

/** Phrase of a stated value: `daily` and `1day` are daily bars. */
function wordsOf(aspect: string, value: string): string {
  if (aspect === 'stamps') return `stamps at the ${value} of a bar`;
  const interval = aspect === 'interval' ? intervalFromPeriod(value) : undefined;
  return interval === undefined ? value : `${BAR_NAMES[interval]} bars`;
}
