/** The text of a feed, in whichever encoding it was written. Pure. */

import { MalformedInputError } from '../../../base/errors.ts';
import { xmlTextFromBytes } from '../shared/parse-xml.ts';

/** Byte-order marks of the encodings in which no declaration can be read before it is decoded. */
const MARKS: readonly (readonly [mark: string, encoding: string])[] = [
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
];

/**
 * What the document says of itself comes first: its mark, its declaration, else UTF-8. Servers
 * often say the same of all their files, so their word counts only where that fails.
 *
 * @param contentType As the server sent it; undefined for files.
 * @throws {MalformedInputError} the bytes are in none of these encodings.
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
