/** What people call a key or an account. */

import { ParameterError } from '../../errors.ts';
import { limits } from '../../limits.ts';

/** Control characters would break lines of lists; a lone half of a pair can't be stored. */
const CONTROL = /\p{Cc}/u;

/** A label is shown to everyone who sees the list, so no key may be pasted into it. */
const RAW_KEY = /svc_(live|test)_[0-9A-Za-z]{20}/;

/** @throws {ParameterError} `label`: too short, too long, or of characters that can't be shown. */
export function checkedLabel(label: string): string {
  const max = limits.key.labelCharsMax;
  const rule = `label must have 1 to ${max} characters`;
  const length = [...label].length;
  if (length === 0 || length > max) throw new ParameterError('label', `${rule}, got "${label}"`);
  if (CONTROL.test(label) || !label.isWellFormed()) {
    throw new ParameterError('label', `${rule}, none of them a control character`);
  }
  if (RAW_KEY.test(label)) throw new ParameterError('label', 'label must not hold an API key');
  return label;
}
