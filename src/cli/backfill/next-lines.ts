/** Next steps after a load: commands and a request with a symbol that came in. */

import type { LoadedDataset } from '../../../jobs/contract/reports.ts';
import type { Mode } from '../../base/config/data-dir.ts';

/** Requests that show a dataset; `$` stands for a symbol. */
const PATHS: Record<string, string> = {
  candles: 'technical/$?indicators=sma:20,rsi',
  'corporate-actions': 'corporate-actions/$',
  statements: 'fundamentals/$/statements?period=ttm',
  'balance-sheet': 'fundamentals/$/balance-sheet',
  insider: 'insider/$',
  news: 'news/$',
  'analyst-consensus': 'analyst-consensus/$',
  'analyst-targets': 'analyst-targets/$',
  'upgrades-downgrades': 'upgrades-downgrades/$',
  expirations: 'options/$/expirations',
  'earnings-calendar': 'earnings/calendar?symbols=$',
};

const KEYS: Record<Mode, string> = { live: 'svc_live_…', sandbox: 'svc_test_…' };

/** @param address Address of the API by the settings of this process. */
export function nextLines(
  loaded: readonly LoadedDataset[],
  { mode, address }: { mode: Mode; address: string },
): string[] {
  const options = mode === 'live' ? '' : ` --mode ${mode}`;
  const daily = loaded.find((one) => one.dataset === 'candles' && one.interval === '1d');
  const shown = daily ?? loaded.find(({ dataset, lastSymbol }) => PATHS[dataset] && lastSymbol);
  if (!shown?.lastSymbol) return [];
  const { dataset, interval, lastSymbol } = shown;
  const minutes = dataset === 'candles' && interval !== '1d' ? `&interval=${interval}` : '';
  const path = PATHS[dataset].replace('$', encodeURIComponent(lastSymbol)) + minutes;
  const request = `curl -H 'X-API-Key: ${KEYS[mode]}' '${address}/v1/svc/${path}'`;
  const commands = daily?.lastSymbol
    ? [
        `next: npx tapeworks chart ${daily.lastSymbol}${options} draws it`,
        `next: npx tapeworks explain ${daily.lastSymbol} ${daily.lastDay}${options} shows where a bar comes from`,
      ]
    : [];
  return [...commands, `next: ${request}`];
}
