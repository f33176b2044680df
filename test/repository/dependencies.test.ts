/** The lockfile: every platform, every Node that the README promises, licences and scripts. */

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import reviewed from '../../.ci/dependencies.json' with { type: 'json' };
import packageJson from '../../package.json' with { type: 'json' };

interface Locked {
  version: string;
  integrity?: string;
  resolved?: string;
  license?: string;
  os?: string | string[];
  cpu?: string | string[];
  libc?: string[];
  engines?: Record<string, string>;
  optional?: boolean;
  /** A folder of this repository. */
  link?: boolean;
  deprecated?: string;
  hasInstallScript?: boolean;
  optionalDependencies?: Record<string, string>;
}

interface Manifest {
  name: string;
  license?: string;
  scripts?: Record<string, string>;
}

const semver = createRequire(import.meta.url)('semver') as {
  satisfies(version: string, range: string): boolean;
};

const root = fileURLToPath(new URL('../..', import.meta.url));
const { packages } = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8')) as {
  packages: Record<string, Locked>;
};
const installed = Object.entries(packages).filter(
  ([path]) => path.startsWith('node_modules/') && !packages[path].link,
);

/** Platforms that an install must work on. */
const PLATFORMS = [
  ['linux', 'x64', 'glibc'],
  ['linux', 'x64', 'musl'],
  ['linux', 'arm64', 'glibc'],
  ['linux', 'arm64', 'musl'],
  ['darwin', 'x64', undefined],
  ['darwin', 'arm64', undefined],
  ['win32', 'x64', undefined],
] as const;

/** The last of each line with long support, and the runtime. */
const NODES = ['18.20.8', '20.20.2', '22.23.3', '24.21.0', '26.10.0'];

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

/** Looks the package up as Node does: beside its parent's own packages, then further out. */
function lockedFor(parent: string, name: string): Locked | undefined {
  for (let at = parent; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const found = packages[at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`];
    if (found || at === '') return found;
    if (!at.includes('/node_modules/')) at = '';
  }
}

/** Packages whose parts are chosen by the platform. */
const families = Object.entries(packages)
  .map(([path, { optionalDependencies = {} }]) => ({
    path: path || 'tapeworks',
    parts: Object.keys(optionalDependencies).map((name) => ({ name, ...lockedFor(path, name) })),
  }))
  .filter(({ parts }) => parts.filter(({ os }) => os).length > 1);

function fits(part: Partial<Locked>, os: string, cpu: string, libc: string | undefined): boolean {
  const isOneOf = (wanted: string | string[] | undefined, value: string) =>
    wanted === undefined || [wanted].flat().includes(value);
  return (
    part.os !== undefined &&
    isOneOf(part.os, os) &&
    isOneOf(part.cpu, cpu) &&
    (libc === undefined || isOneOf(part.libc, libc))
  );
}

function isReviewed({ license = '' }: Locked, name: string): boolean {
  return (
    license in reviewed.licenses ||
    Object.keys(reviewed.packages).some((pattern) =>
      pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
    )
  );
}

describe('the lockfile', () => {
  it('holds every optional part of every package, each with its integrity', () => {
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => !lockedFor(path, name)?.integrity)
        .map((name) => `${path}: ${name}`),
    );
    expect(missing).toEqual([]);
    expect(installed.filter(([, { integrity }]) => !integrity).map(([path]) => path)).toEqual([]);
  });

  it('has the families of binaries that are known', () => {
    expect(families.map(({ path }) => nameOf(`node_modules/${path}`)).sort()).toEqual([
      '@biomejs/biome',
      '@duckdb/node-bindings',
      'lightningcss',
      'msgpackr-extract',
      'rolldown',
      'tapeworks',
      'typescript',
    ]);
  });

  it.each(families.map(({ path, parts }) => [path, parts] as const))(
    'has a build of %s for every platform',
    (_, parts) => {
      // Packages that tell libraries of C apart have a build for each; others one for all.
      const missing = PLATFORMS.filter(
        ([os, cpu, libc]) => !parts.some((part) => fits(part, os, cpu, libc)),
      );
      expect(missing).toEqual([]);
    },
  );

  it('names no host', () => {
    expect(installed.filter(([, { resolved }]) => resolved).map(([path]) => path)).toEqual([]);
  });

  it('has no deprecated package', () => {
    const deprecated = installed.filter(([, entry]) => entry.deprecated);
    expect(deprecated.map(([path]) => path)).toEqual([]);
  });

  it('admits every Node from 18 up, but for packages that .ci/dependencies.json lists', () => {
    expect(packageJson.engines.node).toBe('>=18');
    const excluding = installed
      .filter(([path]) => !Object.hasOwn(reviewed.engines, nameOf(path)))
      // npm passes over optional packages that do not fit; the test runner is one.
      .filter(([, { optional }]) => !optional)
      .flatMap(([path, { engines }]) =>
        NODES.filter((node) => !semver.satisfies(node, engines?.node ?? '*')).map(
          (node) => `${path} excludes Node ${node}`,
        ),
      );
    expect(excluding).toEqual([]);
  });
});

describe('dependencies', () => {
  it('have licences that .ci/dependencies.json lists', () => {
    const unknown = installed
      .filter(([path, entry]) => !isReviewed(entry, nameOf(path)))
      .map(([path, { license }]) => `${path}: ${license ?? 'none'}`);
    expect(unknown).toEqual([]);
    const onDisk = installed
      .map(([path, { license }]) => ({ path, license, manifest: manifestOf(path) }))
      .filter(({ license, manifest }) => manifest && manifest.license !== license)
      .map(({ path, manifest }) => `${path}: ${manifest?.license}`);
    expect(onDisk).toEqual([]);
  });

  it('run no install script; those that have one are listed and denied', () => {
    const listed = Object.keys(reviewed.installScripts);
    const withScript = installed
      .filter(([path, { hasInstallScript }]) => hasInstallScript || runsAtInstall(path))
      .map(([path]) => nameOf(path));
    expect(withScript.filter((name) => !listed.includes(name))).toEqual([]);
    expect(packageJson.allowScripts).toEqual(
      Object.fromEntries(listed.map((name) => [name, false])),
    );
  });
});

/** Absent where the package is not for this platform. */
function manifestOf(path: string): Manifest | undefined {
  const file = `${root}${path}/package.json`;
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest) : undefined;
}

/** npm compiles a package with a `binding.gyp` even where it names no script. */
function runsAtInstall(path: string): boolean {
  const scripts = manifestOf(path)?.scripts ?? {};
  const names = ['preinstall', 'install', 'postinstall'];
  return names.some((name) => name in scripts) || existsSync(`${root}${path}/binding.gyp`);
}
