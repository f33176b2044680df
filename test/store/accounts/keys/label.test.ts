import { expect, it } from 'vitest';
import { checkedLabel } from '../../../../src/store/accounts/keys/label.ts';

it.each([
  ['nothing', ''],
  ['101 characters', '𝒳'.repeat(101)],
  ['a line break', 'a\nb'],
  ['half a character', '\ud800'],
  ['blanks alone', ' \u00a0\u3000'],
  ['characters without width', '\u200b\u200d\ufeff\u2060'],
  ['fillers', '\u3164\u115f\u2800'],
  ['a mark without a letter', '\u0301'],
  ['an override of the direction', 'abc\u202egnp.exe'],
  ['an isolate', '\u2066abc\u2069'],
  ['a mark of direction', 'a\u200f'],
  ['an Arabic mark of direction', 'a\u061cb'],
  ['a separator of lines', 'a\u2028b'],
  ['a control of the second block', 'a\u0085b'],
  ['an API key', `my svc_live_${'x'.repeat(33)}`],
])('refuses %s', (_what, label) => {
  expect(() => checkedLabel(label)).toThrow(/^label must/);
});
