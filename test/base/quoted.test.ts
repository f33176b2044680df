/** A company name could clear the operator's screen, or turn the rest of a line round. */

import { expect, it } from 'vitest';
import { visible, visibleCell } from '../../src/base/quoted.ts';

it.each([
  ['\u001b[2J\u001b[31mred', '\\u001b[2J\\u001b[31mred'],
  ['a\u009b31mb', 'a\\u009b31mb'],
  ['\u001b]0;title\u0007', '\\u001b]0;title\\u0007'],
  ['back\u0008\u0008space', 'back\\u0008\\u0008space'],
  ['over\rwritten', 'over\\u000dwritten'],
  ['\u202etxet\u202c', '\\u202etxet\\u202c'],
  ['a\u2066b\u2069\u200e\u200f\u061c', 'a\\u2066b\\u2069\\u200e\\u200f\\u061c'],
  ['nul\u0000 del\u007f', 'nul\\u0000 del\\u007f'],
  ['line\u2028end\u2029', 'line\\u2028end\\u2029'],
])('%j is shown, not obeyed', (text, shown) => {
  expect(visible(text)).toBe(shown);
  expect(visibleCell(text)).toBe(shown);
});

it.each(['Électricité', 'עברית', '日本', 'A\u200dB', 'plain — text …', '😀'])(
  '%s stays',
  (text) => {
    expect(visible(text)).toBe(text);
  },
);

it('keeps lines and tabs of a text, and escapes those of a cell', () => {
  expect(visible('a\tb\nc')).toBe('a\tb\nc');
  expect(visibleCell('a\tb\nc')).toBe('a\\tb\\nc');
});

it('keeps the meaning of JSON', () => {
  const document = { name: 'a\u001b[2J\u009b\u202e\u2028\n"' };
  const text = visible(JSON.stringify(document, null, 2));
  expect(text).not.toMatch(/[\u009b\u202e\u2028]/);
  expect(JSON.parse(text)).toEqual(document);
});
