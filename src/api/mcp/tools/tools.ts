/** Tools for agents. All only read. Their numbers are those of the routes that they call. */

import { z } from 'zod';
import { limits } from '../../../base/limits.ts';
import type { Scope } from '../../../store/accounts/keys/scopes.ts';
import { getBars, getIndicators } from './bars.ts';
import { dataStatus } from './data-status.ts';
import { getFilingsAndNews } from './filings-and-news.ts';
import { getFundamentals } from './fundamentals.ts';
import { querySql } from './query-sql.ts';
import { screen } from './screen.ts';
import type { SqlQueries } from './sql.ts';
import { study } from './study.ts';
import { bounded, snakeCase, tableOf } from './tables.ts';
import { type AgentTool, asOf, limit, links, tool } from './tool.ts';

const searchSymbols = tool({
  title: 'Search symbols',
  description:
    'Finds US stocks and ETFs by the start of a ticker, a former ticker or words of the name.',
  scopes: ['quotes:read'],
  input: z.strictObject({
    query: z.string().min(1).describe('Such as "nvid" or "bank of"'),
    limit: limit(10),
  }),
  async run({ query, limit }, own) {
    const values = { search: query, limit: Math.min(limit, limits.page.sizeMax) };
    const { data, total } = await own.call('listSymbols', values);
    const more = links(own, '/svc/symbols', { ...values, limit: limits.page.sizeMax });
    return bounded([tableOf('symbols', data, { rows_total: total, ...more })], [], 'first');
  },
});

const listUniverse = tool({
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

/** Tools by name, in the order of lists. */
const TOOLS: Readonly<Record<string, AgentTool>> = Object.fromEntries(
  Object.entries({
    searchSymbols,
    listUniverse,
    getBars,
    getIndicators,
    screen,
    study,
    getFundamentals,
    getFilingsAndNews,
    querySql,
    dataStatus,
  }).map(([name, tool]) => [snakeCase(name), tool]),
);

/** Returns the tools that a key with these scopes can call. */
export function toolsFor(scopes: ReadonlySet<Scope>, sql: SqlQueries): [string, AgentTool][] {
  return Object.entries(TOOLS).filter(
    ([, tool]) =>
      tool.scopes.some((scope) => scopes.has(scope)) && (tool !== querySql || sql.isAvailable),
  );
}
