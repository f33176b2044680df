/** The compose files: their schema, and that what they name exists. */

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { SETTING_NAMES } from '../../src/base/config/config.ts';
import { createProgram } from '../../src/cli.ts';
import { checkSchema } from '../support/tools.ts';
import { COMPOSE_FILES, read, root, servicesOf } from './files.ts';

const ours = `tapeworks:${packageJson.version}`;

/** Every service of ours, with the file that has it. */
const programs = COMPOSE_FILES.flatMap((path) =>
  Object.entries(servicesOf(path))
    .filter(([, { image }]) => image === ours)
    .map(([name, service]) => ({ title: `${path}: ${name}`, name, service })),
);

describe.each(COMPOSE_FILES)('%s', (path) => {
  const services = servicesOf(path);

  it.skipIf(!checkSchema)('follows the schema of compose files', () => {
    const args = ['--builtin-schema', 'vendor.compose-spec', join(root, path)];
    expect(execFileSync(String(checkSchema), args, { encoding: 'utf8' })).toContain('ok');
  });

  it('names a version of every image', () => {
    const images = Object.values(services).map(({ image }) => image);
    expect(images.filter((image) => !/^[\w./-]+:v?\d+\.\d+[\w.-]*$/.test(image))).toEqual([]);
  });

  it('mounts files and folders that exist', () => {
    const mounted = Object.values(services).flatMap(({ volumes = [] }) => volumes);
    const sources = mounted
      .map((mount) => mount.split(':')[0])
      .filter((one) => one.startsWith('.'));
    const missing = sources.filter((one) => !existsSync(join(root, dirname(path), one)));
    expect(missing).toEqual([]);
  });

  it('opens no port of an engine, and none of a server without TLS, to other machines', () => {
    const open = Object.entries(services).flatMap(([name, { ports = [] }]) =>
      ports.filter((port) => !port.startsWith('127.0.0.1:')).map(() => name),
    );
    expect([...new Set(open)]).toEqual(path === 'compose.yaml' ? [] : ['caddy']);
  });
});

describe.each(programs)('$title', ({ service }) => {
  it('sets only settings that exist', () => {
    const named = Object.keys(service.environment ?? {}).filter((name) => /^TAPEWORKS_/.test(name));
    const known: readonly string[] = SETTING_NAMES;
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });

  it('runs a command with options that exist', async () => {
    const [verb, ...options] = service.command;
    const command = (await createProgram(verb)).commands.find((one) => one.name() === verb);
    const known = command?.options.map(({ long }) => long);
    const given = options.filter((option) => option.startsWith('--'));
    expect(given.filter((option) => !known?.includes(option))).toEqual([]);
  });

  it('has a read-only root, a volume and time to stop', () => {
    expect(service.read_only).toBe(true);
    expect(service.tmpfs).toEqual(['/tmp']);
    expect(service.init).toBe(true);
    expect(service.stop_grace_period).toBe('40s');
    expect(service.volumes?.map((mount) => mount.split(':')[1])).toEqual(['/data']);
  });

  it('is checked over HTTP if it serves', () => {
    const serves = ['start', 'serve'].includes(service.command[0]);
    expect(service.healthcheck?.disable ?? false).toBe(!serves);
  });
});

describe('the fleet', () => {
  const services = servicesOf('deploy/compose.fleet.yaml');

  it('has two servers, two workers of which one has the store, and one schedule', () => {
    const commands = programs.filter(({ name }) => name !== 'tapeworks');
    expect(commands.map(({ service: { command } }) => command.join(' '))).toEqual([
      'serve --replica',
      'serve --replica',
      'worker',
      'worker --queues fetch',
      'schedule',
    ]);
    const volumes = commands.map(({ service }) => service.volumes?.[0]);
    expect(new Set(volumes).size).toBe(volumes.length);
  });

  it('has a Redis that loses nothing', () => {
    expect(services.redis.command.join(' ')).toContain('--appendonly yes');
    expect(services.redis.command.join(' ')).toContain('--maxmemory-policy noeviction');
  });

  it('balances and measures the servers that it has', () => {
    const servers = Object.keys(services).filter((name) => /^api-/.test(name));
    const addresses = servers.map((name) => `${name}:8787`);
    expect(read('deploy/Caddyfile')).toContain(`{$SERVERS:${addresses.join(' ')}}`);
    const targets = addresses.map((address) => `'${address}'`).join(', ');
    expect(read('deploy/prometheus/prometheus.yml')).toContain(`targets: [${targets}]`);
    expect(services['api-1'].environment?.TAPEWORKS_TRUST_PROXY).toBe('1');
  });
});
