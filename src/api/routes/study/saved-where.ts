/** The condition of a saved screen in the query of a study. */

import type { Mode } from '../../../base/config/data-dir.ts';
import { ParameterError } from '../../../base/errors.ts';
import { quoted } from '../../../base/quoted.ts';
import type { RouteSources } from '../../contract/route.ts';
import { screenerQuery } from '../screener/query.ts';

/**
 * Replaces the parameter `screen` by the condition of that screen.
 *
 * @throws {ParameterError} There is no such screen, or it has more than a condition.
 */
export async function withSavedWhere(
  query: string,
  { account, mode }: { account: string; mode: Mode },
  accounts: Pick<RouteSources['accounts'], 'findScreen'>,
): Promise<string> {
  const parameters = new URLSearchParams(query);
  const id = parameters.get('screen');
  if (id === null) return query;
  const other = ['where', 'factor'].find((name) => parameters.has(name));
  if (other) throw refused(`must not be given with ${other}`);
  const saved = await accounts.findScreen(account, mode, id);
  if (!saved) throw refused(`must be the id of a saved screen in ${mode} mode, got ${quoted(id)}`);
  const { filters, symbols, screen } = screenerQuery(saved.query, undefined);
  if (filters.length > 0 || symbols) {
    throw refused('has filters, which are of today: save a screen that has them in where');
  }
  if (screen?.texts.where === undefined) throw refused('has no condition');
  parameters.delete('screen');
  parameters.set('where', screen.texts.where);
  return parameters.toString();
}

function refused(rule: string): ParameterError {
  return new ParameterError('screen', `screen ${rule}`);
}
