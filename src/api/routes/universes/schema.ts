import { z } from 'zod';
import type { RouteExample } from '../../contract/route.ts';
import { companyName, symbol } from '../../responses/schema-fields.ts';

const lastDay = z.iso.date().nullable();

export const universeSchema = z
  .strictObject({
    name: z.string().describe('Name in requests and in `in universe(…)`.'),
    title: z.string(),
    members: z.int().describe('Members on the day of the newest bar.'),
    from: z.iso.date().nullable().describe('First day with a member; null without any.'),
    to: lastDay.describe('Last day with a member; null if there are members now.'),
  })
  .meta({ id: 'Universe' });

export const universesSchema = z
  .strictObject({ data: z.array(universeSchema).describe('Ascending by name.') })
  .meta({ id: 'Universes' });

export const memberSchema = z
  .strictObject({
    symbol,
    companyName,
    from: z.iso.date().describe('First day of this membership; in `all` and `active` of the bars.'),
    to: lastDay.describe('Last day; null for a member of the newest day.'),
  })
  .meta({ id: 'Member' });

export const membersSchema = z
  .strictObject({ data: z.array(memberSchema).describe('Ascending by symbol.') })
  .meta({ id: 'Members' });

export const universesExample: RouteExample = {
  title: 'Universes of the sandbox',
  response: {
    data: ['active', 'all'].map((name) => ({
      name,
      title: `${name === 'all' ? 'With bars by' : 'Traded on'} the day`,
      members: 512,
      from: '2025-06-02',
      to: null,
    })),
  },
};

export const membersExample: RouteExample = {
  title: 'Securities that traded on a past day',
  path: { name: 'active' },
  query: { as_of: '2026-06-30' },
  response: {
    data: [
      {
        symbol: 'QXAA',
        companyName: 'Brixadodane Inc. (synthetic)',
        from: '2025-06-02',
        to: null,
      },
    ],
  },
};
