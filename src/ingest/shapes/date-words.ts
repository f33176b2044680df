/** Dates that are no digits of year, month and day: words, AM and PM, zones, day numbers, guarded texts. */

import { datesInDigits } from '../timing/dates-in-digits.ts';
import { isoStamp, isoTime } from '../timing/iso-stamp.ts';
import { isDateName } from './fields.ts';
import { type FileStart, statement, type Table, type TableShape } from './shape.ts';

const DATE_NAMES = ['date', 'datetime', 'date time', 'timestamp', 'day', 'time', 'local time'];

/** A letter pair but no `Z` or `T`, a sign of East Asia, or digits of another form. */
const IS_ODD =
  /\p{L}{2}|年|^\d{4}\. |\b[ap]\.?m|^\d{5,6}(?:\.\d+)?$|^\d{4}-?\d{3}$|^\d{4}(?:19|20)\d\d$|^\d{8}-\d|^\d{8,19}\.0+$|^\d\.\d+E|^\d{4}-\d\d-\d\d\/| {2}/iu;

const DAY = /^\d{4}-\d\d-\d\d$/;
const MOMENT = /^\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)?$/;

export const dateWords: TableShape = {
  words: 'dates in words',
  recognise(start) {
    const at = dateColumn(start.header);
    const timeAt = start.header.findIndex((name) => /^<?time>?$/i.test(name));
    if (at === -1) return undefined;
    const [first, time] = [start.firstRow()[at] ?? '', start.firstRow()[timeAt] ?? ''];
    if (timeAt !== -1 && timeAt !== at && isoTime(time) !== undefined) {
      return rewritten(start, timeAt, (text) => isoTime(text) ?? text);
    }
    const ends = [first, start.last()[at] ?? ''];
    // The quote of the last day, with its time, was put to a file of days.
    if (ends.some((text) => DAY.test(text)) && ends.some((text) => MOMENT.test(text))) {
      return rewritten(start, at, (text) => (DAY.test(text) ? `${text} 00:00:00` : text));
    }
    if (!IS_ODD.test(first)) return undefined;
    const texts = start
      .lines()
      .slice(1)
      .map((line) => line[at] ?? '');
    const fromDigits = datesInDigits(texts);
    if (fromDigits) return rewritten(start, at, fromDigits);
    const stamp = isoStamp(first);
    if (stamp === undefined) return undefined;
    const { zone } = stamp;
    const table = rewritten(start, at, (text) => {
      const found = isoStamp(text);
      // A row of another zone stays as it is, to be refused.
      return found && found.zone === zone ? found.text : text;
    });
    if (zone === undefined) return table;
    return { ...table, stated: { zone: statement(zone, `its stamps name the zone "${zone}"`) } };
  },
};

function dateColumn(header: readonly string[]): number {
  const names = header.map((name) => name.toLowerCase().replace(/[<>]/g, ''));
  const known = DATE_NAMES.map((name) => names.indexOf(name)).find((at) => at !== -1);
  const other = header.findIndex(isDateName);
  return known ?? (other === -1 ? undefined : other) ?? (names[0] === '' ? 0 : -1);
}

/** The same table, with one column changed. */
function rewritten(start: FileStart, at: number, change: (text: string) => string): Table {
  return {
    header: start.header,
    headerLines: 1,
    stated: {},
    rows: (line) => [line.map((text, index) => (index === at ? change(text) : text))],
  };
}

const FORMULA = /^="(.*)"$/;
const TEXT_MARK = /^'(?=[\dA-Z])/;

/** Cells that an exporter guards against a spreadsheet's own reading: `="2024-01-02"`, `'AAPL`. */
export const guarded: TableShape = {
  words: 'cells written as texts of a spreadsheet',
  recognise({ header, firstRow }) {
    const isGuarded = firstRow().some((cell) => FORMULA.test(cell) || TEXT_MARK.test(cell));
    if (!isGuarded) return undefined;
    return {
      header: header.map(plainCell),
      headerLines: 1,
      stated: {},
      rows: (line) => [line.map(plainCell)],
    };
  },
};

function plainCell(text: string): string {
  return text.replace(FORMULA, '$1').replace(TEXT_MARK, '');
}
