/** Parses submissions of Forms 4 and 5: a header in SGML, then the ownership document. Pure. */

import { MalformedInputError } from '../../../base/errors.ts';
import { parseSgmlHeader, type SgmlHeader } from '../shared/parse-sgml-header.ts';

export interface SgmlSubmission extends Omit<SgmlHeader, 'text' | 'filedDay'> {
  xml: Uint8Array;
}

/**
 * @param bytes May end after the ownership document.
 * @throws {MalformedInputError} as the header, or the ownership document is missing.
 */
export function parseSgmlSubmission(bytes: Buffer): SgmlSubmission {
  const { text, filedDay: _, ...header } = parseSgmlHeader(bytes);
  return { ...header, xml: ownershipXml(bytes, text.length) };
}

function ownershipXml(bytes: Buffer, from: number): Uint8Array {
  const root = bytes.indexOf('<ownershipDocument', from);
  if (root < 0) throw new MalformedInputError('the submission has no ownership document');
  const open = bytes.lastIndexOf('<XML>', root);
  const end = bytes.indexOf('</XML>', root);
  if (open < from || end < 0) {
    throw new MalformedInputError('the submission ends within its ownership document');
  }
  const start = open + '<XML>'.length;
  // A declaration counts only at the very start of the document.
  const blank = /^\s*/.exec(bytes.toString('latin1', start, root))?.[0].length ?? 0;
  return bytes.subarray(start + blank, end);
}
