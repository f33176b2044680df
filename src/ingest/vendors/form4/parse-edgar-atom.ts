/** Parses EDGAR's feed of current filings, in Atom. Pure. */

import { MalformedInputError } from '../../../base/errors.ts';
import type { EdgarFiling } from '../shared/parse-form-index.ts';
import { elementAt, elementsOf, parseXml, textOf, type XmlValue } from '../shared/parse-xml.ts';
import { isTransactionForm } from './edgar-days.ts';

export interface EdgarFeed {
  /** Filings of Forms 4 and 5, each once. The feed lists each under issuer and owners. */
  filings: EdgarFiling[];
  /** Number of entries of all forms. */
  entryCount: number;
  /** Day of acceptance of the oldest entry; undefined for an empty feed. */
  oldestMs: number | undefined;
  refused: { text: string; reason: string }[];
}

/** @throws {MalformedInputError} the text is not well-formed, or not a feed. */
export function parseEdgarAtom(text: string): EdgarFeed {
  const feed = elementAt(parseXml(text), 'feed');
  if (feed === undefined) throw new MalformedInputError('the answer is not an Atom feed');
  const entries = elementsOf(feed, 'entry');
  const filings = new Map<string, EdgarFiling>();
  const refused: EdgarFeed['refused'] = [];
  let oldestMs: number | undefined;
  for (const entry of entries) {
    const read = filingOf(entry);
    if ('reason' in read) {
      refused.push({ text: JSON.stringify(entry).slice(0, 500), reason: read.reason });
      continue;
    }
    oldestMs = Math.min(oldestMs ?? read.acceptedMs, read.acceptedMs);
    if (!isTransactionForm(read.form)) continue;
    const { form, accession, path, ciks } = read;
    const seen = filings.get(accession);
    if (seen) seen.ciks.push(...ciks);
    else filings.set(accession, { form, accession, path, ciks });
  }
  return { filings: [...filings.values()], entryCount: entries.length, oldestMs, refused };
}

function filingOf(entry: XmlValue): (EdgarFiling & { acceptedMs: number }) | { reason: string } {
  const form = textOf(elementAt(entry, 'category', '@term'));
  const href = textOf(elementAt(entry, 'link', '@href'));
  const updated = textOf(elementAt(entry, 'updated'));
  const path =
    /\/Archives\/(edgar\/data\/(\d{1,10})\/\d{18}\/(\d{10}-\d{2}-\d{6}))-index\.html?$/.exec(
      href ?? '',
    );
  if (!form) return { reason: 'entry has no form type' };
  if (!path) return { reason: 'entry has no address of a filing' };
  const acceptedMs = Date.parse(updated ?? '');
  if (!updated || Number.isNaN(acceptedMs)) return { reason: 'entry has no time' };
  return { form, accession: path[3], path: `${path[1]}.txt`, ciks: [Number(path[2])], acceptedMs };
}
