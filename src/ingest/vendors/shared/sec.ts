import type { VendorSettings } from '../../../base/config/config.ts';
import { ConfigError } from '../../../base/errors.ts';
import type { HttpClient, HttpRequest } from '../../http/client.ts';
import type { Host } from '../../http/host.ts';

/** Both of its hosts count as one, over all machines together. */
const both = {
  id: 'SEC',
  title: 'the SEC',
  // It shuts out for ten minutes after more: the gap leaves room for requests that the network
  // holds up.
  limit: { requests: 10, windowS: 1, gapMs: 125 },
  restMs: 10 * 60_000,
  bucket: 'sec.gov',
  isAlwaysPaced: true,
} as const;

export const SEC: Host = { ...both, url: 'https://www.sec.gov' };

/** The host of its JSON; the setting of its address moves both. */
export const SEC_DATA: Host = { ...both, url: 'https://data.sec.gov' };

export type SecAsk = (host: Host, path: string) => HttpRequest;

/** Makes requests that carry the contact: its own words, else this program and an address. */
export function secAsk(settings: VendorSettings): SecAsk {
  const contact = requireContact(settings);
  const isAddressOnly = !contact.includes(' ');
  const headers = { 'user-agent': isAddressOnly ? `tapeworks ${contact}` : contact };
  return (host, path) => ({ host, path, headers });
}

/** Returns the contact. @throws {ConfigError} it is not set. */
export function requireContact({ contact }: Pick<VendorSettings, 'contact'>): string {
  if (contact) return contact;
  throw new ConfigError(
    'The SEC needs to know who asks: set TAPEWORKS_CONTACT to your e-mail address',
  );
}

export const TICKERS_NAME = 'company_tickers_exchange.json';

/** Fetches the list of all tickers, as text. @throws as `HttpClient.get`. */
export async function askTickers(http: Pick<HttpClient, 'get'>, ask: SecAsk): Promise<string> {
  return (await http.get(ask(SEC, `/files/${TICKERS_NAME}`))).text;
}
