/**
 * Makes everything that a release publishes, and publishes nothing: `npm run release`.
 *
 * It builds from a copy of the last commit, so the checkout stays as it is. `--check` also builds,
 * and only lists what a release would still be refused for. `--out FOLDER` is where the files go.
 */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { changelogPart, versionsIn } from './versions.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values: options } = parseArgs({
  options: { check: { type: 'boolean', default: false }, out: { type: 'string' } },
});

/** Runs a program and returns what it prints. */
function output(program: string, args: readonly string[], cwd = root, env = {}): string {
  return execFileSync(program, args, {
    ...{ cwd, encoding: 'utf8', maxBuffer: 1e8, stdio: ['ignore', 'pipe', 'inherit'] },
    env: { ...process.env, ...env },
  });
}

/** Returns the one version. @throws {Error} two places name different ones. */
function agreedVersion(): string {
  const named = versionsIn(root);
  const versions = new Set(named.map(({ version }) => version));
  if (versions.size === 1) return named[0].version;
  const lines = named.map(({ path, version }) => `  ${version}  ${path}`);
  throw new Error(`The places of the version disagree:\n${lines.join('\n')}`);
}

/** Returns what has to be done before the version can be published. */
function openPoints(version: string): string[] {
  const points: string[] = [];
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const part = changelogPart(changelog, version);
  if (!/^\d{4}-\d\d-\d\d$/.test(part?.date ?? '')) {
    points.push(
      `CHANGELOG.md has no part "## [${version}] - YYYY-MM-DD"; the title [Unreleased] becomes it`,
    );
  }
  if (part && changelogPart(changelog, 'Unreleased')?.text) {
    points.push(`CHANGELOG.md has changes under [Unreleased]; move them to [${version}]`);
  }
  if (output('git', ['status', '--porcelain'])) points.push('the checkout has changes');
  if (output('git', ['tag', '--list', `v${version}`])) points.push(`v${version} exists already`);
  return points;
}

/** Builds all files of the release into a folder, out of a copy of the commit. */
function build(version: string, out: string): void {
  const copy = mkdtempSync(join(tmpdir(), 'tapeworks-release-'));
  try {
    const archive = join(copy, 'source.tar');
    output('git', ['archive', '--output', archive, 'HEAD']);
    // npm takes the name of the folder for that of the component.
    const source = join(copy, 'tapeworks');
    mkdirSync(source);
    output('tar', ['-xf', archive, '-C', source]);
    symlinkSync(join(root, 'node_modules'), join(source, 'node_modules'));
    output('npm', ['pack', '--silent', '--pack-destination', out], source);
    const sbom = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--omit=dev'];
    writeFileSync(join(out, `tapeworks-${version}.cdx.json`), output('npm', sbom, source));
    buildPython(join(source, 'clients/python'), out);
    const part = changelogPart(readFileSync(join(source, 'CHANGELOG.md'), 'utf8'), version);
    if (part) writeFileSync(join(out, 'CHANGES.md'), `${part.text}\n`);
  } finally {
    rmSync(copy, { recursive: true });
  }
  const lines = readdirSync(out)
    .filter((name) => name !== 'SHA256SUMS')
    .sort()
    .map((name) => `${sha256(join(out, name))}  ${name}\n`);
  writeFileSync(join(out, 'SHA256SUMS'), lines.join(''));
}

function buildPython(source: string, out: string): void {
  const own = join(root, '.venv/bin/python');
  const python = existsSync(own) ? own : 'python3';
  // Times inside the archives are those of the commit, so that two builds are the same bytes.
  const env = { SOURCE_DATE_EPOCH: output('git', ['log', '-1', '--format=%ct']).trim() };
  const built = join(source, 'built');
  output(python, ['-m', 'hatchling', 'build', '-d', built], source, env);
  output(python, ['-m', 'twine', 'check', '--strict', ...files(built)], source);
  cpSync(built, out, { recursive: true });
}

function files(folder: string): string[] {
  return readdirSync(folder).map((name) => join(folder, name));
}

function sha256(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

const version = agreedVersion();
const out = resolve(options.out ?? join(tmpdir(), `tapeworks-${version}`));
if (existsSync(out) && readdirSync(out).length > 0) {
  throw new Error(`"${out}" must be empty: remove it, or name another folder with --out`);
}
const points = openPoints(version);
for (const point of points) console.log(`${options.check ? 'open' : 'refused'}: ${point}`);
if (points.length > 0 && !options.check) process.exit(1);
mkdirSync(out, { recursive: true });
build(version, out);
console.log(`\nTapeworks ${version}, in ${out}:`);
for (const path of files(out)) {
  console.log(
    `${(statSync(path).size / 1e6).toFixed(2).padStart(8)} MB  ${path.slice(out.length + 1)}`,
  );
}
console.log(`
Nothing is published. A person with the rights of each place runs:
  git tag --sign v${version} && git push origin v${version}
  npm publish ${join(out, `tapeworks-${version}.tgz`)}
  python -m twine upload ${join(out, `tapeworks-${version}`)}*.whl ${join(out, `tapeworks-${version}`)}.tar.gz
  docker buildx build --platform linux/amd64,linux/arm64 --sbom=true --provenance=true --push --tag REGISTRY/tapeworks:${version} .
The release of v${version} has the text of CHANGES.md, SHA256SUMS and the SBOM (tapeworks-${version}.cdx.json).`);
