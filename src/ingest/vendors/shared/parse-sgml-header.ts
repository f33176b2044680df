/** Parses headers of EDGAR's submissions (`.txt`, `.nc`), in SGML before their documents. Pure. */

import { MILLIS_PER_DAY } from '../../../base/bars.ts';
import { MalformedInputError, ParameterError } from '../../../base/errors.ts';
import { momentFromNewYorkClock } from '../../../base/time/calendar.ts';
import { dayFromDate } from '../../../base/time/dates.ts';

export interface SgmlHeader {
  accession: string;
  /** Form in the header: `4`, `25-NSE`. */
  form: string;
  /** Moment of acceptance; midnight UTC of the filing date if the header has no time. */
  filedAtMs: number;
  /** Day of the filing, which begins after 17:30 of the day before. */
  filedDay: number;
  /** The header itself. */
  text: string;
}

export const ACCESSION = /^\d{10}-\d{2}-\d{6}$/;

export function isSgmlSubmission(head: string): boolean {
  return /^\s*<(SEC-DOCUMENT|SUBMISSION|SEC-HEADER)>/.test(head);
}

/**
 * Reads a header of lines like `FILED AS OF DATE: 20250110` or tags like `<FILING-DATE>20250110`.
 * @param bytes May end after the first document.
 * @throws {MalformedInputError} number, form or date is missing, or there is no document.
 */
export function parseSgmlHeader(bytes: Buffer): SgmlHeader {
  const headerEnd = bytes.indexOf('<DOCUMENT>');
  if (headerEnd < 0) throw new MalformedInputError('the submission has no document');
  const text = bytes.toString('latin1', 0, headerEnd);
  const field = (label: string, tag: string): string | undefined =>
    new RegExp(`(?:^|[\\r\\n])${label}:[ \\t]*([^\\s<]+)|<${tag}>([^\\s<]+)`)
      .exec(text)
      ?.slice(1)
      .find((one) => one !== undefined);
  const accession = field('ACCESSION NUMBER', 'ACCESSION-NUMBER');
  const form = field('CONFORMED SUBMISSION TYPE', 'TYPE');
  const accepted = /<ACCEPTANCE-DATETIME>(\d{14})/.exec(text)?.[1];
  const filed = field('FILED AS OF DATE', 'FILING-DATE');
  if (!accession || !ACCESSION.test(accession)) {
    throw new MalformedInputError(`the submission has no number, got "${accession ?? ''}"`);
  }
  if (!form) throw new MalformedInputError('the submission does not say its form');
  const filedAtMs = accepted ? momentFromEastern(accepted) : dayOf(filed) * MILLIS_PER_DAY;
  return { accession, form, filedAtMs, filedDay: dayOf(filed ?? accepted), text };
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
