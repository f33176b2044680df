/** Real vendor files that lie beside the project; tests that need them skip where they are absent. */

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../shared/realdata/', import.meta.url));

export const hasRealdata = existsSync(root);

if (!hasRealdata) console.warn('skipped: tests on real vendor files (no ../shared/realdata)');

/** Absolute path of a real vendor file, by its path below `realdata/`. */
export function realdata(path: string): string {
  return root + path;
}
