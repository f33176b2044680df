/** Explanations of a statement's figures: their lines, their filing, and how they follow from them. */

import { z } from 'zod';
import { MILLIS_PER_DAY } from '../../../base/bars.ts';
import { evidenceOf } from '../../../base/datasets/evidence.ts';
import { figuresOf, type StatementDataset } from '../../../base/datasets/statement.ts';
import { decimalSum } from '../../../base/prices/decimals.ts';
import { type SummedRow, trailingParts } from '../../../compute/companies/trailing-statements.ts';
import type { ListRow } from '../../../store/arrow/lists/specs.ts';
import { dateTime } from '../../responses/schema-fields.ts';

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

const NOT_RECORDED = 'the input has no lines of it';
const OVER_MEAN = 'income to common shares over the mean of weighted shares';

type Row = Record<string, unknown>;

/** A version of a period, with the columns that responses leave out. */
interface Part extends SummedRow {
  row: Row;
  columns: Row;
}

/** @param rows All versions of the symbol's rows: twelve months follow from those known then. */
export function explanation(
  one: ListRow,
  dataset: StatementDataset,
  rows: () => Iterable<ListRow>,
) {
  const { row, columns } = partOf(one);
  const parts = one.kind === 'ttm' ? partsOf(one, [...rows()]) : [];
  // Twelve months that are a year have its lines.
  const shown = parts.length === 1 ? parts[0].columns : columns;
  const figures = figuresOf(dataset).map(({ name }) => {
    const figure = parts.length > 1 ? sumOf(name, row[name], parts) : figureOf(name, shown);
    return [name, figure];
  });
  const { filedAt, form, accession, currency, fiscalYear, fiscalQuarter } = shown;
  const head = { filedAt, form, accession, currency, fiscalYear, fiscalQuarter };
  const known = Object.entries(head).map(([name, value]) => [name, value ?? null]);
  return { ...Object.fromEntries(known), figures: Object.fromEntries(figures) };
}

function figureOf(name: string, columns: Row) {
  const { verdict = null, reason, accession, lines = [] } = evidenceOf(columns)[name] ?? {};
  return {
    verdict,
    reason: reason ?? (verdict === null ? NOT_RECORDED : null),
    accession: verdict === null ? null : (accession ?? columns.accession ?? null),
    lines: lines.map(([concept, label, value]) => ({ concept, label, value })),
  };
}

/** Returns the parts of twelve months as lines of their sum. */
function sumOf(name: string, value: unknown, parts: readonly Part[]) {
  const lines = parts.map((part) => ({
    concept: `${part.period === 'quarterly' ? 'quarter' : 'six months'} to ${part.row.date}`,
    label: null,
    value: (part.row[name] ?? null) as number | null,
  }));
  const missing = lines.find((line) => line.value === null);
  const sum = missing ? null : decimalSum(lines.map((line) => Number(line.value)));
  const isSum = value !== null && sum === value;
  const reason = value !== null ? OVER_MEAN : missing && `unknown in the ${missing.concept}`;
  return {
    verdict: isSum ? ('summed' as const) : null,
    reason: isSum ? null : (reason ?? 'counts of shares differ as after a split'),
    accession: null,
    lines,
  };
}

function partOf({ json, stored = '{}', kind, timestampMs, knownMs }: ListRow): Part {
  const period = kind as Part['period'];
  const date = timestampMs / MILLIS_PER_DAY;
  return { date, period, filedAt: knownMs!, row: JSON.parse(json), columns: JSON.parse(stored) };
}

function partsOf({ timestampMs, knownMs }: ListRow, rows: readonly ListRow[]): Part[] {
  const filed = rows
    .filter(({ kind }) => kind !== 'ttm')
    .map(partOf)
    .sort((a, b) => a.filedAt - b.filedAt);
  return trailingParts(filed, timestampMs / MILLIS_PER_DAY, knownMs!);
}
