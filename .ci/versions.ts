/** Every place that names the version of the program, and the changelog's part of a version. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A pattern whose first group is the version; all its matches in a file must agree. */
const PLACES: readonly (readonly [path: string, pattern: RegExp])[] = [
  ['package.json', /^ {2}"version": "([^"]+)"/gm],
  ['package-lock.json', /^ {2}"version": "([^"]+)"/gm],
  ['clients/python/tapeworks/__init__.py', /^__version__ = "([^"]+)"/gm],
  ['compose.yaml', /image: tapeworks:(\S+)/g],
  ['deploy/compose.fleet.yaml', /image: tapeworks:(\S+)/g],
  ['docs/deploy.md', /--tag tapeworks:([\d.]+[\d])/g],
];

/** Returns what each place says. @throws {Error} a place names no version. */
export function versionsIn(root: string): { path: string; version: string }[] {
  return PLACES.flatMap(([path, pattern]) => {
    const found = [...readFileSync(join(root, path), 'utf8').matchAll(pattern)];
    if (found.length === 0) throw new Error(`${path} names no version`);
    return found.map(([, version]) => ({ path, version }));
  });
}

export interface ChangelogPart {
  /** Text after the title: a date, or what stands in its place. */
  date: string;
  text: string;
}

/** Returns the changelog's part of a version, or undefined. `Unreleased` is one, too. */
export function changelogPart(changelog: string, version: string): ChangelogPart | undefined {
  const parts = changelog.split(/^## /m).slice(1);
  const part = parts.find((one) => one.startsWith(`[${version}]`));
  if (part === undefined) return undefined;
  const [title, ...lines] = part.split('\n');
  return { date: title.replace(/^\[.*?\][ -]*/, ''), text: lines.join('\n').trim() };
}
