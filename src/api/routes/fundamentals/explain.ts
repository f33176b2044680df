/** Explanations of a statement's figures: their lines, their filing, and how they follow from them. */

import { z } from 'zod';
import { MILLIS_PER_DAY, type Split } from '../../../base/bars.ts';
import type { DatasetColumn, ShownFigure } from '../../../base/datasets/dataset.ts';
import { type Evidence, evidenceOf } from '../../../base/datasets/evidence.ts';
import { figuresOf, isPerShare, type StatementDataset } from '../../../base/datasets/statement.ts';
import { decimalSum } from '../../../base/prices/decimals.ts';
import {
  type SummedRow,
  toCommon,
  trailingParts,
} from '../../../compute/companies/trailing-statements.ts';
import type { ListRow } from '../../../store/arrow/lists/specs.ts';
import { dateTime } from '../../responses/schema-fields.ts';
import { ADJUSTED } from './rows.ts';

const text = z.string().nullable();

const lineSchema = z
  .strictObject({
    concept: z.string().describe('XBRL concept, or the period of a difference.'),
    label: text.describe("The statement's label; null from company facts."),
    value: z.number().nullable(),
  })
  .meta({ id: 'FigureLine' });

const figureSchema = z
  .strictObject({
    verdict: z
      .enum(['stated', 'summed', 'proved', 'difference'])
      .nullable()
      .describe(
        '`stated` on a line, `summed` of lines, `proved` by arithmetic that the filing shows, or the ' +
          '`difference` of longer and shorter periods. Null if unknown.',
      ),
    reason: text.describe('Reason for a null, or why nothing is known of a figure.'),
    accession: text.describe('Number of the filing of the lines.'),
    lines: z.array(lineSchema),
  })
  .meta({ id: 'FigureEvidence' });

export const explainedSchema = z
  .strictObject({
    filedAt: dateTime.describe('When the filing was accepted.'),
    form: text,
    accession: text,
    currency: text,
    fiscalYear: z.int().nullable(),
    fiscalQuarter: z.int().nullable(),
    figures: z.record(z.string(), figureSchema).describe('By the name of the figure.'),
  })
  .meta({ id: 'StatementEvidence' });

const NOT_GIVEN = 'the input has no line of it in a known concept';
const NOT_SHOWN = 'the statement has no line of it, and its notes have none in a known concept';
const NO_REST = 'no filing gives it for the quarter, and no difference of longer periods does';
const NO_LINES = 'the source of the figure names no lines';
const CONTRADICTED = 'other figures of the row contradict it';
const APART = 'a period is of another definition than the one before';
const UNKNOWN_SPLIT =
  'counts of shares of later filings differ as after a split, and no source of splits covers the days';
const SPLIT = 'counts of shares differ as after a split';
/** Figures without which there is a sum. */
const BESIDE = new Set(['exchangeEffect', 'temporaryEquity']);
const LENGTHS = { annual: 'year', quarterly: 'quarter', semiannual: 'six months' } as const;

type Row = Record<string, unknown>;
type Figure = z.infer<typeof figureSchema>;

/** A version of a period, with the columns that responses leave out. */
interface Part extends SummedRow {
  row: Row;
  columns: Row;
  /** New shares of one on the split basis of the twelve months. */
  factor: number;
}

/**
 * @param rows All versions of the symbol's rows: twelve months follow from those known then.
 * @param served The row as the response has it.
 * @param splits Of the symbol, as for the response.
 */
export function explanation(
  one: ListRow,
  dataset: StatementDataset,
  rows: () => Iterable<ListRow>,
  served: Row,
  splits: readonly Split[] = [],
) {
  const { row, columns } = partOf(one);
  const parts = one.kind === 'ttm' ? partsOf(one, [...rows()], splits) : [];
  // Twelve months that are a year have its lines.
  const shown = parts.length === 1 ? parts[0].columns : columns;
  const figures = figuresOf(dataset).map((figure): [string, Figure] => {
    const { name } = figure;
    // A year without earnings per share has those of its income and shares.
    const isMean = parts.length === 1 && (row[name] ?? null) !== (parts[0].row[name] ?? null);
    const isSum = parts.length > 1 || isMean;
    return [name, isSum ? sumOf(name, row[name], parts) : figureOf(figure, shown, row)];
  });
  if (isPerShare(dataset)) {
    for (const [name, adjusted] of Object.entries(ADJUSTED)) {
      figures.push([adjusted, adjustedFrom(name, served[adjusted], row)]);
    }
  }
  const { filedAt, form, accession, currency, fiscalYear, fiscalQuarter } = shown;
  const head = { filedAt, form, accession, currency, fiscalYear, fiscalQuarter };
  const known = Object.entries(head).map(([name, value]) => [name, value ?? null]);
  return { ...Object.fromEntries(known), figures: Object.fromEntries(figures) };
}

function figureOf(
  { name, shown: { parts } }: DatasetColumn & { shown: ShownFigure },
  columns: Row,
  row: Row,
) {
  const evidence = evidenceOf(columns);
  const found = evidence[name];
  const isOpen = (row[name] ?? null) === null;
  // A total of the lines goes before the figures that it is made of.
  if (parts && (!found || (isOpen && found.isAbsent))) return derivedFrom(parts, row[name], row);
  const { verdict = null, reason, accession, lines = [] } = found ?? {};
  if (isOpen && verdict !== null) return { ...NO_FIGURE, reason: CONTRADICTED };
  if (isOpen) return { ...NO_FIGURE, reason: reason ?? absenceOf(evidence) };
  // An unknown line of one source, in whose place another one has the figure.
  if (verdict === null) return { ...NO_FIGURE, reason: NO_LINES };
  return {
    verdict,
    reason: null,
    accession: accession ?? (columns.accession as string | undefined) ?? null,
    lines: lines.map(([concept, label, value]) => ({ concept, label, value })),
  };
}

/** Returns the reason why no source speaks of a figure, by what the others of its row follow from. */
function absenceOf(evidence: Evidence): string {
  const lines = Object.values(evidence).flatMap((figure) => figure?.lines ?? []);
  if (lines.some(([concept]) => /^(year|nine months|six months) to \d/.test(concept)))
    return NO_REST;
  return lines.some(([, label]) => label !== null) ? NOT_SHOWN : NOT_GIVEN;
}

const NO_FIGURE = { verdict: null, accession: null, lines: [] };

/** Names the figures that one is made of, and those by which it is unknown. */
function derivedFrom(parts: readonly string[], value: unknown, row: Row) {
  const lines = parts.map((concept) => {
    return { concept, label: null, value: (row[concept] ?? null) as number | null };
  });
  const unknown = lines.filter((line) => line.value === null && !BESIDE.has(line.concept));
  const elsewhere = unknown.filter(({ concept }) => !(concept in row));
  if ((value ?? null) === null) {
    const own = unknown.filter((line) => !elsewhere.includes(line));
    const names = (own.length > 0 ? own : elsewhere).map(({ concept }) => concept).join(', ');
    return { ...NO_FIGURE, reason: `unknown: ${names}`, lines };
  }
  // A part of another statement, such as depreciation, is what the others leave.
  const [part] = elsewhere;
  if (part) part.value = decimalSum([Number(value), ...lines.map((line) => -Number(line.value))]);
  const isSum = decimalSum(lines.map((line) => Number(line.value))) === value;
  return {
    verdict: isSum ? ('summed' as const) : ('difference' as const),
    reason: null,
    accession: null,
    lines,
  };
}

/** Names a figure per share as filed, and the new shares that one share became since. */
function adjustedFrom(name: string, value: unknown, row: Row) {
  const derived = derivedFrom([name], row[name], row);
  if (value === row[name] || typeof row[name] !== 'number') return derived;
  if (typeof value !== 'number')
    return { ...NO_FIGURE, reason: UNKNOWN_SPLIT, lines: derived.lines };
  const shares = { concept: 'divided by the new shares of one', label: null };
  const lines = [...derived.lines, { ...shares, value: row[name] / value }];
  return { ...derived, verdict: 'proved' as const, lines };
}

/** Returns the parts of twelve months as lines of their sum, on one split basis. */
function sumOf(name: string, value: unknown, parts: readonly Part[]): Figure {
  const isPerShare = name in ADJUSTED;
  const lines = parts.map(({ period, factor, row }) => {
    const concept = `${LENGTHS[period]} to ${row.date}`;
    const amount = (row[name] ?? null) as number | null;
    if (!isPerShare || factor === 1 || amount === null) return line(concept, amount);
    return line(`${concept}, divided by the new shares of one`, amount * (1 / factor));
  });
  const missing = lines.find((one) => one.value === null);
  const sum = missing ? null : decimalSum(lines.map((one) => Number(one.value)));
  const derived = { reason: null, accession: null };
  if (typeof value === 'number' && sum !== value) {
    const income = decimalSum(parts.map(({ row }) => Number(toCommon(row as never))));
    const mean = line('mean of weighted shares', income / value);
    const over = [line('income to common shares', income), mean];
    return { verdict: 'proved', ...derived, lines: over };
  }
  if (value === sum && sum !== null) return { verdict: 'summed', ...derived, lines };
  const reason = missing ? `unknown in the ${missing.concept}` : isPerShare ? SPLIT : APART;
  return { ...NO_FIGURE, reason, lines };
}

function line(concept: string, value: number | null) {
  return { concept, label: null, value };
}

function partOf({ json, stored = '{}', kind, timestampMs, knownMs }: ListRow): Part {
  const period = kind as Part['period'];
  const date = timestampMs / MILLIS_PER_DAY;
  const row = JSON.parse(json);
  const head = { date, period, filedAt: knownMs! };
  return { ...row, ...head, row, columns: JSON.parse(stored), factor: 1 };
}

function partsOf(
  { timestampMs, knownMs }: ListRow,
  rows: readonly ListRow[],
  splits: readonly Split[],
): Part[] {
  const filed = rows
    .filter(({ kind }) => kind !== 'ttm')
    .map(partOf)
    .sort((a, b) => a.filedAt - b.filedAt);
  const known = splits.filter(({ numerator }) => numerator > 0);
  return trailingParts(filed, timestampMs / MILLIS_PER_DAY, knownMs!, known).map(
    ({ part, factor }) => ({ ...part, factor }),
  );
}
