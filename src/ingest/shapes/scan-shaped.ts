/** Scans files, and rewrites those whose content is no plain table. Runs on the scan threads. */

import { rm, stat } from '../../base/world/file-promises.ts';
import { csvFields, delimiterOf } from '../inputs/csv-line.ts';
import { lastLine } from '../inputs/file-lines.ts';
import type { InputFile } from '../inputs/input-file.ts';
import {
  type FileScan,
  outcomesOf,
  type ScanJob,
  type ScanOutcome,
  scanInput,
} from '../inputs/scan-input.ts';
import type { ScanWork } from '../inputs/scan-inputs.ts';
import { dayFromFolders } from '../names/file-name.ts';
import { areDated, DAY_FACTS, datedTable, dateLines } from './folder-day.ts';
import { rewriteBodies } from './rewrite-bodies.ts';
import { rewriteTable } from './rewrite-table.ts';
import type { FileStart, ShapeFacts, TableShape } from './shape.ts';
import { TABLE_SHAPES } from './shapes.ts';

/** Scan of the content as kept; its hash is of the content as the user has it. */
export interface ShapedScan extends FileScan {
  shape?: ShapeFacts;
}

export default function scanShaped(jobs: readonly ScanJob[]): Promise<ScanOutcome<ShapedScan>[]> {
  return outcomesOf(jobs, async ({ input, unpackTo, rewriteTo }) => {
    const { path, sha256, ...scan } = await scanText(input, unpackTo, `${rewriteTo}.text`);
    const { encoding } = scan;
    const shape = encoding && { words: `${encoding} text`, addedLines: 0, stated: {} };
    let state: State = { path, scan, used: [], ...(shape && { shape }) };
    let isOurs = path !== input.path;
    // A file may need several shapes: a closing line below dates in words.
    for (let round = 0; round < ROUNDS_MAX; round++) {
      const found = await rewritten(input, state, `${rewriteTo}.${round}`);
      if (found === undefined) break;
      if (isOurs) await rm(state.path);
      isOurs = true;
      state = found;
    }
    return state.path === (unpackTo ?? input.path)
      ? { scan: { ...scan, sha256 } }
      : { scan: { ...state.scan, sha256, shape: state.shape }, diskPath: state.path };
  });
}

/** Scans a file; text of UTF-16 and Windows-1252 is kept as UTF-8 at `textTo`. */
async function scanText(
  input: InputFile,
  unpackTo: string | undefined,
  textTo: string,
): Promise<FileScan & { path: string }> {
  const scan = await scanInput(input, unpackTo, { to: textTo });
  if (scan.encoding) return { ...scan, path: unpackTo ?? textTo };
  if (scan.isPlain || input.form === 'parquet' || !isOfWindows(scan)) {
    return { ...scan, path: unpackTo ?? input.path };
  }
  if (unpackTo !== undefined) await rm(unpackTo);
  const to = unpackTo ?? textTo;
  const encoding = 'windows-1252';
  return { ...(await scanInput(input, unpackTo, { to, encoding })), path: to };
}

/**
 * Returns true for text whose header, or most of whose first lines, have bytes that are no UTF-8.
 * Excel saves CSV so. Digits and marks are the same in the other encodings of one byte.
 */
function isOfWindows({ head }: Pick<FileScan, 'head'>): boolean {
  if (!head.includes('\ufffd')) return false;
  const [header, ...lines] = head.split('\n').slice(0, -1);
  const odd = lines.filter((line) => line.includes('\ufffd')).length;
  return header?.includes('\ufffd') || odd * 2 > lines.length;
}

/** Shapes that one file may need. */
const ROUNDS_MAX = 4;

/** The work of `scanParts`. */
export const SHAPED_SCAN: ScanWork<ShapedScan> = [scanShaped, './scan-shaped', import.meta.url];

type Used = TableShape | 'responses' | 'day';

/** A content, and the shapes that made it. */
interface State {
  path: string;
  scan: Omit<FileScan, 'sha256'>;
  used: readonly Used[];
  shape?: ShapeFacts;
}

async function rewritten(input: InputFile, state: State, to: string): Promise<State | undefined> {
  const { scan, used, shape } = state;
  if (scan.lineCount === 0 || input.form === 'parquet') return undefined;
  const found =
    (input.form === 'jsonl'
      ? await rewrittenResponses(state, to)
      : await rewrittenTable(input.name, state, to)) ?? (await datedRows(input, state, to));
  if (found === undefined) return undefined;
  const { size: bytes } = await stat(to);
  const plain = { ...input, path: to, bytes, member: undefined, isGzip: false, isLooseJson: false };
  return {
    path: to,
    scan: await scanInput(plain),
    used: [...used, found.by],
    shape: {
      words: [...(shape ? [shape.words] : []), found.facts.words].join(', '),
      note: shape?.note ?? found.facts.note,
      addedLines: (shape?.addedLines ?? 0) + found.facts.addedLines,
      stated: { ...shape?.stated, ...found.facts.stated },
    },
  };
}

type Found = { facts: ShapeFacts; by: Used } | undefined;

async function rewrittenResponses({ path, scan, used }: State, to: string): Promise<Found> {
  if (used.length > 0) return undefined;
  const facts = await rewriteBodies(path, to, scan);
  return facts && { facts, by: 'responses' };
}

async function rewrittenTable(
  name: string,
  { path, scan, used }: State,
  to: string,
): Promise<Found> {
  if (isPlainTable(scan)) return undefined;
  const start = fileStart(name, scan);
  if (start === undefined) return undefined;
  for (const shape of TABLE_SHAPES) {
    const table = used.includes(shape) ? undefined : shape.recognise(start);
    if (table === undefined) continue;
    const { delimiter = start.delimiter, note, stated } = table;
    await rewriteTable(path, to, { delimiter, table });
    const addedLines = table.headerLines === 0 ? 1 : 0;
    return { facts: { words: shape.words, note, addedLines, stated }, by: shape };
  }
  return undefined;
}

/** Columns of the plainest tables in their order, with a first and a last row that begin with a day. */
const PLAIN_START =
  /^date,open,high,low,close,(?:adj close,)?volume(?:,openint)?\r?\n\d{4}-\d\d-\d\d,/i;
const PLAIN_END = /(?:^|\n)\d{4}-\d\d-\d\d,[^\n]*\n?$/;

/** Returns true for a table that no shape changes, without a look at each of them. */
function isPlainTable({ head, tail }: Pick<FileScan, 'head' | 'tail'>): boolean {
  return PLAIN_START.test(head) && PLAIN_END.test(tail);
}

/** Beginning of a field that is a day. */
const ANY_DAY = /^\s*(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})(?!\d)/;

/** Adds the day that folders or the file's name state to rows without one. */
async function datedRows(
  { name, form }: InputFile,
  { path, scan, used }: State,
  to: string,
): Promise<Found> {
  const day = dayFromFolders(name);
  if (day === undefined || used.includes('day')) return undefined;
  if (form === 'jsonl') {
    return (await dateLines(path, to, day)) ? { facts: DAY_FACTS, by: 'day' } : undefined;
  }
  const start = fileStart(name, scan);
  if (start === undefined || areDated(start.header, start.firstRow())) return undefined;
  // A file may be named after the day of its download, while a column under another name has theirs.
  const isOther = (field: string) => ANY_DAY.test(field) && !field.startsWith(day);
  if (!name.includes('=') && start.firstRow().some(isOther)) return undefined;
  await rewriteTable(path, to, {
    delimiter: start.delimiter,
    table: datedTable(start.header, day),
  });
  return { facts: DAY_FACTS, by: 'day' };
}

/** @returns undefined if the head holds no whole line. */
export function fileStart(
  name: string,
  { head, tail, bytes }: Pick<FileScan, 'head' | 'tail' | 'bytes'>,
): FileStart | undefined {
  const [first] = /^.*\S.*$/m.exec(head) ?? [];
  if (first === undefined) return undefined;
  const isCut = bytes > Buffer.byteLength(head);
  if (isCut && !head.includes('\n')) return undefined;
  const delimiter = delimiterOf(first);
  const header = csvFields(first, delimiter);
  const textLines = () =>
    head
      .split('\n')
      // The last line of a cut head is not whole.
      .slice(0, isCut ? -1 : undefined)
      .filter((line) => line.trim() !== '');
  let lines: string[][] | undefined;
  return {
    name,
    delimiter,
    head,
    tail,
    header,
    firstRow() {
      const [row] = /^.*\S.*$/m.exec(head.slice(head.indexOf(first) + first.length)) ?? [];
      return row === undefined ? [] : csvFields(row, delimiter);
    },
    textLines,
    last: () => csvFields(lastLine(tail), delimiter),
    lines() {
      lines ??= textLines().map((line) => csvFields(line, delimiter));
      return lines;
    },
  };
}
