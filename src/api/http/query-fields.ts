/** Schemas of query parameters. Each one's message continues "<name> …, got …". */

import { z } from 'zod';
import { MICROS_PER_MILLI, MILLIS_PER_DAY } from '../../base/bars.ts';
import { ParameterError } from '../../base/errors.ts';
import { limits } from '../../base/limits/limits.ts';
import { FORMATS } from './format.ts';

const DIGITS = /^\d{1,15}$/;

function numberFromDigits(text: unknown): unknown {
  return typeof text === 'string' && DIGITS.test(text) ? Number(text) : text;
}

/** A whole number in plain digits. */
export function integerField(min: number, max: number) {
  const error = `must be an integer from ${min} to ${max}`;
  return z.preprocess(numberFromDigits, z.int({ error }).min(min, { error }).max(max, { error }));
}

/** A whole number, or the word `all`. */
export function integerOrAllField(min: number, max: number) {
  const error = `must be an integer from ${min} to ${max}, or all`;
  const integer = z.int({ error }).min(min, { error }).max(max, { error });
  return z.preprocess(numberFromDigits, z.union([z.literal('all'), integer], { error }));
}

export function choiceField<const T extends readonly string[]>(choices: T) {
  return z.enum(choices, { error: `must be one of ${choices.join(', ')}` });
}

const DECIMAL = /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i;

/** A finite decimal number, also as 1e9. */
export const numberField = z.preprocess(
  (text) => (typeof text === 'string' && DECIMAL.test(text) ? Number(text) : text),
  z.number({ error: 'must be a number like 2500 or -0.5' }),
);

/**
 * What the API description says of a comma list: an array, which is what its client has.
 *
 * @param items JSON Schema of each.
 */
export function listMeta(items: Record<string, unknown>, maxItems?: number) {
  return { type: 'array', items, minItems: 1, maxItems, minLength: undefined };
}

/**
 * A comma list of texts whose case does not matter.
 *
 * @param what The rule, for the message.
 * @param item What each text, in lower case, must look like.
 * @param items The same as JSON Schema.
 * @returns its distinct texts in lower case, ascending.
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

/** A comma list out of `choices`, whose case does not matter; in lower case, ascending. */
export function choicesField(choices: readonly string[]) {
  const item = new RegExp(`^(${choices.join('|').toLowerCase()})$`);
  const what = `must be a comma-separated list out of ${choices.join(', ')}`;
  return listField(what, item, { type: 'string', enum: choices });
}

export function textField(what: string) {
  return z.string({ error: what }).min(1, { error: what });
}

/** What a symbol may look like in any vendor's spelling; `canonicalSymbol` knows which ones are. */
export const SYMBOL_TEXT = /^[A-Za-z0-9][A-Za-z0-9._$+=#*^-]{0,23}$/;

/**
 * A comma list of symbols; `symbolsFromList` reads it and checks how many there are. Only different
 * ones count, which JSON Schema has no words for: descriptions say it.
 *
 * @param item What each looks like.
 */
export function symbolsField(
  what = 'must be a comma-separated list of symbols',
  item = SYMBOL_TEXT,
) {
  return textField(what).meta(listMeta({ type: 'string', pattern: item.source }));
}

/** In a query `+` stands for a space, so an offset that was not encoded arrives with one. */
const UNENCODED_OFFSET = / (?=\d{2}:\d{2}$)/;

/** A date, or a date-time with its offset; see `windowFromTexts` for what a date means. */
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
 * The window of two moments. A date as `from` is its first microsecond in UTC, as `to` its last.
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

/** The same in milliseconds. */
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

export const formatField = choiceField(FORMATS).describe(
  'Overrides the header `Accept`; default: JSON.',
);

/** Arca counts as AMEX, which it took over; other markets have no name here. */
export const exchangeField = choicesField(['NYSE', 'NASDAQ', 'AMEX']).describe(
  'One or more; case does not matter. Arca counts as AMEX.',
);

export const cursorField = textField('must be one that an answer of this path gave').describe(
  'The `cursor` of the previous page. Valid for 24 hours and with the same parameters; only ' +
    '`limit` and `format` may change.',
);

/** Rows of a page. */
export const pageLimitField = integerField(1, limits.page.sizeMax)
  .default(limits.page.sizeDefault)
  .describe('Rows per page.');
