/** Yahoo's recorded responses about analysts and options. */

import { readFileSync } from 'node:fs';
import { realdata } from '../../../support/realdata.ts';

const recorded = (path: string) =>
  JSON.parse(readFileSync(realdata(`vendor_json/${path}.json`), 'utf8'));

export const yahooOptions = (symbol: string) => recorded(`yahoo_options/options-${symbol}`);

/** One response with all modules, made of the recorded ones. */
export function yahooSummary(symbol: string, gradesMax = Infinity): string {
  const modules = [
    'upgradeDowngradeHistory',
    'recommendationTrend',
    'financialData',
    'calendarEvents',
  ].map((name) => recorded(`yahoo_quoteSummary/${name}/quoteSummary-${name}-${symbol}`));
  const parts = Object.assign({}, ...modules.map(({ quoteSummary }) => quoteSummary.result[0]));
  parts.upgradeDowngradeHistory.history.splice(gradesMax);
  return JSON.stringify({ quoteSummary: { result: [parts], error: null } });
}
