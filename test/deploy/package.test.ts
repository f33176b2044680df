/** The package as npm packs it: what its pages link to comes along. */

import { execFileSync } from 'node:child_process';
import { dirname, join, normalize } from 'node:path';
import { expect, it } from 'vitest';
import { npm } from '../support/tools.ts';
import { read, root } from './files.ts';

/** Returns the paths of the package, without what a build adds. */
function packedPaths(): string[] {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const text = execFileSync(String(npm), args, { cwd: root, encoding: 'utf8' });
  const [{ files }] = JSON.parse(text) as { files: { path: string }[] }[];
  return files.map(({ path }) => path);
}

/** Matches links of Markdown and of HTML. */
const LINK = /\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"/g;

/** Returns the paths that a page links to, without those of other sites. */
function linksOf(page: string): string[] {
  const text = read(page).replace(/^```[\s\S]*?^```/gm, '');
  return [...text.matchAll(LINK)]
    .map(([, markdown, html]) => (markdown ?? html).split('#')[0])
    .filter((to) => to !== '' && !/^[a-z]+:/.test(to))
    .map((to) => normalize(join(dirname(page), to)).replace(/\/$/, ''));
}

it.skipIf(!npm)('holds all files that its pages link to, and the units of systemd', () => {
  const paths = packedPaths();
  const folders = paths.flatMap((path) =>
    path.split('/').map((_part, i, parts) => parts.slice(0, i).join('/')),
  );
  const known = new Set([...paths, ...folders]);
  const pages = paths.filter((path) => path.endsWith('.md'));
  const links = pages.flatMap((page) => linksOf(page).map((to) => ({ page, to })));
  expect(links.length).toBeGreaterThan(500);
  expect(links.filter(({ to }) => !known.has(to))).toEqual([]);
  expect(paths).toEqual(
    expect.arrayContaining([
      'deploy/systemd/tapeworks.service',
      'deploy/systemd/tapeworks@.service',
      'deploy/prometheus/alerts.yml',
    ]),
  );
  // The program runs its sources where they are.
  expect(paths.filter((path) => /^(src|jobs|test)\/.*\.ts$/.test(path))).toEqual([]);
});
