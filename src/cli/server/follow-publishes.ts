import type { Settings } from '../../base/config/config.ts';
import { keepUploads } from '../uploads.ts';
import { keepFiles } from './keep-files.ts';

/**
 * Runs all work that follows publishes, in the processes that publish, until the signal aborts. A
 * new kind of work is a function like `keepFiles`, and a call here.
 */
export async function followPublishes(
  settings: Settings,
  note: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  await Promise.all([keepFiles(settings, note, signal), keepUploads(settings, note, signal)]);
}
