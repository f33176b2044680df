import type { VendorSettings } from '../../../base/config/config.ts';
import type { FetchContext } from '../../contract/fetch-context.ts';
import { HttpClient } from '../../http/client.ts';
import { type Host, keyParts } from '../../http/host.ts';

/** Fetches a text. @throws as `HttpClient.get`. */
export type Ask = (
  path: string,
  query?: Record<string, string | number | undefined>,
  symbol?: string,
) => Promise<string>;

/** @throws {ConfigError} the host takes a key and none is set. */
export function askWith(http: Pick<HttpClient, 'get'>, host: Host, settings: VendorSettings): Ask {
  const key = keyParts(host, settings);
  return async (path, query, symbol) => {
    const request = { host, path, ...key, query: { ...query, ...key.query }, symbol };
    return (await http.get(request)).text;
  };
}

/** Runs `fetch` with a client of its own. @throws as `askWith` and `fetch`. */
export async function* withAsk<T>(
  host: Host,
  { settings, signal, patience }: FetchContext,
  fetch: (ask: Ask) => AsyncIterable<T>,
): AsyncGenerator<T> {
  await using http = new HttpClient(settings, { signal, ...patience });
  yield* fetch(askWith(http, host, settings));
}
