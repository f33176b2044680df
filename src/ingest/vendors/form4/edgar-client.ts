/** Sends the requests to EDGAR for filings of insiders. */

import { join } from 'node:path';
import { UnknownSymbolError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits/limits.ts';
import type { FetchContext } from '../../contract/fetch-context.ts';
import type { HttpClient } from '../../http/client.ts';
import { download } from '../../http/download.ts';
import { baseUrl } from '../../http/host.ts';
import { xmlTextFromBytes } from '../shared/parse-xml.ts';
import { SEC, secAsk } from '../shared/sec.ts';
import { indexName, namesInFolder, type Quarter } from './edgar-days.ts';
import { type EdgarFeed, parseEdgarAtom } from './parse-edgar-atom.ts';
import { type FormIndex, parseFormIndex } from './parse-form-index.ts';

export interface EdgarClient {
  /** Address of a request, as the ledger keeps it. */
  addressOf(path: string): string;
  /** The zip of a quarter's data set on disk; undefined if the SEC has not made it (yet). */
  quarterZip(quarter: Quarter): Promise<string | undefined>;
  /** Names of the indexes of a quarter's days; undefined if there is no list of them. */
  indexNames(quarter: Quarter): Promise<ReadonlySet<string> | undefined>;
  /** Filings of a day; undefined if it has no index. */
  dayIndex(path: string): Promise<FormIndex | undefined>;
  /** A page of current filings, newest first. */
  feedPage(form: '4' | '5', page: number): Promise<EdgarFeed>;
  /** Bytes of a submission; undefined if it was withdrawn. */
  submission(path: string): Promise<Buffer | undefined>;
}

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
): EdgarClient {
  const ask = secAsk(settings);
  const textAt = async (path: string) => {
    const asked = { ...ask(SEC, path), readable: [NOT_FOUND], decode: latin1 };
    const { status, text } = await http.get(asked);
    return status === NOT_FOUND ? undefined : text;
  };
  return {
    addressOf: (path) => baseUrl(SEC, settings) + path,
    async quarterZip(quarter) {
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
    async indexNames({ folder }) {
      const list = await textAt(`/Archives/edgar/daily-index/${folder}/index.json`);
      return list === undefined ? undefined : namesInFolder(list);
    },
    async dayIndex(path) {
      const text = await textAt(path);
      return text === undefined ? undefined : parseFormIndex(text);
    },
    async feedPage(form, page) {
      const count = limits.form4.feedEntriesPerPage;
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
    async submission(path) {
      const text = await textAt(`/Archives/${path}`);
      return text === undefined ? undefined : Buffer.from(text, 'latin1');
    },
  };
}
