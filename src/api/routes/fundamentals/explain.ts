/** Explanations of a statement's figures: their lines, their filing, and how they follow from them. */

import { z } from 'zod';
import { evidenceOf } from '../../../base/datasets/evidence.ts';
import { figuresOf, type StatementDataset } from '../../../base/datasets/statement.ts';
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
const OF_TWELVE_MONTHS = 'twelve months are a year, or the sum of their quarters';

/** Adds the explanation to a published row. */
export function explainedText({ json, stored = '{}', kind }: ListRow, dataset: StatementDataset) {
  const row = JSON.parse(json);
  const columns = JSON.parse(stored);
  const evidence = evidenceOf(columns);
  const figures = figuresOf(dataset).map(({ name }) => {
    const { verdict = null, reason, accession, lines = [] } = evidence[name] ?? {};
    const none = kind === 'ttm' ? OF_TWELVE_MONTHS : NOT_RECORDED;
    const figure = {
      verdict,
      reason: reason ?? (verdict === null ? none : null),
      accession: verdict === null ? null : (accession ?? columns.accession ?? null),
      lines: lines.map(([concept, label, value]) => ({ concept, label, value })),
    };
    return [name, figure];
  });
  const { filedAt, form, accession, currency, fiscalYear, fiscalQuarter } = columns;
  const head = { filedAt, form, accession, currency, fiscalYear, fiscalQuarter };
  const known = Object.entries(head).map(([name, value]) => [name, value ?? null]);
  const explained = { ...Object.fromEntries(known), figures: Object.fromEntries(figures) };
  return JSON.stringify({ ...row, explained });
}
