/** Who may import whom: the folder tree is the pipeline, and data flows one way. */

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What each part may import besides itself and the leaves (the files directly under `src`). */
const ALLOWED: Record<string, { code: string[]; typesOnly: string[] }> = {
  leaf: { code: [], typesOnly: [] },
  compute: { code: [], typesOnly: [] },
  store: { code: [], typesOnly: ['compute'] },
  ingest: { code: ['store'], typesOnly: [] },
  api: { code: ['store', 'compute'], typesOnly: [] },
  jobs: { code: ['ingest', 'store', 'compute'], typesOnly: [] },
  cli: { code: ['api', 'jobs', 'ingest', 'store', 'compute'], typesOnly: [] },
};

const IMPORT =
  /(import|export)\s+(type\s+)?[^;'"]*?from\s+'(\.[^']+\.ts)'|import\(\s*'(\.[^']+\.ts)'\s*\)/g;

function sourceFiles(): string[] {
  return ['src', 'jobs'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name)),
  );
}

function partOf(path: string): string {
  const [top, second, third] = path.split('/');
  if (top === 'jobs') return 'jobs';
  if (top !== 'src') return top;
  if (path === 'src/cli.ts') return 'cli';
  return third === undefined ? 'leaf' : second;
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
  if (source === target || target === 'leaf') return true;
  const rule = ALLOWED[source];
  return rule.code.includes(target) || (typeOnly && rule.typesOnly.includes(target));
}

describe('imports', () => {
  const imports = sourceFiles().flatMap(importsOf);

  it('are found in every part', () => {
    const parts = new Set(imports.map(({ from }) => partOf(from)));
    expect([...parts].sort()).toEqual(Object.keys(ALLOWED).sort());
  });

  it('go only where the pipeline flows', () => {
    const wrong = imports.filter((entry) => !isAllowed(entry));
    expect(wrong.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
  });
});
