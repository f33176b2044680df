/** What people call a key or an account. */

import { ParameterError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits/limits.ts';
import { quoted } from '../../../base/quoted.ts';

/**
 * Control characters and separators of lines would break lines of lists, and overrides of the
 * direction make them read as something else.
 */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

/** Blanks, joiners, marks and fillers show nothing alone; nor does the empty braille pattern. */
const VISIBLE = /[^\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** A label is shown to everyone who sees the list, so no key may be pasted into it. */
const RAW_KEY = /svc_(live|test)_[0-9A-Za-z]{20}/;

/** @throws {ParameterError} `label`: too short, too long, or of characters that can't be shown. */
export function checkedLabel(label: string): string {
  const max = limits.key.labelCharsMax;
  const rule = `label must have 1 to ${max} characters`;
  const length = [...label].length;
  if (length === 0 || length > max)
    throw new ParameterError('label', `${rule}, got ${quoted(label)}`);
  // A lone half of a pair can't be stored.
  if (CONTROL.test(label) || !label.isWellFormed()) {
    throw new ParameterError('label', `${rule}, none of them a control character`);
  }
  if (!VISIBLE.test(label)) {
    throw new ParameterError('label', `${rule}, and one of them must be visible`);
  }
  if (RAW_KEY.test(label)) throw new ParameterError('label', 'label must not hold an API key');
  return label;
}
