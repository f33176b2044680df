/** Decodes the text of a feed, in whichever encoding it was written. Pure. */

import { MalformedInputError } from '../../../base/errors.ts';
import { xmlTextFromBytes } from '../shared/parse-xml.ts';

/** Byte-order marks of encodings whose declaration can't be read before decoding. */
const MARKS: readonly (readonly [mark: string, encoding: string])[] = [
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
];

/**
 * Decodes by the document first: its mark, its declaration, else UTF-8. Servers often send one
 * encoding for all their files, so their header counts only if that fails.
 *
 * @param contentType The server's header; undefined for files.
 * @throws {MalformedInputError} the bytes fit none of these encodings.
 */
export function feedTextFromBytes(bytes: Uint8Array, contentType?: string): string {
  const head = Buffer.from(bytes.subarray(0, 2)).toString('hex');
  const marked = MARKS.find(([mark]) => mark === head)?.[1];
  if (marked !== undefined) return decoded(bytes, marked);
  try {
    return xmlTextFromBytes(bytes);
  } catch (error) {
    const named = /charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(contentType ?? '')?.[1];
    if (named === undefined) throw error;
    return decoded(bytes, named);
  }
}

function decoded(bytes: Uint8Array, encoding: string): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new MalformedInputError(`the feed is not in its encoding, ${encoding}`, { cause });
  }
}
