/** Schemas and an example of studies. */

import { z } from 'zod';
import { ENTRIES } from '../../../screens/study/signal-returns.ts';
import { STUDY_MODES } from '../../../screens/study/signal-rows.ts';
import type { RouteExample } from '../../contract/route.ts';
import { amount } from '../../responses/schema-fields.ts';

const count = z.int();

/** Statistics of the returns of one horizon, as fractions. */
const summaryRow = z
  .object({
    group: z.string().optional().describe('With `rows=groups`: the year, the month or the text.'),
    horizon: count.describe('Sessions of the symbol until the exit.'),
    events: count.describe('Days on which the condition begins or matches.'),
    entered: count.describe('Events with a bar after the signal.'),
    returns: count.describe('Events with a return.'),
    early: count.describe('Returns of symbols that ended before the horizon.'),
    open: count.describe('Entered events whose exit is still to come.'),
    days: count.describe('Different days of events.'),
    symbols: count.describe('Different symbols of events.'),
    mean: amount,
    median: amount,
    hit: amount.describe('Share of returns above 0.'),
    sd: amount.describe('Standard deviation, with n − 1.'),
    p05: amount,
    p25: amount,
    p75: amount,
    p95: amount,
    universeMean: amount.describe('Mean over events of the return of the universe of their day.'),
    universeMedian: amount,
    excessMean: amount.describe('Mean of the return less that of the universe.'),
    excessMedian: amount,
    tClustered: amount.describe(
      't value of the mean excess, with events of one day and overlapping horizons allowed for.',
    ),
    extreme: count.describe('Returns above 1,000 %.'),
    flagged: count.describe('Returns with a flagged price on a bar from entry to exit.'),
  })
  .catchall(z.number())
  .meta({ id: 'StudySummaryRow' });

const otherRow = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean()]).nullable())
  .meta({ id: 'StudyRow' });

const definition = z
  .strictObject({
    where: z.string().nullable(),
    factor: z.string().nullable(),
    mode: z.enum(STUDY_MODES),
    entry: z.enum(ENTRIES),
    horizons: z.array(count),
    from: z.iso.date().nullable().describe('First market session of the study.'),
    to: z.iso.date().nullable(),
    universe: z.string().nullable(),
    by: z.string(),
    currentFields: z.boolean(),
    adjustment: z.literal('split').describe('Basis of the prices that returns are made from.'),
    version: z.string().describe('Version of the data.'),
    sessions: count.describe('Market sessions of the study.'),
    symbols: count.describe('Symbols with a bar in these sessions.'),
    tried: count.describe('Combinations of `$` parameters.'),
  })
  .meta({ id: 'StudyDefinition' });

export const studySchema = z
  .strictObject({
    data: z.union([z.array(summaryRow), z.array(otherRow)]),
    definition,
    warnings: z.array(z.string()).describe('What a reader of the numbers has to know.'),
  })
  .meta({ id: 'Study' });

export const STUDY_EXAMPLE: RouteExample = {
  title: 'Oversold stocks in an uptrend, five sessions later',
  query: { where: 'rsi(14) < 30 and close > sma(200)', horizons: '5' },
  response: {
    data: [
      {
        ...{ horizon: 5, events: 312, entered: 310, returns: 301, early: 2, open: 9 },
        ...{ days: 140, symbols: 96, mean: 0.0041, median: 0.0052, hit: 0.548, sd: 0.0712 },
        ...{ p05: -0.103, p25: -0.031, p75: 0.041, p95: 0.118 },
        ...{ universeMean: 0.0019, universeMedian: 0.0022, excessMean: 0.0022 },
        ...{ excessMedian: 0.0031, tClustered: 0.61, extreme: 0, flagged: 0 },
      },
    ],
    definition: {
      where: 'rsi(14) < 30 and close > sma(200)',
      ...{ factor: null, mode: 'begins', entry: 'next_open' },
      ...{ horizons: [5], from: '2024-07-19', to: '2026-11-17', universe: null, by: 'year' },
      ...{ currentFields: false, adjustment: 'split', version: '1-mwm2k5c0' },
      ...{ sessions: 587, symbols: 412, tried: 1 },
    },
    warnings: [],
  },
};
