/** Fetches expiration days of options from Cboe's delayed quotes. */

import { SourceEmptyError, UnknownSymbolError } from '../../../base/errors.ts';
import { newYorkDay } from '../../../base/time/calendar.ts';
import type { FetchContext, FetchedRows } from '../../contract/fetch-context.ts';
import { SkippedNotes } from '../../contract/skipped-notes.ts';
import type { VendorCode } from '../../contract/source.ts';
import type { SourceOptions } from '../../contract/source-options.ts';
import { HttpClient } from '../../http/client.ts';
import { failureOf, vendorWords } from '../../http/failure.ts';
import type { UncheckedRow } from '../../rows/stage-rows.ts';
import { fetchBySymbol } from '../shared/fetch-by-symbol.ts';
import { bySymbols, requiredSymbols } from '../shared/partition.ts';
import { PROBE_SYMBOL } from '../shared/probe.ts';
import { parseCboeOptions } from './parse-options.ts';
import { vendor } from './vendor.ts';

/** Indices with options, which Cboe writes with a leading `_`. None is the ticker of a share. */
const INDICES = new Set(
  'SPX XSP SPXW VIX VIXW NDX XND RUT MRUT DJX OEX XEO MXEA MXEF SIXB RVX NANOS MXACW CBTX'.split(
    ' ',
  ),
);

const FORBIDDEN = 403;

/** Spells a symbol as Cboe does: `BRK.B` → `BRKB`, `SPX` → `_SPX`. */
export function cboeSymbol(canonical: string): string {
  return INDICES.has(canonical) ? `_${canonical}` : canonical.replaceAll('.', '');
}

const cboePath = (canonical: string) =>
  `/api/global/delayed_quotes/options/${encodeURIComponent(cboeSymbol(canonical))}.json`;

/**
 * Fetches as `fetchBySymbol` does, one request a symbol.
 * @throws {SourceEmptyError} no symbol has options; names each with its reason.
 */
export async function* fetchCboe(
  options: SourceOptions,
  context: FetchContext,
): AsyncGenerator<FetchedRows> {
  const symbols = requiredSymbols(options, 'cboe');
  await using http = new HttpClient(context.settings, { signal: context.signal });
  const notes = new SkippedNotes();
  const ask = async (symbol: string) => ({ expirations: await rowsOf(symbol, http, context) });
  yield* fetchBySymbol({ source: 'cboe', symbols, ask, notes }, options, context);
  notes.requireSegments('Cboe', 'expirations');
}

async function rowsOf(
  symbol: string,
  http: Pick<HttpClient, 'get'>,
  { nowMs }: FetchContext,
): Promise<UncheckedRow[]> {
  const path = cboePath(symbol);
  const request = { host: vendor.host, path, symbol, readable: [FORBIDDEN] };
  const { status, text } = await http.get(request);
  if (status === FORBIDDEN) throw refusalOf(symbol, text);
  const rows = parseCboeOptions(text, { symbol, todayDay: newYorkDay(nowMs), asOfMs: nowMs });
  if (rows.length === 0) throw new SourceEmptyError(`Cboe has no options of "${symbol}"`);
  return rows;
}

/** Returns the error for a 403, with which Cboe's storage answers for missing files too. */
function refusalOf(symbol: string, text: string) {
  if (/<Code>AccessDenied<\/Code>/.test(text)) {
    return new UnknownSymbolError(symbol, `Cboe does not know "${symbol}"`);
  }
  const { title, url: address } = vendor.host;
  const words = vendorWords(text, []);
  const refused = { title, address, isKeyed: false, status: FORBIDDEN, words, symbol };
  return failureOf({ ...refused, retryMs: undefined });
}

const SYMBOLS_PER_PARTITION = 50;

/** Weekly, monthly and yearly expirations of a large company. */
const EXPIRATIONS_PER_SYMBOL = 20;

export const source: VendorCode = {
  fetch: fetchCboe,
  dryRun(options) {
    const requests = requiredSymbols(options, 'cboe').length;
    return { requests, bars: 0, rows: requests * EXPIRATIONS_PER_SYMBOL };
  },
  partition: (options) => bySymbols(options, options.symbols, SYMBOLS_PER_PARTITION),
  async probe({ http, nowMs }) {
    const { text } = await http.get({ host: vendor.host, path: cboePath(PROBE_SYMBOL) });
    const request = { symbol: PROBE_SYMBOL, todayDay: newYorkDay(nowMs), asOfMs: nowMs };
    return parseCboeOptions(text, request).length;
  },
};
