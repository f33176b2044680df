/**
 * Parses notices that a class of securities left its exchange or its registration: Form 25 of an
 * exchange, which has XML, and Forms 25 and 15 of a company, which are texts. Pure.
 */

import { MalformedInputError } from '../../../base/errors.ts';
import { marked } from '../../../base/quoted.ts';
import type { Removal } from '../../../store/duckdb/securities/removals.ts';
import type { RefusedListing } from '../../directory/listed-security.ts';
import { typeFromTitle } from '../../directory/security-name.ts';
import { isSgmlSubmission, parseSgmlHeader } from '../shared/parse-sgml-header.ts';
import { parseXml, type XmlElement, xmlTextFromBytes } from '../shared/parse-xml.ts';

/** Notices of one folder, day or list. */
export interface RemovalFile {
  origin: string;
  source: string;
  notices: Removal[];
  refused: RefusedListing[];
}

/** Forms, with amendments; those of foreign companies begin with 15F. */
export function isRemovalForm(form: string): boolean {
  return /^(25|25-NSE|15F?-12B|15F?-12G|15F?-15D)(\/A)?$/.test(form);
}

/** Returns true for the beginning of a submission of such a form. */
export function isRemoval(head: string): boolean {
  const form = /(?:CONFORMED SUBMISSION TYPE:|<TYPE>)\s*(\S+)/.exec(head)?.[1];
  return isSgmlSubmission(head) && form !== undefined && isRemovalForm(form);
}

/** Reasons by paragraph of Rule 12d2-2. */
const REASONS: Readonly<Record<string, string>> = {
  '(a)(1)': 'redeemed',
  '(a)(2)': 'redeemed',
  '(a)(3)': 'exchanged',
  '(a)(4)': 'extinguished',
  '(b)': 'struck',
  '(c)': 'withdrawn',
};

const RULE = /240\.12d2-2\s*(\((?:a\)\s*\(\d|b|c)\))/i;
const MARKED_RULE = new RegExp(
  `(?:\\[\\s*x\\s*\\]|[\\u2612\\xfe\\xfd])\\s*17\\s*CFR\\s*${RULE.source}`,
  'i',
);
/** The class stands between the captions of the address and of itself. */
const TITLE =
  /principal\s+executive\s+offices?\s*\)([\s\S]{1,3000}?)\(\s*(?:titles?\s+of\s+each\s+class|description\s+of\s+class)/i;
const TITLE_CHARS_MAX = 500;

/**
 * @param bytes A submission as EDGAR gives it.
 * @returns a notice for each class.
 * @throws {MalformedInputError} it is no such form, or has no date or company.
 */
export function parseRemoval(bytes: Buffer): Removal[] {
  const { accession, form, filedDay, text } = parseSgmlHeader(bytes);
  if (!isRemovalForm(form)) {
    throw new MalformedInputError(`Form ${form} states no removal of a security`);
  }
  const end = bytes.indexOf('</DOCUMENT>');
  const document = bytes.subarray(bytes.indexOf('<DOCUMENT>'), end < 0 ? undefined : end);
  const stated = document.includes('<notificationOfRemoval')
    ? statedInXml(document)
    : statedInText(document.toString('latin1'), form);
  const cik = stated.cik ?? cikFromHeader(text);
  if (cik === undefined) throw new MalformedInputError('the submission does not name its company');
  const titles = titlesFrom(stated.title);
  const head = { form, cik, ticker: null, day: filedDay, source: 'sec' };
  return (titles.length === 0 ? [null] : titles).map((title, i) => ({
    ...head,
    id: i === 0 ? accession : `${accession} ${i + 1}`,
    kind: title === null ? null : (typeFromTitle(title) ?? null),
    title,
    reason: stated.reason,
  }));
}

interface Stated {
  cik: number | undefined;
  title: string;
  reason: string | null;
}

function statedInXml(document: Buffer): Stated {
  const start = document.indexOf('<notificationOfRemoval');
  const end = document.indexOf('</notificationOfRemoval>');
  const xml = document.subarray(
    start,
    end < 0 ? undefined : end + '</notificationOfRemoval>'.length,
  );
  const root = parseXml(xmlTextFromBytes(xml)).notificationOfRemoval as XmlElement;
  const { issuer, descriptionClassSecurity: title, ruleProvision: rule } = root;
  const cik = Number((issuer as XmlElement | undefined)?.cik);
  const paragraph = RULE.exec(String(rule))?.[1].toLowerCase().replace(/\s/g, '') ?? '';
  return {
    cik: Number.isSafeInteger(cik) && cik > 0 ? cik : undefined,
    title: typeof title === 'string' ? decoded(title) : '',
    reason: REASONS[paragraph] ?? null,
  };
}

function statedInText(document: string, form: string): Stated {
  const text = decoded(
    document.replace(/<(?:br|\/?p|\/?div|\/?tr)\b[^>]*>/gi, '\n').replace(/<[^>]*>/g, ' '),
  );
  const title = TITLE.exec(text)?.[1] ?? '';
  const paragraph = MARKED_RULE.exec(text)?.[1].toLowerCase().replace(/\s/g, '') ?? '(c)';
  const reason = form.startsWith('15') ? 'deregistered' : (REASONS[paragraph] ?? null);
  return { cik: undefined, title, reason };
}

const ENTITIES: Readonly<Record<string, string>> = {
  nbsp: ' ',
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,6})|#x([\da-f]{1,5})|(\w{1,8}));/gi, (all, number, hex, name) => {
    if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? all;
    const code = Number.parseInt(number ?? hex, number === undefined ? 16 : 10);
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}

/** Company about which a filing is; an exchange files about another one. */
function cikFromHeader(text: string): number | undefined {
  const subject = /(?:SUBJECT COMPANY:|FILER:|<SUBJECT-COMPANY>|<FILER>)([\s\S]*)/.exec(text)?.[1];
  const cik = /(?:CENTRAL INDEX KEY:\s*|<CIK>)0*(\d{1,10})/.exec(subject ?? '')?.[1];
  return cik === undefined ? undefined : Number(cik);
}

/** Begins a line that names another class than the line before. */
const NEXT_CLASS =
  /^(?:common|ordinary|capital|class|series|warrants?|units?|rights?|preferred|american|depositary|redeemable|\d[\d.]*%)/i;
const GOES_ON = /(?:,|\b(?:of|one|a|an|the|and|or|for|to|each|per|representing|purchase))$/i;

/** Splits a description at semicolons, and at lines that begin another class. */
function titlesFrom(description: string): string[] {
  const titles: string[] = [];
  let goesOn = false;
  for (const line of description.replaceAll(';', '\n').split('\n')) {
    const part = marked(line)
      .replace(/[_\s*|]+/g, ' ')
      .trim();
    if (!/[a-z]/i.test(part)) continue;
    if (titles.length > 0 && (goesOn || !NEXT_CLASS.test(part)))
      titles.push(`${titles.pop()} ${part}`);
    else titles.push(part);
    goesOn = GOES_ON.test(part);
  }
  return titles.map((title) => title.slice(0, TITLE_CHARS_MAX));
}
