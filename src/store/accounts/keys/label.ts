import { ParameterError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { isVisible, quoted } from '../../../base/quoted.ts';

/** A character that shows something: no blank, joiner, mark, filler or empty braille pattern. */
const VISIBLE = /[^\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** A raw key pasted into a label, which lists would show. */
const RAW_KEY = /svc_(live|test)_[0-9A-Za-z]{20}/;

/**
 * Checks a name for people to read.
 *
 * @throws {ParameterError} `field`: too short, too long, or of characters that can't be shown.
 */
export function checkedLabel(label: string, field = 'label'): string {
  const max = limits.key.labelCharsMax;
  const rule = `${field} must have 1 to ${max} characters`;
  const length = [...label].length;
  if (length === 0 || length > max)
    throw new ParameterError(field, `${rule}, got ${quoted(label)}`);
  // SQLite can't store half of a surrogate pair.
  if (!isVisible(label) || !label.isWellFormed()) {
    throw new ParameterError(field, `${rule}, none of them a control character`);
  }
  if (!VISIBLE.test(label)) {
    throw new ParameterError(field, `${rule}, and one of them must be visible`);
  }
  if (RAW_KEY.test(label)) throw new ParameterError(field, `${field} must not hold an API key`);
  return label;
}
