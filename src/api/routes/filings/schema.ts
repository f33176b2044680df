import { z } from 'zod';
import { pageSchema } from '../../responses/pages.ts';
import { dateTime } from '../../responses/schema-fields.ts';

export const filingSchema = z
  .strictObject({
    symbol: z.string(),
    accession: z.string().describe('Number of the filing at the SEC.'),
    form: z.string(),
    period: z.iso.date().nullable().describe('Last day of the period that it reports on.'),
    filedAt: z.iso.date().describe('Day of filing.'),
    acceptedAt: dateTime
      .nullable()
      .describe('When the SEC accepted it. Null if only company facts were loaded.'),
    link: z.string().nullable(),
  })
  .meta({ id: 'Filing' });

export const filingsPageSchema = pageSchema('FilingsPage', filingSchema);

export const FILING = {
  symbol: 'QXAA',
  accession: 'sandbox-qxaa-2026-q3',
  form: '10-Q',
  period: '2026-08-31',
  filedAt: '2026-10-07',
  acceptedAt: '2026-10-07T20:45:00.000Z',
  link: null,
};
