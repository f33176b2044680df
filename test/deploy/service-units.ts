/** Units of systemd in `deploy/systemd`. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = new URL('../../deploy/systemd/', import.meta.url);

/** Paths of the unit files: one machine, then one role of many. */
export const unitPaths = ['tapeworks.service', 'tapeworks@.service'].map((name) =>
  fileURLToPath(new URL(name, folder)),
);

/** Texts of the unit files. */
export const units = unitPaths.map((path) => readFileSync(path, 'utf8'));

/** Returns the values of the lines of a unit with one key. */
export const linesOf = (unit: string, key: string) =>
  [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value]) => value);
