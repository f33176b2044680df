/** Schemas of query and path parameters. The message of each continues "<name> …, got …". */

import { z } from 'zod';
import { MICROS_PER_MILLI, MILLIS_PER_DAY } from '../../base/bars.ts';
import { ParameterError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { dateFromDay, dayFromMillis } from '../../base/time/dates.ts';
import { FORMATS, type Format } from './format.ts';

const DIGITS = /^\d{1,15}$/;

function numberFromDigits(text: unknown): unknown {
  return typeof text === 'string' && DIGITS.test(text) ? Number(text) : text;
}

/** Returns the schema of a whole number in plain digits. */
export function integerField(min: number, max: number) {
  const error = `must be an integer from ${min} to ${max}`;
  return z.preprocess(numberFromDigits, z.int({ error }).min(min, { error }).max(max, { error }));
}

/** Returns the schema of a whole number or the word `all`. */
export function integerOrAllField(min: number, max: number) {
  const error = `must be an integer from ${min} to ${max}, or all`;
  const integer = z.int({ error }).min(min, { error }).max(max, { error });
  return z.preprocess(numberFromDigits, z.union([z.literal('all'), integer], { error }));
}

/** Schema of the significant digits of computed values. */
export const digitsField = integerField(limits.digits.min, limits.digits.max);

/** @throws {ParameterError} `digits` with a format in which they change nothing but the values. */
export function requireText(digits: number | undefined, format: Format): void {
  if (digits === undefined || format === 'json' || format === 'csv') return;
  throw new ParameterError(
    'digits',
    `digits is for the formats json and csv, got the format "${format}", which has all digits`,
  );
}

export function choiceField<const T extends readonly string[]>(choices: T) {
  return z.enum(choices, { error: `must be one of ${choices.join(', ')}` });
}

const DECIMAL = /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i;

/** Schema of a finite decimal number, also as 1e9. */
export const numberField = z.preprocess(
  (text) => (typeof text === 'string' && DECIMAL.test(text) ? Number(text) : text),
  z.number({ error: 'must be a number like 2500 or -0.5' }),
);

/**
 * Describes a comma list in the API description as an array, which is what a client has.
 *
 * @param items JSON Schema of an item.
 */
export function listMeta(items: Record<string, unknown>, maxItems?: number) {
  return { type: 'array', items, minItems: 1, maxItems, minLength: undefined };
}

/**
 * Returns the schema of a comma list of texts whose case does not matter. Its value: the distinct
 * texts in lower case, ascending.
 *
 * @param what The rule, for the message.
 * @param item Pattern of a text in lower case.
 * @param items The same as JSON Schema.
 */
export function listField(
  what: string,
  item = /\S/,
  items: Record<string, unknown> = { type: 'string', minLength: 1 },
) {
  return textField(what)
    .meta(listMeta(items))
    .transform((text) => [
      ...new Set(
        text
          .toLowerCase()
          .split(',')
          .map((part) => part.trim()),
      ),
    ])
    .refine((parts) => parts.every((part) => item.test(part)), { error: what })
    .transform((parts) => parts.sort());
}

/** Returns the schema of a comma list out of `choices`, with a value as of `listField`. */
export function choicesField(choices: readonly string[]) {
  const item = new RegExp(`^(${choices.join('|').toLowerCase()})$`);
  const what = `must be a comma-separated list out of ${choices.join(', ')}`;
  return listField(what, item, { type: 'string', enum: choices });
}

export function textField(what: string) {
  return z.string({ error: what }).min(1, { error: what });
}

/** Matches a symbol in any vendor's spelling; `canonicalSymbol` knows which ones exist. */
export const SYMBOL_TEXT = /^[A-Za-z0-9](?:[A-Za-z0-9._$+=#*^:/ -]{0,22}[A-Za-z0-9._$+=#*^-])?$/;

/**
 * Returns the schema of a comma list of symbols; `symbolsFromList` parses it and checks the count.
 * The description states the maximum: only distinct symbols count, which JSON Schema can't express.
 *
 * @param item Pattern of a symbol.
 */
export function symbolsField(
  what = 'must be a comma-separated list of symbols',
  item = SYMBOL_TEXT,
) {
  return textField(what).meta(listMeta({ type: 'string', pattern: item.source }));
}

/** Matches the space of an unencoded `+` in an offset: in a query `+` means a space. */
const UNENCODED_OFFSET = / (?=\d{2}:\d{2}$)/;

/** Schema of a date, or a date-time with its offset; `windowFromTexts` defines a date's meaning. */
export const momentField = z.preprocess(
  (text) => (typeof text === 'string' ? text.replace(UNENCODED_OFFSET, '+') : text),
  z.union([z.iso.date(), z.iso.datetime({ offset: true })], {
    error: 'must be a date like 2026-01-31 or a date-time like 2026-01-31T14:30:00Z',
  }),
);

const DATE_CHARS = 'YYYY-MM-DD'.length;
const LAST_OF_DAY_US = BigInt(MILLIS_PER_DAY * MICROS_PER_MILLI) - 1n;

function microsFromMoment(text: string): bigint {
  return BigInt(Date.parse(text)) * BigInt(MICROS_PER_MILLI);
}

/** Bounds of timestamps in microseconds, both inclusive; undefined: none. */
export interface TimeWindow {
  fromUs: bigint | undefined;
  toUs: bigint | undefined;
}

/**
 * Converts two moments. A date as `from` is its first microsecond in UTC, as `to` its last.
 *
 * @throws {ParameterError} `from` lies after `to`.
 */
export function windowFromTexts(from: string | undefined, to: string | undefined): TimeWindow {
  const fromUs = from === undefined ? undefined : microsFromMoment(from);
  let toUs = to === undefined ? undefined : microsFromMoment(to);
  if (toUs !== undefined && to?.length === DATE_CHARS) toUs += LAST_OF_DAY_US;
  if (fromUs !== undefined && toUs !== undefined && fromUs > toUs) {
    throw new ParameterError('from', `from must not be after to "${to}", got "${from}"`);
  }
  return { fromUs, toUs };
}

/** Converts two moments as `windowFromTexts` does, to milliseconds. */
export function millisWindow(
  from: string | undefined,
  to: string | undefined,
): { fromMs: number | undefined; toMs: number | undefined } {
  const { fromUs, toUs } = windowFromTexts(from, to);
  const millis = (us: bigint | undefined) =>
    us === undefined ? undefined : Number(us / BigInt(MICROS_PER_MILLI));
  return { fromMs: millis(fromUs), toMs: millis(toUs) };
}

export const dateField = z.iso.date({ error: 'must be a date like 2026-01-31' });

/** @throws {ParameterError} `as_of` lies in the future: its rows would change until then. */
export function requireNoFuture(asOfDay: number | undefined, nowMs: number): void {
  if (asOfDay === undefined || asOfDay <= dayFromMillis(nowMs)) return;
  const date = dateFromDay(asOfDay);
  throw new ParameterError('as_of', `as_of must not lie in the future, got "${date}"`);
}

export const formatField = choiceField(FORMATS).describe(
  'Overrides the header `Accept`; default: JSON.',
);

/** Schema of exchanges. Arca counts as AMEX, which it took over; others have no name here. */
export const exchangeField = choicesField(['NYSE', 'NASDAQ', 'AMEX']).describe(
  'One or more; case does not matter. Arca counts as AMEX.',
);

export const cursorField = textField('must come from a response of this path').describe(
  'The `cursor` of the previous page. Valid for 24 hours and with the same parameters; only ' +
    '`limit` and `format` may change.',
);

/** Schema of the number of rows on a page. */
export const pageLimitField = integerField(1, limits.page.sizeMax)
  .default(limits.page.sizeDefault)
  .describe('Rows per page.');

/** Parameters of pages that come in all formats. */
export const pageFields = {
  limit: pageLimitField,
  cursor: cursorField.optional(),
  format: formatField.optional(),
};

/** Path parameter `symbol`. */
export const symbolPath = z.strictObject({
  symbol: z
    .string()
    .regex(SYMBOL_TEXT)
    .describe(
      "A ticker in any vendor's spelling (`BRK.B`, `brk-b`); the response has the canonical one. " +
        'A former ticker stands for the security that had it last.',
    ),
});
