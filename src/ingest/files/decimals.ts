/** Decides by all numbers of a file if they have decimal points or commas. */

import type { DecimalMark } from '../contract/choices.ts';
import { type Answer, type Candidate, settle } from '../contract/reading.ts';
import { csvFields } from '../inputs/csv-line.ts';
import { fileLines } from '../inputs/file-lines.ts';
import { objectFromLine } from '../inputs/json-line.ts';
import type { FileScan } from '../inputs/scan-input.ts';
import {
  addMarkEvidence,
  type MarkEvidence,
  markFacts,
  noMarkEvidence,
} from '../values/decimal-marks.ts';
import type { CandleColumns, ColumnRole } from './columns.ts';
import type { FileSample } from './sample.ts';

const PRICE_ROLES = ['open', 'high', 'low', 'close', 'dividend', 'adjustedClose'] as const;

const WORDS: Record<DecimalMark, string> = {
  point: 'numbers with decimal points',
  comma: 'numbers with decimal commas',
};

/**
 * Settles the decimal mark of a file.
 * @param asked The mark that the user states.
 * @returns undefined if no number has a comma, which leaves points.
 */
export async function decimalMark(
  sample: FileSample,
  columns: CandleColumns,
  file: { diskPath: string; scan: Pick<FileScan, 'hasCommas' | 'isPlain'> },
  asked: DecimalMark | undefined,
): Promise<Answer<DecimalMark> | { reason: string } | undefined> {
  if (asked !== undefined) return { value: asked, words: WORDS[asked], facts: ['--decimal'] };
  const hasCommas = mayHaveCommas(sample, file.scan);
  if (!hasCommas && !hasPointsInVolumes(sample, columns)) return undefined;
  const evidence = noMarkEvidence();
  const { types = [] } = sample;
  // Numbers of a typed form have no mark of their own.
  for (const row of sample.rows) {
    addRow(evidence, row, columns, (at) => (types[at] ?? 'VARCHAR') === 'VARCHAR');
  }
  const rows = hasCommas ? rowsWithCommas(sample, file.diskPath) : [];
  for await (const row of rows) {
    addRow(evidence, row, columns);
    if (evidence.point !== undefined && evidence.comma !== undefined) break;
  }
  return settledMark(evidence);
}

/** Returns false for files whose numbers cannot have a comma, which are nearly all. */
function mayHaveCommas(
  { form, delimiter }: FileSample,
  { hasCommas, isPlain }: Pick<FileScan, 'hasCommas' | 'isPlain'>,
): boolean {
  if (form !== 'csv') return true;
  return hasCommas && (delimiter !== ',' || !isPlain);
}

/** Returns true if a volume of the first rows has a point, which may stand between thousands. */
function hasPointsInVolumes({ rows }: FileSample, { volume }: CandleColumns): boolean {
  return volume !== undefined && rows.some((row) => row[volume]?.includes('.'));
}

function addRow(
  evidence: MarkEvidence,
  row: readonly string[],
  columns: CandleColumns,
  isText: (at: number) => boolean = () => true,
): void {
  const add = (role: ColumnRole, isVolume: boolean) => {
    const at = columns[role];
    if (at !== undefined && isText(at)) addMarkEvidence(evidence, row[at] ?? '', isVolume);
  };
  for (const role of PRICE_ROLES) add(role, false);
  add('volume', true);
  add('moreVolume', true);
}

/** A comma between digits, within quotes in files whose fields commas part. */
const COMMA_NUMBER = /\d,\d/;
const QUOTED_COMMA_NUMBER = /"[^"]*\d,\d[^"]*"/;

async function* rowsWithCommas(
  { form, delimiter, header }: FileSample,
  diskPath: string,
): AsyncGenerator<string[]> {
  if (form === 'parquet') return;
  const isQuoted = form !== 'csv' || delimiter === ',';
  for await (const line of fileLines(diskPath)) {
    // The first pattern is the cheaper one, and few lines pass it.
    if (!COMMA_NUMBER.test(line) || (isQuoted && !QUOTED_COMMA_NUMBER.test(line))) continue;
    if (form === 'csv') yield csvFields(line, delimiter);
    else {
      const object = objectFromLine(line);
      if (object) yield header.map((name) => textOrNone(object[name]));
    }
  }
}

function textOrNone(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function settledMark(evidence: MarkEvidence): Answer<DecimalMark> | { reason: string } | undefined {
  const { openVolumes, openPrices } = evidence;
  // Prices of three decimals are usual, and volumes of three are not.
  const isOpen = evidence.point === undefined && openVolumes.point !== undefined;
  if (!evidence.hasCommas && !isOpen && evidence.comma === undefined) return undefined;
  const open = openPrices.comma ?? openVolumes.comma ?? openVolumes.point;
  const facts = markFacts(evidence);
  const isDecided = facts.length > 0;
  const candidate = (value: DecimalMark): Candidate<DecimalMark> => ({
    value,
    words: WORDS[value],
    facts: isDecided
      ? facts.filter(({ mark }) => mark === value).map(({ fact }) => fact)
      : [`"${open}" is ${openReading(open!, value)}`],
    contradictions: facts.filter(({ mark }) => mark !== value).map(({ fact }) => fact),
  });
  return settle({
    aspect: 'decimals',
    candidates: [candidate('point'), candidate('comma')],
    remedy: 'say which with --decimal point|comma',
  });
}

function openReading(text: string, mark: DecimalMark): string {
  return mark === 'point' ? text.replaceAll(',', '') : text.replaceAll('.', '').replace(',', '.');
}
