/** Checks of a release before it builds; `npm run release -- --check` runs all of it. */

import { expect, it } from 'vitest';
import { changelogPart, versionsIn } from '../../.ci/versions.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { read, root } from './files.ts';

it('every place names the version of package.json', () => {
  const named = versionsIn(root);
  expect(named.filter(({ version }) => version !== packageJson.version)).toEqual([]);
  expect(new Set(named.map(({ path }) => path)).size).toBe(6);
});

it('every part of the changelog has a date, but for one that is not released', () => {
  const titles = read('CHANGELOG.md').match(/^## .*$/gm) ?? [];
  const dated = titles.filter((title) => /^## \[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d$/.test(title));
  expect(titles).toEqual([...(titles[0] === '## [Unreleased]' ? [titles[0]] : []), ...dated]);
  expect(titles.length).toBeGreaterThan(0);
});

it('a part ends where the next one begins', () => {
  const changelog =
    '# Changelog\n\n## [Unreleased]\n\n## [1.1.0] - 2026-11-23\n\n### Added\n\n- a\n\n## [1.0.0] - 2026-01-02\n\n- b\n';
  expect(changelogPart(changelog, '1.1.0')).toEqual({
    date: '2026-11-23',
    text: '### Added\n\n- a',
  });
  expect(changelogPart(changelog, 'Unreleased')).toEqual({ date: '', text: '' });
  expect(changelogPart(changelog, '1.2.0')).toBeUndefined();
});
