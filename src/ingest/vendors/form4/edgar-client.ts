/** Sends the requests to EDGAR for filings of insiders. */

import { join } from 'node:path';
import { UnknownSymbolError } from '../../../base/errors.ts';
import type { FetchContext } from '../../contract/fetch-context.ts';
import type { HttpClient } from '../../http/client.ts';
import { download } from '../../http/download.ts';
import { edgarArchive } from '../shared/edgar-archive.ts';
import { xmlTextFromBytes } from '../shared/parse-xml.ts';
import type { Quarter } from '../shared/quarters.ts';
import { SEC, secAsk } from '../shared/sec.ts';
import { isTransactionForm } from './edgar-days.ts';
import { form4Limits } from './limits.ts';
import { parseEdgarAtom } from './parse-edgar-atom.ts';

export type EdgarClient = ReturnType<typeof createEdgarClient>;

export function quarterPath({ name }: Quarter): string {
  return `/files/structureddata/data/insider-transactions-data-sets/${name}_form345.zip`;
}

const FEED_PATH = '/cgi-bin/browse-edgar';

export function createEdgarClient(
  http: Pick<HttpClient, 'get' | 'exchange'>,
  { settings, paths, onProgress }: FetchContext,
) {
  const ask = secAsk(settings);
  return {
    ...edgarArchive(http, settings, isTransactionForm),
    /** Downloads the zip of a quarter's data set; undefined if the SEC has not made it (yet). */
    async quarterZip(quarter: Quarter) {
      const path = join(paths.scratch, `${quarter.name}_form345.zip`);
      try {
        // A missing quarter is reported like an unknown symbol elsewhere.
        const request = { ...ask(SEC, quarterPath(quarter)), symbol: quarter.name };
        await download(http, {
          request,
          path,
          onProgress: (bytes, total) =>
            onProgress?.(`download ${quarter.name}`, bytes, total ?? bytes),
        });
        return path;
      } catch (error) {
        if (error instanceof UnknownSymbolError) return undefined;
        throw error;
      }
    },
    /** Reads a page of current filings, newest first. */
    async feedPage(form: '4' | '5', page: number) {
      const count = form4Limits.feedEntriesPerPage;
      const query = {
        action: 'getcurrent',
        type: form,
        company: '',
        dateb: '',
        owner: 'include',
        start: page * count,
        count,
        output: 'atom',
      };
      const decode = xmlTextFromBytes;
      const { text } = await http.get({ ...ask(SEC, FEED_PATH), query, decode });
      return parseEdgarAtom(text);
    },
  };
}
