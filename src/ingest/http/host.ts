import type { VendorSettings } from '../../base/config/config.ts';
import { ConfigError } from '../../base/errors.ts';
import type { Pace } from './pace.ts';

/** The parts of a request that carry a key, and the texts that no message may hold. */
export interface KeyParts {
  headers?: Record<string, string>;
  query?: Record<string, string>;
  secrets: readonly string[];
}

export interface Host {
  /** Upper case, as in `TAPEWORKS_<HOST>_URL`. */
  id: string;
  title: string;
  url: string;
  /** Page on which a vendor gives keys; undefined where it needs none. */
  keyUrl?: string;
  /** Requests in any window of seconds, on the subscription without cost. */
  limit: Pace;
  /** No process sends a request for this time after the host refused for a rate. */
  restMs?: number;
  /** Name under which requests are counted where several hosts count as one; default the host. */
  bucket?: string;
  /** Keeps the pace even where settings name another address: the vendor counts mirrors too. */
  isAlwaysPaced?: boolean;
  /** Carries a key in a request; undefined where the vendor takes none. */
  auth?: (key: string) => KeyParts;
}

/** Returns the address of a host: its own, or the one in the settings. Without a final slash. */
export function baseUrl(host: Host, { vendorUrls }: VendorSettings): string {
  return (vendorUrls[host.id] ?? host.url).replace(/\/+$/, '');
}

/** Returns the pace in the settings, else the host's own; a stand-in address has none. */
export function paceOf(host: Host, settings: VendorSettings): Pace | undefined {
  const { vendorLimits, vendorUrls } = settings;
  const isStandIn = vendorUrls[host.id] !== undefined && !host.isAlwaysPaced;
  return vendorLimits[host.id] ?? (isStandIn ? undefined : host.limit);
}

/** Names the settings that hold the key of a vendor. */
export function keySettings(vendor: string): string {
  const key = `TAPEWORKS_${vendor}_KEY`;
  return vendor === 'ALPACA' ? `${key} and TAPEWORKS_ALPACA_SECRET` : key;
}

/** Returns the parts that carry the key. @throws {ConfigError} no key is set; names the setting. */
export function keyParts(
  { id, title, keyUrl, auth }: Host,
  { vendorKeys }: Pick<VendorSettings, 'vendorKeys'>,
): KeyParts {
  const key = vendorKeys[id];
  if (key === undefined || !auth) {
    throw new ConfigError(`${title} needs an API key: set ${keySettings(id)} (free at ${keyUrl})`);
  }
  return auth(key);
}
