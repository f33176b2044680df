/** Units of systemd in docs/operations.md. */

import { readFileSync } from 'node:fs';

const page = new URL('../../../docs/operations.md', import.meta.url);

/** Texts of the unit files. */
export const units = readFileSync(page, 'utf8')
  .split('```ini\n')
  .slice(1)
  .map((part) => part.split('\n```')[0]);

/** Returns the values of the lines of a unit with one key. */
export const linesOf = (unit: string, key: string) =>
  [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value]) => value);
