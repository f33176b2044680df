/** Asks EDGAR for the indexes of its days and for submissions. */

import type { VendorSettings } from '../../../base/config/config.ts';
import { MalformedInputError } from '../../../base/errors.ts';
import { dateFromDay, weekdayFromDay } from '../../../base/time/dates.ts';
import type { HttpClient } from '../../http/client.ts';
import { baseUrl } from '../../http/host.ts';
import { parseFormIndex } from './parse-form-index.ts';
import type { Quarter } from './quarters.ts';
import { SEC, secAsk } from './sec.ts';

const NOT_FOUND = 404;

/** Monday to Friday, both ends included. The SEC takes filings on no other days. */
export function weekdaysBetween(fromDay: number, toDay: number): number[] {
  const days: number[] = [];
  for (let day = fromDay; day <= toDay; day++) {
    if (![0, 6].includes(weekdayFromDay(day))) days.push(day);
  }
  return days;
}

/** `form.20250110.idx`. */
export function indexName(day: number): string {
  return `form.${dateFromDay(day).replaceAll('-', '')}.idx`;
}

/** Reads the names in a folder of EDGAR from its `index.json`. */
export function namesInFolder(text: string): Set<string> {
  let items: unknown;
  try {
    items = JSON.parse(text)?.directory?.item;
  } catch (cause) {
    throw new MalformedInputError('the list of a folder is not JSON', { cause });
  }
  if (!Array.isArray(items)) throw new MalformedInputError('the list of a folder has no items');
  return new Set(items.map((item: { name?: unknown } | null) => String(item?.name)));
}

export function indexPath({ folder }: Pick<Quarter, 'folder'>, day: number): string {
  return `/Archives/edgar/daily-index/${folder}/${indexName(day)}`;
}

/** Maps each byte to a character and back, because submissions hold documents of all encodings. */
const latin1 = (bytes: Buffer) => bytes.toString('latin1');

/** @param isWanted Tells by the form type which filings of an index are listed. */
export function edgarArchive(
  http: Pick<HttpClient, 'get'>,
  settings: VendorSettings,
  isWanted: (form: string) => boolean,
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
    /** Names the indexes of a quarter's days; undefined if there is no list of them. */
    async indexNames({ folder }: Pick<Quarter, 'folder'>) {
      const list = await textAt(`/Archives/edgar/daily-index/${folder}/index.json`);
      return list === undefined ? undefined : namesInFolder(list);
    },
    /** Reads the filings of a day; undefined if it has no index. */
    async dayIndex(path: string) {
      const text = await textAt(path);
      return text === undefined ? undefined : parseFormIndex(text, isWanted);
    },
    /** Reads the bytes of a submission; undefined if it was withdrawn. */
    async submission(path: string) {
      const text = await textAt(`/Archives/${path}`);
      return text === undefined ? undefined : Buffer.from(text, 'latin1');
    },
  };
}
