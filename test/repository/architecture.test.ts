/** Import directions, circles and room sizes: the folder tree is the pipeline, and data flows one way. */

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { limits } from '../../src/base/limits.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Parts that each part may import besides itself and `base`. */
const ALLOWED: Record<string, { code: string[]; typesOnly: string[] }> = {
  base: { code: [], typesOnly: [] },
  compute: { code: [], typesOnly: [] },
  store: { code: [], typesOnly: ['compute'] },
  fleet: { code: ['store'], typesOnly: [] },
  screens: { code: ['store', 'compute'], typesOnly: [] },
  past: { code: ['store', 'compute'], typesOnly: [] },
  ingest: { code: ['store'], typesOnly: [] },
  sandbox: { code: ['ingest'], typesOnly: [] },
  api: { code: ['store', 'screens', 'past', 'compute'], typesOnly: [] },
  jobs: { code: ['ingest', 'store', 'screens', 'past', 'compute', 'sandbox'], typesOnly: [] },
  bench: { code: ['api', 'store', 'screens', 'compute'], typesOnly: [] },
  cli: {
    code: ['api', 'jobs', 'ingest', 'store', 'screens', 'past', 'compute', 'bench'],
    typesOnly: [],
  },
  // Browsers load it: it has the server's types by the published client alone.
  page: { code: [], typesOnly: ['clients'] },
};

/**
 * Files outside the fleet that may name it: accounts behind `Sql`, storage behind `ObjectStore`,
 * the events of a publish, which wait for its upload, and the commands.
 */
const FLEET_DOORS = [
  'jobs/publish/publish.ts',
  'src/cli/fleet.ts',
  'src/store/accounts/open.ts',
  'src/store/shared/open-objects.ts',
];

/** Libraries of the fleet that no other room may import. */
const FLEET_LIBRARIES = /from '(pg|aws4fetch)'|import\('(pg|aws4fetch)'\)/;

/** Files that a folder may hold, so that it can be read like a page. */
const ROOM_SIZE = 26;

const IMPORT =
  /(import|export)\s+(type\s+)?[^;'"]*?from\s+'(\.[^']+\.ts)'|import\(\s*'(\.[^']+\.ts)'\s*\)/g;

function filesIn(...folders: string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name)),
  );
}

function partOf(path: string): string {
  const [top, second] = path.split('/');
  if (top === 'jobs' || top === 'clients' || top === 'bench') return top;
  return path === 'src/cli.ts' ? 'cli' : second;
}

interface Import {
  from: string;
  to: string;
  typeOnly: boolean;
}

function importsOf(path: string): Import[] {
  const text = readFileSync(join(root, path), 'utf8');
  return [...text.matchAll(IMPORT)].map((match) => ({
    from: path,
    to: relative(root, join(root, dirname(path), match[3] ?? match[4])),
    typeOnly: match[2] !== undefined,
  }));
}

function isAllowed({ from, to, typeOnly }: Import): boolean {
  const [source, target] = [partOf(from), partOf(to)];
  if (source === target || target === 'base') return true;
  if (target === 'fleet') return FLEET_DOORS.includes(from);
  const rule = ALLOWED[source];
  return rule.code.includes(target) || (typeOnly && rule.typesOnly.includes(target));
}

/** Groups of nodes that reach one another: each is a circle of imports. */
function circlesOf(edges: readonly (readonly [from: string, to: string])[]): string[][] {
  const targets = new Map<string, Set<string>>();
  for (const [from, to] of edges) {
    if (from === to) continue;
    targets.set(from, (targets.get(from) ?? new Set()).add(to));
  }
  // A node is in a circle when it reaches itself. What no other node leads to leaves first.
  let isSmaller = true;
  while (isSmaller) {
    isSmaller = false;
    const reached = new Set([...targets.values()].flatMap((set) => [...set]));
    for (const [node, set] of targets) {
      for (const target of set) if (!targets.has(target)) set.delete(target);
      if (reached.has(node) && set.size > 0) continue;
      targets.delete(node);
      isSmaller = true;
    }
  }
  return [...targets].map(([node, set]) => [node, ...set]);
}

describe('imports', () => {
  const imports = filesIn('src', 'jobs', 'bench/command').flatMap(importsOf);

  it('are found in every part', () => {
    const parts = new Set(imports.map(({ from }) => partOf(from)));
    expect([...parts].sort()).toEqual(Object.keys(ALLOWED).sort());
  });

  it('go only where the pipeline flows', () => {
    const wrong = imports.filter((entry) => !isAllowed(entry));
    expect(wrong.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
  });

  it('enter the fleet by few doors, behind which its libraries stay', () => {
    const doors = imports.filter(
      ({ from, to }) => partOf(from) !== 'fleet' && partOf(to) === 'fleet',
    );
    expect([...new Set(doors.map(({ from }) => from))].sort()).toEqual(FLEET_DOORS);
    const naming = filesIn('src', 'jobs', 'bench/command').filter(
      (path) =>
        partOf(path) !== 'fleet' && FLEET_LIBRARIES.test(readFileSync(join(root, path), 'utf8')),
    );
    expect(naming).toEqual([]);
  });

  it('make no circle between files, types included', () => {
    expect(circlesOf(imports.map(({ from, to }) => [from, to]))).toEqual([]);
  });

  it('make no circle between rooms, so that each room has a level', () => {
    expect(circlesOf(imports.map(({ from, to }) => [dirname(from), dirname(to)]))).toEqual([]);
  });

  it('of a circle are found', () => {
    const edges = [
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'b'],
      ['c', 'd'],
    ] as const;
    expect(circlesOf(edges)).toEqual([
      ['b', 'c'],
      ['c', 'b'],
    ]);
  });
});

it('keeps in base/limits only what several folders read', () => {
  const parts = Object.entries(limits).flatMap(([part, bounds]) =>
    typeof bounds === 'object' ? [part] : [],
  );
  const readers = new Map(parts.map((part) => [part, new Set<string>()]));
  for (const path of filesIn('src', 'jobs', 'bench/command')) {
    const source = readFileSync(join(root, path), 'utf8');
    const named = [...source.matchAll(/\blimits\.(\w+)/g)].map(([, part]) => part);
    const taken = [...source.matchAll(/\{([^{}]*)\} = limits;/g)].flatMap(([, names]) =>
      names.split(',').map((name) => name.split(':')[0].trim()),
    );
    for (const part of [...named, ...taken]) readers.get(part)?.add(dirname(path));
  }
  expect(parts.length).toBeGreaterThan(40);
  const own = [...readers].filter(([, folders]) => folders.size < 2);
  const isOfBase = ([, folders]: [string, Set<string>]) =>
    [...folders].join().startsWith('src/base');
  expect(own.filter((one) => !isOfBase(one)).map(([part]) => part)).toEqual([]);
});

it('keeps every room small enough to be read', () => {
  const sizes = new Map<string, number>();
  for (const path of filesIn('src', 'jobs', 'test', 'bench')) {
    sizes.set(dirname(path), (sizes.get(dirname(path)) ?? 0) + 1);
  }
  expect([...sizes].filter(([, count]) => count > ROOM_SIZE)).toEqual([]);
});
