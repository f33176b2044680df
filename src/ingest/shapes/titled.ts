/** Lines above a header: a title, comments (`# source`), `sep=;`, or facts such as `Currency,USD`. */

import { BAR_NAMES } from '../../base/time/intervals.ts';
import { csvFields, delimiterOf } from '../inputs/csv-line.ts';
import { isZoneName } from '../timing/iso-stamp.ts';
import { intervalFromPeriod } from '../timing/periods.ts';
import { isDateLike, isNumberLike, type Statements, statement, type TableShape } from './shape.ts';

/** Lines above a header at most. */
const LINES_MAX = 20;
/** Fields of a header at least: a date and four prices. */
const FIELDS_MIN = 5;

export const titled: TableShape = {
  words: 'lines above its header',
  recognise(start) {
    if (!isTitle(start.header.join(start.delimiter))) return undefined;
    const lines = start.textLines();
    const at = lines.slice(0, LINES_MAX).findIndex((line) => !isTitle(line));
    if (at < 1 || at + 1 >= lines.length) return undefined;
    const delimiter = delimiterOf(lines[at]);
    const header = csvFields(lines[at], delimiter).map((text) => text.trim());
    const row = csvFields(lines[at + 1], delimiter);
    if (header.length < FIELDS_MIN || header.some(isNumberLike) || header.some(isDateLike)) {
      return undefined;
    }
    if (
      !row.some((text) => isDateLike(text) || UNIX.test(text)) ||
      row.filter(isNumberLike).length < FIELDS_MIN - 1
    )
      return undefined;
    return {
      header: header.map((text) => text.replace(/^# ?/, '')),
      headerLines: at + 1,
      delimiter,
      note: noteOf(lines.slice(0, at)),
      stated: factsOf(lines.slice(0, at)),
      rows: (line) => [line],
    };
  },
};

/** Unix time in any unit. */
const UNIX = /^\d{10}(?:\d{3}){0,3}$/;

/** True for a comment, and for a line of two fields at most that are no row. */
function isTitle(line: string): boolean {
  // InfluxDB's annotations have as many fields as its header.
  if (/^#(?:group|datatype|default),/.test(line)) return true;
  if (/^\s*(?:#|\/\/|;|sep=)/i.test(line)) return !isHeader(line);
  const fields = csvFields(line, delimiterOf(line)).filter((text) => text.trim() !== '');
  if (fields.length > 2) return false;
  // `Start Date,1/2/2024` is a fact above a table, as a Bloomberg sheet has it.
  const isFact = fields.length === 2 && /^[a-z ]+:?$/i.test(fields[0]) && isDateLike(fields[1]);
  return isFact || !fields.some(isDateLike);
}

/** True for a header that stands in a comment: `# date,open,high,low,close`. */
function isHeader(line: string): boolean {
  return (
    csvFields(line, delimiterOf(line)).filter((text) => text.trim() !== '').length >= FIELDS_MIN
  );
}

function noteOf(lines: readonly string[]): string {
  const [first] = lines;
  const shown = first.replace(/[,;\t]+$/, '').trim();
  const words =
    lines.length === 1
      ? 'a line above its header is'
      : `${lines.length} lines above its header are`;
  return `${words} not read as rows: "${shown.slice(0, 40)}"`;
}

const FACT = /^[#\s/;]*([a-z ]+?)\s*[:=,;\t]\s*"?([\w./^-]+(?: [A-Z]{2} Equity)?)"?[,;\t]*$/i;
/** A ticker of Bloomberg or Refinitiv, which no name of a company is. */
const LISTED = /^[A-Z./]{1,8}(?: [A-Z]{2} Equity|\.[A-Z]{1,2})$/;
/** A note on all prices below it. */
const ADJUSTED = /\badjusted for (?:stock )?splits\b(?! and| or|,)/i;

/** Facts of lines such as `Symbol: AAPL`. */
function factsOf(lines: readonly string[]): Statements {
  const stated: Statements = {};
  for (const line of lines) {
    if (ADJUSTED.test(line)) {
      const fact = 'a line above the header says that prices are adjusted for splits';
      stated.basis = statement('split', fact, 'split-adjusted prices');
    }
    const [, name = '', value = ''] = FACT.exec(line) ?? [];
    const fact = `a line above the header says "${name}: ${value}"`;
    const key = name.trim().toLowerCase().replace(/\s/g, '');
    if (/^(?:symbol|ticker)$/.test(key)) stated.symbol = statement(value, fact);
    else if (/^(?:security|instrument)$/.test(key) && LISTED.test(value))
      stated.symbol = statement(value, fact);
    else if (/^(?:currency|ccy)$/.test(key)) stated.currency = statement(value, fact);
    else if (/^(?:timezone|tz)$/.test(key) && isZoneName(value))
      stated.zone = statement(value, fact);
    else if (/^(?:interval|period|timeframe)$/.test(key)) {
      const interval = intervalFromPeriod(value);
      stated.interval = statement(value, fact, interval && `${BAR_NAMES[interval]} bars`);
    }
  }
  return stated;
}
