/** Tools for agents. All only read. Their numbers are those of the routes that they call. */

import type { Scope } from '../../../store/accounts/keys/scopes.ts';
import { getBars, getIndicators } from './bars.ts';
import { dataStatus } from './data-status.ts';
import { getFilingsAndNews } from './filings-and-news.ts';
import { getFundamentals } from './fundamentals.ts';
import { listUniverse } from './list-universe.ts';
import { querySql } from './query-sql.ts';
import { screen } from './screen.ts';
import { searchSymbols } from './search-symbols.ts';
import type { SqlQueries } from './sql.ts';
import { study } from './study.ts';
import { snakeCase } from './tables.ts';
import type { AgentTool } from './tool.ts';

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
