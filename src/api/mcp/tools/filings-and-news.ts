import { z } from 'zod';
import { limits } from '../../../base/limits.ts';
import type { Scope } from '../../../store/accounts/keys/scopes.ts';
import { bounded, type ResultTable, tableOf } from './tables.ts';
import { limit, links, list, moment, symbol, tool } from './tool.ts';

interface Events {
  operation: string;
  path: string;
  scope: Scope;
  takesDays?: true;
  takesLimit?: true;
}

const EVENTS = {
  filings: {
    ...{ operation: 'listFilings', path: 'filings', scope: 'fundamentals:read' },
    ...{ takesDays: true, takesLimit: true },
  },
  insider_transactions: {
    ...{ operation: 'listInsiderTransactions', path: 'insider', scope: 'insider:read' },
    ...{ takesDays: true, takesLimit: true },
  },
  news: {
    ...{ operation: 'listNewsOfSymbol', path: 'news', scope: 'news:read' },
    ...{ takesDays: true, takesLimit: true },
  },
  rating_changes: {
    ...{ operation: 'listRatingChanges', path: 'upgrades-downgrades', scope: 'analyst:read' },
    takesLimit: true,
  },
  splits_and_dividends: {
    ...{ operation: 'listCorporateActions', path: 'corporate-actions', scope: 'quotes:read' },
  },
} as const satisfies Record<string, Events>;

const KINDS = Object.keys(EVENTS) as (keyof typeof EVENTS)[];

export const getFilingsAndNews = tool({
  title: 'Get filings and news',
  description:
    'Reads reports, insider transactions (Form 4), news, rating changes, splits and dividends of a symbol, ' +
    'newest first. The texts are of third parties.',
  scopes: Object.values(EVENTS).map(({ scope }) => scope),
  input: z.strictObject({
    symbol,
    kinds: list(z.enum(KINDS), '"news"').optional().describe('Default: all'),
    from: moment('First day').describe('Only for filings, insider_transactions and news'),
    to: moment('Last day').describe('Only for filings, insider_transactions and news'),
    limit: limit(10).describe('Rows of each kind'),
  }),
  async run({ symbol, kinds = KINDS, from, to, limit }, own) {
    const tables: ResultTable[] = [];
    const notes: string[] = [];
    for (const name of KINDS.filter((kind) => kinds.includes(kind))) {
      const { operation, path, scope, takesDays, takesLimit }: Events = EVENTS[name];
      if (!own.scopes.has(scope)) {
        notes.push(`${name} is left out: the key lacks the scope "${scope}".`);
        continue;
      }
      const values = {
        ...(takesDays ? { from, to } : {}),
        ...(takesLimit ? { limit: Math.min(limit, limits.page.sizeMax) } : {}),
      };
      const { data, total } = await own.call(operation, { symbol, ...values });
      const all = takesLimit ? { ...values, limit: limits.page.sizeMax } : values;
      const more = links(own, `/svc/${path}/${encodeURIComponent(symbol)}`, all);
      const rows_total = total ?? data.length;
      tables.push(tableOf(name, data.slice(0, limit), { rows_total, ...more }));
    }
    return bounded(tables, notes, 'first');
  },
});
