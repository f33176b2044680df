/** Dates and times in words, with AM and PM, or with the name of a zone, as ISO 8601 writes them. */

import { fullYear } from './date-format.ts';

export interface IsoStamp {
  /** Date, time and offset. A date in digits stays as it is, because its order is settled later. */
  text: string;
  /** IANA name of the zone that the text names. */
  zone?: string;
}

/** Beginnings of the names of months in English, German, French, Spanish, Italian, Portuguese and Dutch. */
const MONTHS = [
  ...[/^(?:jan|gen|ene)/, /^(?:feb|fev)/, /^(?:mar|mrz|mrt|maerz|maa)/, /^(?:apr|avr|abr)/],
  ...[/^(?:ma[yig])|^mei/, /^(?:jun|juin|giu)/, /^(?:jul|juil|lug)/, /^(?:aug|aou|ago)/],
  ...[/^(?:sep|set)/, /^(?:oct|okt|ott|out)/, /^nov/, /^(?:dec|dez|dic)/],
];
const WEEKDAY = '(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\\.?,? )?';
const MONTH = '(?<month>\\p{L}{3,10})\\.?';
const DAY = '(?<day>\\d{1,2})(?:st|nd|rd|th)?';
const YEAR = '(?<year>\\d{4}|\\d{2})(?!\\d)';
const REST = '(?<rest>.*)$';

const WORDED = [
  // Oct 2, 2023; Monday, January 2, 2024; Tue Jan 02 2024
  new RegExp(`^${WEEKDAY}${MONTH}[ /-]${DAY}(?:, ?|[ /-])${YEAR}${REST}`, 'iu'),
  // 2 Jan 2024; 02-OCT-2023; Tue, 02 Jan 2024; 2. January 2024; SAS's 02JAN2024
  new RegExp(`^${WEEKDAY}${DAY}(?:\\. |[ /.-]?)${MONTH}(?:, ?|[ /.-]?)${YEAR}${REST}`, 'iu'),
  // 2024-Jan-02
  new RegExp(`^(?<year>\\d{4})[ /-]${MONTH}[ /-]${DAY}(?!\\d)${REST}`, 'iu'),
];
/** `2024年1月2日`, `2024. 1. 2.` */
const EAST_ASIAN = /^(\d{4})(?:年|\. ) ?(\d{1,2})(?:月|\. ) ?(\d{1,2})(?:日|\.)/;
/** `Mon 03/04/2024`. */
const IN_FRONT = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,? (?=\d)/i;
const IN_DIGITS = /^(?<date>\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|\d{8})(?<rest>[ T].*)?$/;
/** Java, and the command `date`, write the year last: `Tue Jan 02 00:00:00 EST 2024`. */
const YEAR_LAST = /^([a-z]{3} [a-z]{3} \d{1,2}) (\d{2}:\d{2}:\d{2}(?: [a-z+:\d-]+)?) (\d{4})$/i;
/** Unix milliseconds in older JSON of .NET: `/Date(1704153600000)/`. */
const DOT_NET = /^\/Date\((\d{12,13})(?:[+-]\d{4})?\)\/$/;
/** Interactive Brokers write UTC so: `20240304-14:30:00`. */
const UTC_DASH = /^(\d{8})-(\d{2}:\d{2}:\d{2})$/;
const TIME =
  /^(?:,? | at |T|:)(?<hour>\d{1,2}):?(?<minute>\d{2})(?::?(?<second>\d{2}(?:\.\d+)?))?(?: ?(?<half>[ap])\.?m\b\.?)?(?: ?(?<zone>[a-z+-].*))?$/i;

/** @returns undefined for a text that holds neither words nor anything else to change. */
export function isoStamp(text: string): IsoStamp | undefined {
  // A column with an empty cell is one of floats to pandas: `20240304.0`.
  if (/^\d{8,19}\.0+$/.test(text)) return { text: text.replace(/\.0+$/, '') };
  // A period of pandas: its first and its last day.
  if (/^(\d{4}-\d\d-\d\d)\/\1$/.test(text)) return { text: text.slice(0, 10) };
  const [, millis] = DOT_NET.exec(text) ?? [];
  if (millis !== undefined) return { text: millis };
  const plain = text
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/ \([^)]*\)$/, '')
    .replace(EAST_ASIAN, '$1-$2-$3')
    .replace(/ de /gi, ' ')
    .replace(YEAR_LAST, '$1 $3 $2')
    .replace(UTC_DASH, '$1 $2Z')
    .replace(IN_FRONT, '');
  for (const pattern of WORDED) {
    const { month = '', day = '', year = '', rest = '' } = pattern.exec(plain)?.groups ?? {};
    const number = monthFromName(month);
    if (number === 0) continue;
    return withTime(`${fullYear(year)}-${padded(String(number))}-${padded(day)}`, rest);
  }
  const { date, rest = '' } = IN_DIGITS.exec(plain)?.groups ?? {};
  const stamp = date === undefined ? undefined : withTime(date, rest);
  return stamp?.text === text && stamp.zone === undefined ? undefined : stamp;
}

/** Returns the number of a month by its name without accents; 0 for another word. */
function monthFromName(name: string): number {
  const plain = name.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
  return MONTHS.findIndex((beginning) => beginning.test(plain)) + 1;
}

/** Returns `9:30:00 AM` as `09:30:00`, or undefined for another text. */
export function isoTime(text: string): string | undefined {
  const { hour, minute, second = '00', half } = TIME.exec(` ${text.trim()}`)?.groups ?? {};
  return half === undefined ? undefined : `${hourOfDay(hour, half)}:${minute}:${second}`;
}

function withTime(date: string, rest: string): IsoStamp | undefined {
  if (rest === '') return { text: date };
  const { hour, minute, second = '00', half, zone } = TIME.exec(rest)?.groups ?? {};
  if (hour === undefined) return undefined;
  const named = zone === undefined ? {} : zoneFromText(zone);
  if (named === undefined) return undefined;
  const clock = `${hourOfDay(hour, half)}:${minute}:${second}`;
  return {
    text: `${date} ${clock}${named.offset ?? ''}`,
    ...(named.zone && { zone: named.zone }),
  };
}

function hourOfDay(hour: string, half: string | undefined): string {
  if (half === undefined) return padded(hour);
  const isAfternoon = half.toLowerCase() === 'p';
  return padded(String((Number(hour) % 12) + (isAfternoon ? 12 : 0)));
}

/** Offsets of the United States' abbreviations, and names that say no offset. */
const OFFSETS: Record<string, string> = {
  Z: 'Z',
  UTC: 'Z',
  GMT: 'Z',
  EST: '-05:00',
  EDT: '-04:00',
  CST: '-06:00',
  CDT: '-05:00',
  MST: '-07:00',
  MDT: '-06:00',
  PST: '-08:00',
  PDT: '-07:00',
};
const ZONES: Record<string, string> = {
  ET: 'America/New_York',
  CT: 'America/Chicago',
  PT: 'America/Los_Angeles',
};

function zoneFromText(text: string): { offset?: string; zone?: string } | undefined {
  const upper = text.toUpperCase();
  if (OFFSETS[upper]) return { offset: OFFSETS[upper] };
  if (ZONES[upper]) return { zone: ZONES[upper] };
  const [, sign, hours, minutes = '00'] =
    /^(?:GMT|UTC)?([+-])(\d{1,2}):?(\d{2})?$/.exec(upper) ?? [];
  if (sign !== undefined) return { offset: `${sign}${padded(hours)}:${minutes}` };
  return isZoneName(text) ? { zone: text } : undefined;
}

/** Returns true for an IANA name like `America/New_York` or `US/Eastern`. */
export function isZoneName(name: string): boolean {
  try {
    return name.includes('/') && new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

function padded(text: string): string {
  return text.padStart(2, '0');
}
