import { z } from 'zod';
import { ENTRIES } from '../../../screens/study/signal-returns.ts';
import { STUDY_MODES } from '../../../screens/study/signal-rows.ts';
import { STUDY_ROWS } from '../../study/request.ts';
import { bounded, tableOf } from './tables.ts';
import { links, list, type Row, tool } from './tool.ts';

/** Fields that mean no price and no period here: the day of a signal, and returns not known yet. */
const OWN = ['date', 'open'];

const UNITS = 'Returns are fractions: 0.01 is 1 %. t_clustered tests the mean excess.';

export const study = tool({
  title: 'Study a condition',
  description:
    'Says what prices did after the days on which a condition of a screen was true, over all days ' +
    'and symbols: mean, median and hit rate of returns, those of the market on the same days, and ' +
    'a t value that allows for clustering. Each day is judged by what was known then. With ' +
    '"factor" (a number) instead of "where": returns of ten groups of symbols by month.',
  scopes: ['fundamentals:read'],
  input: z.strictObject({
    where: z.string().optional().describe('Condition, such as rsi(14) < 30'),
    factor: z.string().optional().describe('Number, such as pct_change(close, 252)'),
    horizons: list(z.number().int(), '5, 20').optional().describe('Sessions held: [5, 20]'),
    mode: z.enum(STUDY_MODES).optional(),
    entry: z.enum(ENTRIES).optional(),
    from: z.string().optional().describe('First day of signals, such as 2020-01-01'),
    to: z.string().optional(),
    universe: z.string().optional().describe('Condition of the symbols as of each day'),
    by: z.string().optional().describe('Groups of rows=groups: year, month, none or a field'),
    parameters: z
      .record(z.string().regex(/^\$\w+$/), z.string())
      .optional()
      .describe('Values of $ parameters: {"$n": "7,14"} studies rsi($n) < 30 with each'),
    rows: z.enum(STUDY_ROWS).optional().describe('Default: a row for each horizon'),
  }),
  async run({ horizons, parameters, ...others }, own) {
    const values = { ...others, ...parameters, horizons: horizons?.join() };
    const { data, warnings } = await own.call('getStudy', values);
    const rows = data as Row[];
    const isSummary = (others.rows ?? 'summary') === 'summary' && others.factor === undefined;
    const more = isSummary ? {} : links(own, '/svc/study', values);
    const table = tableOf('study', rows, { own: OWN, ...more });
    return bounded([table], [UNITS, ...(warnings as string[])], 'first');
  },
});
