import { describe, expect, it } from 'vitest';
import { chosenFormat, FORMATS } from '../../../src/api/http/format.ts';

const ARROW = 'application/vnd.apache.arrow.stream';

describe('chosenFormat', () => {
  it.each([
    [undefined, 'json'],
    ['', 'json'],
    [' , ', 'json'],
    ['*/*', 'json'],
    ['application/json', 'json'],
    ['application/json; charset=utf-8', 'json'],
    ['application/json, text/plain, */*', 'json'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'json'],
    ['text/csv', 'csv'],
    ['TEXT/CSV', 'csv'],
    ['text/*', 'csv'],
    ['text/csv, */*', 'csv'],
    ['text/csv, application/json', 'csv'],
    ['text/csv;q=0.5, application/json', 'json'],
    ['application/json;q=0, */*', 'csv'],
    [ARROW, 'arrow'],
    [`${ARROW}, text/csv;q=0.9`, 'arrow'],
  ] as const)('reads Accept %s as %s', (accept, format) => {
    expect(chosenFormat(undefined, accept, FORMATS)).toBe(format);
  });

  it('lets the parameter win over the header', () => {
    expect(chosenFormat('csv', 'application/json', FORMATS)).toBe('csv');
    expect(chosenFormat('json', 'image/png', FORMATS)).toBe('json');
  });

  it('chooses among the formats of the path', () => {
    const formats = ['arrow', 'csv'] as const;
    expect(chosenFormat(undefined, undefined, formats)).toBe('arrow');
    expect(chosenFormat(undefined, 'application/json, text/*;q=0.1', formats)).toBe('csv');
    expect(() => chosenFormat(undefined, 'application/json', formats)).toThrow(/arrow.*text\/csv/);
  });

  it.each(['image/png', 'application/xml', 'text/csv;q=0', '*/*;q=0'])(
    'refuses Accept "%s" with 406',
    (accept) => {
      expect(() => chosenFormat(undefined, accept, FORMATS)).toThrow(
        expect.objectContaining({ status: 406 }),
      );
    },
  );
});
