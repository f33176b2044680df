import { z } from 'zod';
import { bounded, tableOf } from './tables.ts';
import { asOf, limit, links, tool } from './tool.ts';

export const listUniverse = tool({
  title: 'List a universe',
  description:
    'Lists the members of an index or list as of a day, by the tickers of then; without a name, ' +
    "the universes that exist. Screens test for them: in universe('sp500').",
  scopes: ['quotes:read'],
  input: z.strictObject({
    universe: z.string().min(1).optional().describe('Such as "sp500"; default: all universes'),
    as_of: asOf,
    limit: limit(100),
  }),
  async run({ universe: name, as_of, limit }, own) {
    const isOne = name !== undefined;
    const values = { ...(isOne && as_of !== undefined && { as_of }) };
    const { data } = isOne
      ? await own.call('listMembers', { name, ...values })
      : await own.call('listUniverses', {});
    const path = `/svc/universes${isOne ? `/${encodeURIComponent(name)}` : ''}`;
    const more = { rows_total: data.length, ...links(own, path, values) };
    const table = tableOf(isOne ? 'members' : 'universes', data.slice(0, limit), more);
    return bounded([table], [], 'first');
  },
});
