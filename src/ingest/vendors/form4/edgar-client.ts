/** Sends the requests to EDGAR for filings of insiders. */

import { join } from 'node:path';
import { UnknownSymbolError } from '../../../base/errors.ts';
import type { FetchContext } from '../../contract/fetch-context.ts';
import type { HttpClient } from '../../http/client.ts';
import { download } from '../../http/download.ts';
import { baseUrl } from '../../http/host.ts';
import { xmlTextFromBytes } from '../shared/parse-xml.ts';
import type { Quarter } from '../shared/quarters.ts';
import { SEC, secAsk } from '../shared/sec.ts';
import { indexName, namesInFolder } from './edgar-days.ts';
import { form4Limits } from './limits.ts';
import { parseEdgarAtom } from './parse-edgar-atom.ts';
import { parseFormIndex } from './parse-form-index.ts';

export type EdgarClient = ReturnType<typeof createEdgarClient>;

const NOT_FOUND = 404;

export function quarterPath({ name }: Quarter): string {
  return `/files/structureddata/data/insider-transactions-data-sets/${name}_form345.zip`;
}

export function indexPath({ folder }: Quarter, day: number): string {
  return `/Archives/edgar/daily-index/${folder}/${indexName(day)}`;
}

const FEED_PATH = '/cgi-bin/browse-edgar';

/** Maps each byte to a character and back, because submissions hold documents of all encodings. */
const latin1 = (bytes: Buffer) => bytes.toString('latin1');

export function createEdgarClient(
  http: Pick<HttpClient, 'get' | 'exchange'>,
  { settings, paths, onProgress }: FetchContext,
) {
  const ask = secAsk(settings);
  const textAt = async (path: string) => {
    const asked = { ...ask(SEC, path), readable: [NOT_FOUND], decode: latin1 };
    const { status, text } = await http.get(asked);
    return status === NOT_FOUND ? undefined : text;
  };
  return {
    /** Address of a request, as the ledger keeps it. */
    addressOf: (path: string) => baseUrl(SEC, settings) + path,
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
    /** Names the indexes of a quarter's days; undefined if there is no list of them. */
    async indexNames({ folder }: Quarter) {
      const list = await textAt(`/Archives/edgar/daily-index/${folder}/index.json`);
      return list === undefined ? undefined : namesInFolder(list);
    },
    /** Reads the filings of a day; undefined if it has no index. */
    async dayIndex(path: string) {
      const text = await textAt(path);
      return text === undefined ? undefined : parseFormIndex(text);
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
    /** Reads the bytes of a submission; undefined if it was withdrawn. */
    async submission(path: string) {
      const text = await textAt(`/Archives/${path}`);
      return text === undefined ? undefined : Buffer.from(text, 'latin1');
    },
  };
}
