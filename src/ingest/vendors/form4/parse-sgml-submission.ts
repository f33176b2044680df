/** Parses submissions of EDGAR (`.txt`, `.nc`): a header in SGML, then documents. Pure. */

import { MILLIS_PER_DAY } from '../../../base/bars.ts';
import { MalformedInputError, ParameterError } from '../../../base/errors.ts';
import { momentFromNewYorkClock } from '../../../base/time/calendar.ts';
import { dayFromDate } from '../../../base/time/dates.ts';

export interface SgmlSubmission {
  accession: string;
  /** Form in the header: `4`, `4/A`. */
  form: string;
  /** Moment of acceptance; midnight UTC of the filing date if the header has no time. */
  filedAtMs: number;
  xml: Uint8Array;
}

export const ACCESSION = /^\d{10}-\d{2}-\d{6}$/;

export function isSgmlSubmission(head: string): boolean {
  return /^\s*<(SEC-DOCUMENT|SUBMISSION|SEC-HEADER)>/.test(head);
}

/**
 * Reads a header of lines like `FILED AS OF DATE: 20250110` or tags like `<FILING-DATE>20250110`.
 * @param bytes May end after the ownership document.
 * @throws {MalformedInputError} number, form, date or the ownership document is missing.
 */
export function parseSgmlSubmission(bytes: Buffer): SgmlSubmission {
  const headerEnd = bytes.indexOf('<DOCUMENT>');
  if (headerEnd < 0) throw new MalformedInputError('the submission has no document');
  const header = bytes.toString('latin1', 0, headerEnd);
  const field = (label: string, tag: string): string | undefined =>
    new RegExp(`(?:^|[\\r\\n])${label}:[ \\t]*([^\\s<]+)|<${tag}>([^\\s<]+)`)
      .exec(header)
      ?.slice(1)
      .find((text) => text !== undefined);
  const accession = field('ACCESSION NUMBER', 'ACCESSION-NUMBER');
  const form = field('CONFORMED SUBMISSION TYPE', 'TYPE');
  const accepted = /<ACCEPTANCE-DATETIME>(\d{14})/.exec(header)?.[1];
  const filed = field('FILED AS OF DATE', 'FILING-DATE');
  if (!accession || !ACCESSION.test(accession)) {
    throw new MalformedInputError(`the submission has no number, got "${accession ?? ''}"`);
  }
  if (!form) throw new MalformedInputError('the submission does not say its form');
  const filedAtMs = accepted ? momentFromEastern(accepted) : dayOf(filed) * MILLIS_PER_DAY;
  return { accession, form, filedAtMs, xml: ownershipXml(bytes, headerEnd) };
}

/** @param digits Local time in New York: `20250110160730`. */
function momentFromEastern(digits: string): number {
  const [hours, minutes, seconds] = [8, 10, 12].map((at) => Number(digits.slice(at, at + 2)));
  if (hours > 23 || minutes > 59 || seconds > 59) {
    throw new MalformedInputError(`the submission was accepted at no time of day: "${digits}"`);
  }
  const clockMs = dayOf(digits) * MILLIS_PER_DAY + (hours * 60 + minutes) * 60_000 + seconds * 1000;
  return momentFromNewYorkClock(clockMs);
}

function dayOf(digits: string | undefined): number {
  const date = digits?.replace(/^(\d{4})(\d{2})(\d{2}).*$/, '$1-$2-$3') ?? '';
  try {
    return dayFromDate(date);
  } catch (cause) {
    if (!(cause instanceof ParameterError)) throw cause;
    throw new MalformedInputError(`the submission has no filing date, got "${digits ?? ''}"`, {
      cause,
    });
  }
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
