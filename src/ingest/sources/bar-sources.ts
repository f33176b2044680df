import type { Settings } from '../../base/config/config.ts';
import type { Source } from '../contract/source.ts';
import { keySettings } from '../http/host.ts';
import { vendors } from '../vendors/vendors.ts';
import { missingSetting } from './settings.ts';

/**
 * Vendors of bars of single symbols in the order in which `backfill any` tries them, the best terms
 * first: history and rate of the free key, then how reliable the vendor is. Yahoo has no terms for
 * programs and refuses unknown clients for days, so it is the last.
 */
export const BAR_SOURCES = ['alpaca', 'massive', 'tiingo', 'eodhd', 'yahoo'] as const;

export interface BarSource {
  source: Source;
  title: string;
  /** Setting to set, and where its value comes from; undefined for a configured source. */
  remedy: string | undefined;
}

/** Lists the sources in their order, with the setting that each lacks. */
export function barSources(settings: Pick<Settings, 'contact' | 'vendorKeys'>): BarSource[] {
  return BAR_SOURCES.flatMap((id) => {
    const source = vendors.find((vendor) => vendor.id === id);
    if (!source?.host) return [];
    const isMissing = missingSetting(id, settings) !== undefined;
    const { title, keyUrl } = source.host;
    const remedy = isMissing ? `set ${keySettings(source.host.id)} (free at ${keyUrl})` : undefined;
    return [{ source, title, remedy }];
  });
}
