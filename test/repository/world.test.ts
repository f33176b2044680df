/**
 * Time, chance, files, network, threads and processes are reached through `src/base/world` alone.
 *
 * The check reads syntax trees, so no comment switches it off. `src/page` is exempt: it runs in
 * browsers, which have no such room.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'rolldown/parseAst';
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

const root = fileURLToPath(new URL('../..', import.meta.url));
const WORLD = 'src/base/world/';

/** Modules of Node that reach nothing outside of the program, or names of them that do not. */
const PURE: Record<string, readonly string[] | 'all'> = {
  'node:buffer': 'all',
  'node:crypto': [
    ...['createCipheriv', 'createDecipheriv', 'createHash', 'createHmac', 'hash', 'Hash'],
    ...['hkdfSync', 'timingSafeEqual'],
  ],
  'node:events': 'all',
  'node:module': [
    ...['findPackageJSON', 'getCompileCacheDir', 'registerHooks', 'stripTypeScriptTypes'],
  ],
  'node:path': 'all',
  'node:readline': 'all',
  'node:sqlite': 'all',
  'node:stream': 'all',
  'node:stream/consumers': 'all',
  'node:stream/promises': 'all',
  'node:url': 'all',
  'node:util': 'all',
  'node:zlib': 'all',
};
const COMPUTED = 'computed import';
/** Packages that the program declares; others are there for tests, and may reach anywhere. */
const PACKAGES = new Set(Object.keys(manifest.dependencies));
const BENCH_PACKAGES = new Set(Object.keys(manifest.devDependencies));
/** Benchmarks load what they compare, also by an address that is computed. */
const BENCH = 'bench/command/';

/** Names that every file has without an import, and that reach outside. */
const GLOBALS = new Set([
  ...['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval'],
  ...['clearImmediate', 'performance', 'process', 'fetch', 'crypto', 'WebSocket', 'EventSource'],
  ...['globalThis', 'global', 'self', 'eval', 'Function', 'require', 'module', 'Reflect'],
  ...['navigator', 'localStorage', 'sessionStorage', 'BroadcastChannel', 'Temporal'],
]);

/** Names that are partly pure: they may be used with these properties alone. */
const PARTLY: Record<string, (property: string) => boolean> = {
  Math: (property) => property !== 'random',
  Date: (property) => property === 'UTC' || property === 'parse',
  AbortSignal: (property) => property === 'any' || property === 'abort',
  Atomics: (property) => !property.startsWith('wait'),
  console: (property) => !property.startsWith('time'),
};

/** Parent and field of names that are no use of a variable. */
const LABELS: Record<string, string> = {
  Property: 'key',
  MethodDefinition: 'key',
  PropertyDefinition: 'key',
  AccessorProperty: 'key',
  TSPropertySignature: 'key',
  TSMethodSignature: 'key',
  ImportSpecifier: 'imported',
  ExportSpecifier: 'exported',
};

interface Node {
  type: string;
  start: number;
  [field: string]: unknown;
}

interface Place {
  node: Node;
  parent: Node;
  field: string;
  /** Names that the file itself declares and that are visible here. */
  declared: ReadonlySet<string>;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
}

/** Returns the nodes in some fields of a node. */
function childrenOf(node: Node, fields: readonly string[]): Node[] {
  return fields.flatMap((field) => [node[field]].flat().filter(isNode));
}

/** Fields that lead from a declaration to the names that it declares. */
const NAMES: Record<string, readonly string[]> = {
  VariableDeclaration: ['declarations'],
  VariableDeclarator: ['id'],
  FunctionDeclaration: ['id'],
  ClassDeclaration: ['id'],
  ImportDeclaration: ['specifiers'],
  ImportSpecifier: ['local'],
  ImportDefaultSpecifier: ['local'],
  ImportNamespaceSpecifier: ['local'],
  ExportNamedDeclaration: ['declaration'],
  ObjectPattern: ['properties'],
  Property: ['value'],
  ArrayPattern: ['elements'],
  AssignmentPattern: ['left'],
  RestElement: ['argument'],
  TSParameterProperty: ['parameter'],
};

function namesOf(node: Node): string[] {
  // It declares a type alone: the name is still the global one.
  if (node.declare || node.importKind === 'type') return [];
  if (node.type === 'Identifier') return [node.name as string];
  return childrenOf(node, NAMES[node.type] ?? []).flatMap(namesOf);
}

/** Fields of a scope that declare names for all of it. */
const SCOPES: Record<string, readonly string[]> = {
  Program: ['body'],
  BlockStatement: ['body'],
  FunctionDeclaration: ['params'],
  FunctionExpression: ['id', 'params'],
  ArrowFunctionExpression: ['params'],
  ForStatement: ['init'],
  ForOfStatement: ['left'],
  ForInStatement: ['left'],
  CatchClause: ['param'],
};

/** Adds the uses below a node. */
function addUses(node: Node, outer: ReadonlySet<string>, uses: string[]): void {
  const names = childrenOf(node, SCOPES[node.type] ?? []).flatMap(namesOf);
  const declared = names.length > 0 ? new Set([...outer, ...names]) : outer;
  for (const [field, value] of Object.entries(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (!isNode(child)) continue;
      const place = { node: child, parent: node, field, declared };
      const use = moduleUse(place) ?? nameUse(place) ?? codeUse(place);
      if (use !== undefined) uses.push(use);
      addUses(child, declared, uses);
    }
  }
}

/** Returns the use of a module that is not pure, or undefined. */
function moduleUse({ node }: Place): string | undefined {
  const { source } = node as { source?: Node | null };
  if (!source || node.importKind === 'type' || node.exportKind === 'type') return undefined;
  if (source.type !== 'Literal') return isAddressOfFile(source) ? undefined : COMPUTED;
  const name = String(source.value);
  if (name.startsWith('.')) return undefined;
  if (!isBuiltin(name)) return PACKAGES.has(packageOf(name)) ? undefined : packageOf(name);
  const allowed = PURE[name];
  if (!allowed) return name;
  if (allowed === 'all') return undefined;
  const specifiers = (node.specifiers ?? []) as { imported?: { name: string }; local: Node }[];
  if (specifiers.length === 0 || specifiers.some(({ imported }) => !imported)) return name;
  const found = specifiers.find(({ imported }) => !allowed.includes(imported!.name));
  return found && `${name} ${found.imported!.name}`;
}

const packageOf = (name: string) => /^(@[^/]+\/)?[^/]+/.exec(name)![0];

/** Tells a relative address, which leads to a file that is checked itself. */
function isAddressOfFile(source: Node): boolean {
  const [first] = (source.quasis ?? []) as { value: { cooked: string } }[];
  return /^\.{1,2}\//.test(first?.value.cooked ?? '');
}

/** Returns the text that a node makes of literals alone. */
function textOf(node: Node): string {
  if (node.type === 'Literal') return `${node.value}`;
  if (node.type === 'TemplateElement') return (node.value as { cooked: string }).cooked;
  const fields = TEXTS[node.type];
  if (!fields) return '';
  return childrenOf(node, fields)
    .toSorted((a, b) => a.start - b.start)
    .map(textOf)
    .join('');
}

/** Parts of texts. */
const TEXTS: Record<string, readonly string[]> = {
  BinaryExpression: ['left', 'right'],
  TemplateLiteral: ['quasis', 'expressions'],
};

/**
 * Returns the use of a function that could be made of text, or of the time as a formatter tells it, or
 * undefined. A constructor may be compared; its name may not stand in a text.
 */
function codeUse({ node, parent }: Place): string | undefined {
  const { property, computed } = (node.callee ?? node) as { property?: Node; computed?: boolean };
  const name = property && (computed ? textOf(property) : property.name);
  const given = node.type === 'CallExpression' && (node.arguments as Node[]);
  if (given && given.length === 0 && `${name}`.startsWith('format')) return `${name}`;
  const isMade = node.type === 'MemberExpression' && !computed && name === 'constructor';
  const isCompared = isMade && parent.type === 'BinaryExpression';
  if ((isMade && !isCompared) || textOf(node) === 'constructor') return 'constructor';
  const { key } = node as { key?: { name?: string } };
  return parent.type === 'ObjectPattern' && key?.name === 'constructor' ? key.name : undefined;
}

/** Returns the use of a name that reaches outside, or undefined. */
function nameUse({ node, parent, field, declared }: Place): string | undefined {
  if (node.type !== 'Identifier' || declared.has(node.name as string)) return undefined;
  const name = node.name as string;
  const isMember = parent.type === 'MemberExpression' && field === 'property' && !parent.computed;
  const isLabel = LABELS[parent.type] === field && !parent.computed;
  if (isMember || isLabel || parent.type.startsWith('TS')) return undefined;
  if (GLOBALS.has(name)) return name;
  const isPure = PARTLY[name];
  if (!isPure) return undefined;
  const property = parent.type === 'MemberExpression' && !parent.computed && field === 'object';
  if (property) {
    const used = (parent.property as { name: string }).name;
    return isPure(used) ? undefined : `${name}.${used}`;
  }
  const [first] = (parent.arguments ?? []) as (Node | undefined)[];
  const isMade = parent.type === 'NewExpression' && first && first.type !== 'SpreadElement';
  return name === 'Date' && field === 'callee' && isMade ? undefined : name;
}

/** Lists what a program reaches past the world. */
function usesIn(text: string, path = 'file.ts'): string[] {
  const program = parseAst(text, { lang: 'ts' }, path) as unknown as Node;
  const uses: string[] = [];
  addUses(program, new Set(), uses);
  return uses;
}

describe('the world', () => {
  const files = ['src', 'jobs', 'bench/command'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name)),
  );
  const checked = files.filter((path) => !path.startsWith('src/page/') && !path.startsWith(WORLD));

  it('is the only way to time, chance, files, network, threads and processes', () => {
    const uses = checked.flatMap((path) =>
      usesIn(readFileSync(join(root, path), 'utf8'), path).map((use) => `${path}: ${use}`),
    );
    const isCompared = (use: string) =>
      use.startsWith(BENCH) && (use.endsWith(COMPUTED) || BENCH_PACKAGES.has(use.split(': ')[1]));
    expect(uses.filter((use) => !isCompared(use))).toEqual([]);
  });

  it('is not gone around by statements, but where the clock of a database is meant', () => {
    const told = /current_timestamp|clock_timestamp|current_date|julianday|random_uuid|'now'\)/i;
    const tellers = checked.filter((path) => told.test(readFileSync(join(root, path), 'utf8')));
    expect(tellers).toEqual([
      'src/cli/doctor/accounts.ts',
      'src/fleet/postgres/sql.ts',
      // It is in steps of the past, which stay.
      'src/store/duckdb/connection/schema-versions.ts',
    ]);
  });

  it('writes all bytes of a call: writeSync may write fewer', () => {
    const own = checked.filter((path) => !path.startsWith(BENCH));
    const texts = own.map((path) => [path, readFileSync(join(root, path), 'utf8')] as const);
    const users = texts.filter(([, text]) => text.includes('writeSync(')).map(([path]) => path);
    // It has a loop, as it also waits for a pipe.
    expect(users).toEqual(['src/api/http/log.ts']);
  });

  it.each([
    "import { readFileSync } from 'node:fs';",
    "import fs from 'fs';",
    "export * from 'node:fs/promises';",
    "const files = await import('node:fs');",
    "import { type Stats, statSync } from 'node:fs';",
    "import { createHash, randomUUID } from 'node:crypto';",
    "import * as crypto from 'node:crypto';",
    "import { randomFillSync } from 'node:crypto';",
    "import { createRequire } from 'node:module';",
    "const files = await import('node:' + 'fs');",
    'const files = await import(`node:fs`);',
    "import { fetch } from 'undici';",
    'const ms = Date.now();',
    "const ms = Date['now']();",
    'const { now } = Date;',
    'const today = new Date();',
    'const today = new Date(...[]);',
    'declare const fetch: typeof globalThis.fetch; await fetch(url);',
    'Atomics.wait(numbers, 0, 0, 1000);',
    "const out = (() => {}).constructor('return process')();",
    "const out = (() => {})['constructor']('return process')();",
    "const out = (() => {})['con' + 'structor']('return process')();",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a program.
    "const out = (() => {})[`con${'struct'}or`]('return process')();",
    "const name = 'constructor'; (() => {})[name]('return process')();",
    "const { constructor: make } = () => {}; make('return process')();",
    "const make = (() => {}).constructor; make('return process')();",
    'const now = new Intl.DateTimeFormat().format();',
    "process.kill(1, 'SIGKILL');",
    'const id = crypto.randomUUID();',
    "const { request } = await import('node:http');",
    'const clock = Date;',
    'const { random } = Math;',
    'const share = Math.random();',
    'setTimeout(run, 1); // biome-ignore lint: a reason',
    'const { setTimeout: later } = globalThis;',
    'const signal = AbortSignal.timeout(5);',
    "process.on('SIGTERM', stop);",
    'const send = fetch;',
    'const at = performance.now();',
    "eval('1');",
    "new Function('return 1');",
    'function run(fetch: () => void) { fetch(); }\nfetch();',
  ])('is missed by %s', (text) => {
    expect(usesIn(text)).not.toEqual([]);
  });

  it.each([
    "import type { Stats } from 'node:fs';",
    "import { createHash } from 'node:crypto';",
    "import { readFileSync } from '../base/world/files.ts';",
    "import { setTimeout } from './world/clock.ts';\nsetTimeout(run, 1);",
    'const day = new Date(0); const ms = Date.UTC(2020, 0); const most = Math.max(1, 2);',
    'source.fetch(); const run = { process: 1, fetch() {} };',
    'async function run({ fetch }: Source, process: Take) { await process(fetch); }',
    'let timer: ReturnType<typeof setTimeout>;',
  ])('is not needed by %s', (text) => {
    expect(usesIn(text)).toEqual([]);
  });
});
