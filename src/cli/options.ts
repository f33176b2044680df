/** The `--mode` option that most verbs share. */

import { MODES, type Mode } from '../base/config/data-dir.ts';
import { UsageError } from '../base/errors.ts';

/** Reads a mode. @throws {UsageError} `text` is neither live nor sandbox. */
export function modeFromOption(text: string): Mode {
  if ((MODES as readonly string[]).includes(text)) return text as Mode;
  throw new UsageError(`--mode must be live or sandbox, got "${text}"`);
}
