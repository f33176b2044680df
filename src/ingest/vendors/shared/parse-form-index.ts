/** Parses EDGAR's index of a day or quarter by form type, with columns between blanks. Pure. */

import { MalformedInputError } from '../../../base/errors.ts';

export interface FormIndex {
  /** Wanted filings, each once. The index lists each under all its registrants. */
  filings: EdgarFiling[];
  /** Number of lines of all forms. */
  lineCount: number;
  refused: { line: number; text: string; reason: string }[];
}

const HEADER = /^Form Type\s+Company Name\s+CIK\s+Date Filed\s+File Name\s*$/;
const RULE = /^-{20,}\s*$/;

/**
 * Matches from the end of the line, because long names push the later columns to the right. Form
 * types and names hold single blanks, so the form ends at two blanks or at its column's width.
 */
const TAIL =
  /\s(\d{1,10})\s+(?:\d{8}|\d{4}-\d{2}-\d{2})\s+(edgar\/data\/\d+\/(\d{10}-\d{2}-\d{6})\.txt)\s*$/;
const FORM_WIDTH = 12;
const LINE_CHARS_MAX = 1000;

export function isFormIndex(head: string): boolean {
  return /^\s*Description:\s+\w+ Index of EDGAR Dissemination Feed by Form Type/.test(head);
}

/**
 * @param isWanted Tells by the form type which filings are listed.
 * @throws {MalformedInputError} no header, as in a page that reports a missing index.
 */
export function parseFormIndex(text: string, isWanted: (form: string) => boolean): FormIndex {
  const lines = text.split(/\r?\n/);
  const header = lines.findIndex((line) => HEADER.test(line));
  if (header < 0 || !RULE.test(lines[header + 1] ?? '')) {
    throw new MalformedInputError('the index has no header "Form Type … File Name"');
  }
  const index: FormIndex = { filings: [], lineCount: 0, refused: [] };
  const filings = new Map<string, EdgarFiling>();
  for (const [at, text] of lines.entries()) {
    if (at < header + 2 || text.trim() === '') continue;
    index.lineCount++;
    const tail = text.length <= LINE_CHARS_MAX ? TAIL.exec(text) : null;
    const form = text
      .slice(0, FORM_WIDTH)
      .split(/\s{2,}/)[0]
      .trim();
    if (!tail || form === '' || text.startsWith(' ')) {
      const reason = 'line is not form, name, CIK, date and file name';
      index.refused.push({ line: at + 1, text: text.slice(0, LINE_CHARS_MAX), reason });
      continue;
    }
    const [, cik, path, accession] = tail;
    if (!isWanted(form)) continue;
    const seen = filings.get(accession);
    if (seen) seen.ciks.push(Number(cik));
    else filings.set(accession, { form, accession, path, ciks: [Number(cik)] });
  }
  return { ...index, filings: [...filings.values()] };
}

export interface EdgarFiling {
  /** `4/A`, `25-NSE`. */
  form: string;
  accession: string;
  /** Path of the whole submission, below `/Archives/`. */
  path: string;
  /** Registrants in the index or feed: its issuer, and owners or an exchange. */
  ciks: number[];
}
