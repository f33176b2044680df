/** The option `--as-of`: a version that was served before. */

import { asOfField, asOfFromText, timeOfAsOf } from '../../api/responses/as-of.ts';
import { UsageError } from '../../base/errors.ts';
import { wallMs } from '../../base/world/clock.ts';
import { pastVersions } from '../../past/past-versions.ts';
import type { BarsSnapshot, Snapshot } from '../../store/arrow/snapshot/snapshot.ts';

/**
 * Calls `use` with the version that was served then; the published one without a text.
 *
 * @param folder The serving folder.
 * @throws {UsageError} The text is no moment.
 * @throws {ParameterError} `as_of`: no version of that time is kept.
 */
export async function withVersionAsOf<T>(
  folder: string,
  published: Snapshot,
  text: string | undefined,
  use: (version: BarsSnapshot) => Promise<T>,
): Promise<T> {
  const checked = asOfField.safeParse(text);
  if (!checked.success) {
    throw new UsageError(`--as-of ${checked.error.issues[0].message}, got "${text}"`);
  }
  const asOf = asOfFromText(checked.data);
  if (!asOf) return await use(published);
  using past = pastVersions(folder);
  return await use(past.at(timeOfAsOf(asOf, wallMs()), published));
}
