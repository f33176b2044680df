/** Schemas of fields of bodies. Each one's message continues "<name> …, got …". */

import { z } from 'zod';
import { limits } from '../../base/limits/limits.ts';
import { SCOPE_NAMES, type Scope } from '../../store/sqlite/keys/scopes.ts';

const { labelCharsMax } = limits.key;

/** Characters are counted as people count them; what they may be `checkedLabel` says. */
export const labelField = z
  .string({ error: `must be a text of 1 to ${labelCharsMax} characters` })
  .refine((text) => text.length > 0 && [...text].length <= labelCharsMax, {
    error: `must have 1 to ${labelCharsMax} characters`,
  })
  .meta({ minLength: 1, maxLength: labelCharsMax })
  .describe('A name for people to read.');

/** `all` stands for every scope except `accounts:write`. */
const SCOPE_CHOICES = ['all', ...SCOPE_NAMES] as const satisfies readonly ('all' | Scope)[];

export const scopesField = z
  .array(z.enum(SCOPE_CHOICES, { error: `must be one of ${SCOPE_CHOICES.join(', ')}` }), {
    error: 'must be a list of scopes',
  })
  .min(1, { error: 'must name at least one scope' })
  .max(SCOPE_CHOICES.length, { error: 'must name each scope once' })
  .describe('`all` stands for every scope except `accounts:write`.');

/** A whole number of a body. */
export function countField(min: number, max: number) {
  const error = `must be an integer from ${min} to ${max}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
}
