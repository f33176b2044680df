/** Next steps after a load: commands and a request with a symbol that came in. */

import type { LoadedDataset } from '../../../jobs/contract/reports.ts';
import type { Mode } from '../../base/config/data-dir.ts';
import { datasets } from '../../base/datasets/datasets.ts';

/** Returns the request that shows a dataset; `$` stands for a symbol. */
function pathOf(dataset: string): string | undefined {
  if (dataset === 'candles') return 'technical/$?indicators=sma:20,rsi';
  return datasets.find(({ name }) => name === dataset)?.path;
}

const KEYS: Record<Mode, string> = { live: 'svc_live_…', sandbox: 'svc_test_…' };

/** The server that shows what came in. */
export interface Server {
  /** Address of the `start` over the same folder, else that of the settings. */
  address: string;
  isRunning: boolean;
}

function dailyBars(loaded: readonly LoadedDataset[]): LoadedDataset | undefined {
  return loaded.find((one) => one.dataset === 'candles' && one.interval === '1d');
}

/** Returns the dataset that a request shows, the one of daily bars first. */
function shownDataset(loaded: readonly LoadedDataset[]): LoadedDataset | undefined {
  const shown = dailyBars(loaded) ?? loaded.find((one) => pathOf(one.dataset) && one.lastSymbol);
  return shown?.lastSymbol ? shown : undefined;
}

/** Returns the address of the page that shows a symbol that came in; null without one. */
export function pageOf(loaded: readonly LoadedDataset[], { address }: Server): string | null {
  const shown = shownDataset(loaded);
  if (!shown) return null;
  const isIntraday = shown.dataset === 'candles' && shown.interval !== '1d';
  const interval = isIntraday ? `&interval=${shown.interval}` : '';
  return `${address}/?symbol=${encodeURIComponent(shown.lastSymbol!)}${interval}`;
}

export function nextLines(
  loaded: readonly LoadedDataset[],
  { mode, server }: { mode: Mode; server: Server },
): string[] {
  const { address, isRunning } = server;
  const options = mode === 'live' ? '' : ` --mode ${mode}`;
  const daily = dailyBars(loaded);
  const shown = shownDataset(loaded);
  if (!shown?.lastSymbol) return [];
  const { dataset, interval, lastSymbol } = shown;
  const minutes = dataset === 'candles' && interval !== '1d' ? `&interval=${interval}` : '';
  const path = pathOf(dataset)!.replace('$', encodeURIComponent(lastSymbol)) + minutes;
  const request = `curl -H 'X-API-Key: ${KEYS[mode]}' '${address}/v1/svc/${path}'`;
  const commands = daily?.lastSymbol
    ? [
        `next: npx tapeworks chart ${daily.lastSymbol}${options} draws it`,
        `next: npx tapeworks explain ${daily.lastSymbol} ${daily.lastDay}${options} shows where a bar comes from`,
      ]
    : [];
  const start = isRunning ? '' : 'npx tapeworks start, then ';
  return [`next: ${start}${pageOf(loaded, server)} shows it`, ...commands, `next: ${request}`];
}
