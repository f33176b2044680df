import { MILLIS_PER_DAY } from '../../base/bars.ts';
import { isWeekend } from './week-days.ts';

/** Day numbers of serial 0 in Excel's two calendars, and the serials of 1950 to 2100 in the first. */
const EPOCHS = [Date.UTC(1899, 11, 30), Date.UTC(1904, 0, 1)].map((ms) => ms / MILLIS_PER_DAY);
const [SERIAL_MIN, SERIAL_MAX] = [18_264, 73_051];
const SECONDS_PER_DAY = 86_400;

/** Fewer days are likely in both calendars on weekdays alone. */
const DAYS_MIN = 5;

/**
 * Converts Excel's serial numbers to dates, with the time of a fraction. Excel counts days from
 * 1900, or from 1904 in workbooks of old Macs: of five days or more, weekends rule one out.
 * @returns undefined if a text is no serial number, or both calendars have weekends.
 */
export function serialDates(texts: readonly string[]): ((text: string) => string) | undefined {
  if (texts.length === 0 || !texts.every(isSerial)) return undefined;
  const days = new Set(texts.map((text) => Math.floor(Number(text))));
  const possible = EPOCHS.filter((epoch) => ![...days].some((day) => isWeekend(epoch + day)));
  const epoch = days.size < DAYS_MIN ? EPOCHS[0] : possible[0];
  return epoch === undefined
    ? undefined
    : (text) => (isSerial(text) ? dateFromSerial(text, epoch) : text);
}

function isSerial(text: string): boolean {
  const isNumber = /^\d{5}(?:\.\d+)?$/.test(text);
  return isNumber && Number(text) >= SERIAL_MIN && Number(text) <= SERIAL_MAX;
}

function dateFromSerial(text: string, epoch: number): string {
  const seconds = Math.round((epoch + Number(text)) * SECONDS_PER_DAY);
  const [date, time] = new Date(seconds * 1000).toISOString().slice(0, 19).split('T');
  return text.includes('.') && time !== '00:00:00' ? `${date} ${time}` : date;
}
