/** An expression breaks a rule of the language: at which character, and what is expected there. */

import { ParameterError } from '../../base/errors.ts';
import { quoted } from '../../base/quoted.ts';

/** Texts of a screen, as asked. */
export interface ScreenTexts {
  where?: string | undefined;
  columns?: string | undefined;
  sort?: string | undefined;
}

/** Parameter that has the text. */
export type TextName = keyof ScreenTexts | 'indicators';

/** Parts of a message: `rule at position N, got "found": hint`. */
export interface Complaint {
  rule: string;
  found?: string | undefined;
  hint?: string | undefined;
  expected?: string | undefined;
  nearest?: string | undefined;
}

export class ExpressionError extends ParameterError {
  /** Character of the text, from 1 on. */
  readonly position: number;
  /** Names of the parts that may stand there, where there are few. */
  readonly expected: string | undefined;
  /** The known word that is nearest to the one found. */
  readonly nearest: string | undefined;

  /** @param offset Place in the text, in units of UTF-16. */
  constructor(field: TextName, text: string, offset: number, complaint: Complaint) {
    const { rule, found, hint, expected, nearest } = complaint;
    const position = [...text.slice(0, offset)].length + 1;
    const got =
      found === undefined ? '' : `, got ${found === '' ? 'the end of the text' : quoted(found)}`;
    const advice = nearest === undefined ? hint : `did you mean "${nearest}"?`;
    super(field, `${field}: ${rule} at position ${position}${got}${advice ? `: ${advice}` : ''}`);
    this.position = position;
    this.expected = expected;
    this.nearest = nearest;
  }
}
