import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkedQuery, parametersFromQuery } from '../../../src/api/http/query.ts';
import {
  choiceField,
  integerField,
  integerOrAllField,
  momentField,
  numberField,
  textField,
  windowFromTexts,
} from '../../../src/api/http/query-fields.ts';
import { ParameterError } from '../../../src/base/errors.ts';

describe('parametersFromQuery', () => {
  it('decodes as HTML forms do', () => {
    expect({ ...parametersFromQuery('a=1&b=x%2Cy+z&c=&d') }).toEqual({
      a: '1',
      b: 'x,y z',
      c: '',
      d: '',
    });
  });

  it('has nothing of Object.prototype', () => {
    expect('toString' in parametersFromQuery('')).toBe(false);
    expect(Object.entries(parametersFromQuery('__proto__=1'))).toEqual([['__proto__', '1']]);
  });

  it.each(['a=1&a=1', 'a=1&%61=2'])('refuses repeated parameters in "%s"', (query) => {
    expect(() => parametersFromQuery(query)).toThrow('a must be given once');
  });

  it.each(['a=%', 'a=%zz', '%ff=1'])('refuses "%s", which is not percent-encoded', (query) => {
    expect(() => parametersFromQuery(query)).toThrow(ParameterError);
  });
});

const schema = z.strictObject({
  period: integerField(1, 1000).default(14),
  limit: integerOrAllField(1, 50).optional(),
  order: choiceField(['asc', 'desc']).optional(),
  from: momentField.optional(),
  name: textField('must be a name').optional(),
});

describe('checkedQuery', () => {
  it('gives typed values and defaults', () => {
    expect(checkedQuery(schema, 'limit=7&order=desc')).toEqual({
      period: 14,
      limit: 7,
      order: 'desc',
    });
    expect(checkedQuery(schema, 'limit=all').limit).toBe('all');
  });

  it.each([
    ['1e9', 1e9],
    // As JavaScript writes large numbers.
    ['1e%2B21', 1e21],
    ['-.5', -0.5],
  ])('reads %s as a number', (text, value) => {
    const price = z.strictObject({ price: numberField });
    expect(checkedQuery(price, `price=${text}`)).toEqual({ price: value });
  });

  it('names a parameter that does not exist', () => {
    expect(() => checkedQuery(schema, 'perid=5')).toThrow('"perid" is not a parameter');
  });

  it.each(['0', '1001', '-1', '1.0', '1e2', '0x10', ' 7', '', '٧', '99999999999999999999'])(
    'refuses the integer "%s" and says what it must be',
    (text) => {
      const query = `period=${encodeURIComponent(text)}`;
      expect(() => checkedQuery(schema, query)).toThrow(
        `period must be an integer from 1 to 1000, got "${text}"`,
      );
    },
  );

  it('carries the name of the parameter as a field', () => {
    expect(() => checkedQuery(schema, 'order=up')).toThrow(
      expect.objectContaining({
        field: 'order',
        message: 'order must be one of asc, desc, got "up"',
      }),
    );
  });

  it.each(['limit=0', 'limit=51', 'limit=ALL', 'name=', 'from=2026-02-30', 'from=yesterday'])(
    'refuses %s',
    (query) => {
      expect(() => checkedQuery(schema, query)).toThrow(ParameterError);
    },
  );

  it.each([
    '2026-01-31',
    '2026-01-31T14:30:00Z',
    '2026-01-31T14:30:00.123Z',
    '2026-01-31T09:30:00-05:00',
    '2026-01-31T15:30:00%2B01:00',
  ])('takes the moment %s', (text) => {
    expect(checkedQuery(schema, `from=${text}`).from).toBe(decodeURIComponent(text));
  });

  it('takes an offset whose plus sign was not encoded', () => {
    const { from } = checkedQuery(schema, 'from=2026-01-31T15:30:00+01:00');
    expect(from).toBe('2026-01-31T15:30:00+01:00');
  });

  it('refuses a date-time without an offset, which would be a guess', () => {
    expect(() => checkedQuery(schema, 'from=2026-01-31T14:30:00')).toThrow(ParameterError);
  });
});

describe('windowFromTexts', () => {
  it('starts a date at its first microsecond and ends it at its last', () => {
    expect(windowFromTexts('1970-01-02', '1970-01-02')).toEqual({
      fromUs: 86_400_000_000n,
      toUs: 172_799_999_999n,
    });
  });

  it('takes a date-time as it is', () => {
    expect(windowFromTexts('1970-01-01T01:00:00+01:00', '1970-01-01T00:00:00.001Z')).toEqual({
      fromUs: 0n,
      toUs: 1000n,
    });
  });

  it('is open where a moment is not given', () => {
    expect(windowFromTexts(undefined, undefined)).toEqual({ fromUs: undefined, toUs: undefined });
  });

  it('refuses a start after the end', () => {
    expect(() => windowFromTexts('1970-01-02', '1970-01-01')).toThrow(
      'from must not be after to "1970-01-01", got "1970-01-02"',
    );
  });
});
