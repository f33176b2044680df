/** Keys of vendors, as each wants them in a request. */

import type { VendorSettings } from '../../base/config/config.ts';
import { ConfigError } from '../../base/errors.ts';
import type { HttpRequest } from './client.ts';
import type { Vendor } from './vendors.ts';

/** What a request must carry, and what no message may hold. */
export type KeyParts = Pick<HttpRequest, 'headers' | 'query' | 'secrets'>;

const CARRIERS: Record<string, (key: string) => KeyParts> = {
  ALPACA: (key) => {
    const [id, secret] = key.split(':');
    const headers = { 'apca-api-key-id': id, 'apca-api-secret-key': secret };
    return { headers, secrets: [id, secret] };
  },
  MASSIVE: (key) => ({ headers: { authorization: `Bearer ${key}` }, secrets: [key] }),
  TIINGO: (key) => ({ headers: { authorization: `Token ${key}` }, secrets: [key] }),
  FINNHUB: (key) => ({ headers: { 'x-finnhub-token': key }, secrets: [key] }),
  // FMP too takes its key in the query only.
  FMP: (key) => ({ query: { apikey: key }, secrets: [key] }),
  // EODHD takes its key in the query only.
  EODHD: (key) => ({ query: { api_token: key }, secrets: [key] }),
};

/** @throws {ConfigError} no key is set; names the setting. */
export function keyParts(
  { id, title, keyUrl }: Vendor,
  { vendorKeys }: Pick<VendorSettings, 'vendorKeys'>,
): KeyParts {
  const key = vendorKeys[id];
  if (key === undefined) {
    throw new ConfigError(`${title} needs an API key: set TAPEWORKS_${id}_KEY (free at ${keyUrl})`);
  }
  return CARRIERS[id](key);
}
