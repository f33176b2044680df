/** Parses the query of a study into a checked request. */

import { z } from 'zod';
import { ParameterError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { dayFromDate } from '../../../base/time/dates.ts';
import { ENTRIES } from '../../../screens/study/signal-returns.ts';
import { STUDY_MODES } from '../../../screens/study/signal-rows.ts';
import { chosenFormat, FORMATS } from '../../http/format.ts';
import { checkedQuery, parametersFromQuery } from '../../http/query.ts';
import { choiceField, dateField, formatField, listMeta } from '../../http/query-fields.ts';
import { STUDY_ROWS, type StudyRequest } from '../../study/request.ts';
import { expressionField } from '../screener/query.ts';

const { horizonsMax, horizonMax } = limits.study;

const HORIZONS_RULE = `must be 1 to ${horizonsMax} different numbers of sessions from 1 to ${horizonMax}, like 1,5,20`;

const horizonsField = z
  .string({ error: HORIZONS_RULE })
  .regex(/^\d{1,4}(,\d{1,4})*$/, { error: HORIZONS_RULE })
  .meta(listMeta({ type: 'integer', minimum: 1, maximum: horizonMax }, horizonsMax))
  .transform((text) => text.split(',').map(Number))
  .refine(
    (numbers) =>
      numbers.length <= horizonsMax &&
      new Set(numbers).size === numbers.length &&
      numbers.every((number) => number >= 1 && number <= horizonMax),
    { error: HORIZONS_RULE },
  );

export const studyParameters = z.strictObject({
  where: expressionField('an expression')
    .optional()
    .describe(
      'The condition, in the language of screens: `rsi(14) < 30 and close > sma(200)`. Each day is ' +
        'judged as a screen as of that day. `$n` in it stands for values that a parameter `$n` gives.',
    ),
  screen: z
    .string()
    .min(1)
    .optional()
    .describe('Id of a saved screen without filters, whose condition stands in place of `where`.'),
  factor: expressionField('an expression')
    .optional()
    .describe(
      'A number in place of `where`: at the end of each month symbols are divided into tenths by it.',
    ),
  mode: choiceField(STUDY_MODES)
    .default('begins')
    .describe(
      '`begins`: only days on which the condition becomes true. `matches`: all on which it is.',
    ),
  entry: choiceField(ENTRIES)
    .default('next_open')
    .describe(
      "The price of the entry, one bar after the signal. The signal's own close is not offered.",
    ),
  horizons: horizonsField
    .default([1, 5, 20, 60])
    .describe('Sessions of the symbol until the exit; the entry session is the first.'),
  from: dateField.describe('First day of signals.').optional(),
  to: dateField.describe('Last day of signals.').optional(),
  universe: expressionField('an expression')
    .describe(
      'Only symbols that meet this condition, as of each day: `avg(close * volume, 20) > 1e6`.',
    )
    .optional(),
  by: z
    .string()
    .min(1)
    .default('year')
    .describe(
      'Groups of `rows=groups`: `year`, `month`, `none`, or a field known on the day, such as ' +
        '`exchange`. A number such as `market_cap` has five: its fifths among all symbols of the day.',
    ),
  current_fields: choiceField(['true', 'false'])
    .default('false')
    .describe('`true`: fields that are known as of today alone may be used, with a warning.'),
  rows: choiceField(STUDY_ROWS)
    .optional()
    .describe(
      'A row for each horizon (default), for each group and horizon, for each day, or for each ' +
        'event. Of a factor a row for each horizon and tenth; `deciles`: for each month, too.',
    ),
  format: formatField.optional(),
});

/**
 * @throws {ParameterError} A parameter breaks a rule.
 * @throws {HttpError} 406: no format is acceptable.
 */
export function studyQuery(query: string, accept: string | undefined): StudyRequest {
  const parameters: Record<string, string> = {};
  const others = new URLSearchParams();
  for (const [name, value] of Object.entries(parametersFromQuery(query))) {
    if (name.startsWith('$')) parameters[name] = value;
    else others.set(name, value);
  }
  const asked = checkedQuery(studyParameters, others.toString());
  const { from, to, factor } = asked;
  requireOneSubject(asked);
  if (from !== undefined && to !== undefined && from > to) {
    throw new ParameterError('from', `from must not be after to "${to}", got "${from}"`);
  }
  const format = chosenFormat(asked.format, accept, FORMATS);
  // Files of a factor have its months: the summary is JSON alone.
  const rows = asked.rows ?? (factor === undefined || format === 'json' ? 'summary' : 'deciles');
  if (rows === 'summary' && asked.format !== undefined && format !== 'json') {
    throw new ParameterError('format', `format must be json for rows=summary, got "${format}"`);
  }
  const { mode, entry, horizons, universe, by, where } = asked;
  return {
    ...{ where, factor, mode, entry, horizons, universe, by, parameters, rows },
    fromDay: from === undefined ? undefined : dayFromDate(from),
    toDay: to === undefined ? undefined : dayFromDate(to),
    hasCurrentFields: asked.current_fields === 'true',
    format: rows === 'summary' ? 'json' : format,
  };
}

/** @throws {ParameterError} Neither a condition nor a factor, both, or rows of the other. */
function requireOneSubject({ where, factor, rows }: z.infer<typeof studyParameters>): void {
  if (where === undefined && factor === undefined) {
    throw new ParameterError(
      'where',
      'where must be an expression, or factor a number: both are missing',
    );
  }
  if (where !== undefined && factor !== undefined) {
    throw new ParameterError('factor', 'factor must not be given with where: they are two studies');
  }
  if (rows === undefined || rows === 'summary') return;
  if ((rows === 'deciles') === (factor !== undefined)) return;
  const rule =
    factor === undefined ? 'rows=deciles needs factor' : 'factor has rows=summary or rows=deciles';
  throw new ParameterError('rows', `${rule}, got rows=${rows}`);
}
