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

it('the changelog has a part for the version and one for what follows', () => {
  const changelog = read('CHANGELOG.md');
  expect(changelogPart(changelog, packageJson.version)?.text).toContain('### Added');
  expect(changelogPart(changelog, 'Unreleased')).toBeDefined();
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
