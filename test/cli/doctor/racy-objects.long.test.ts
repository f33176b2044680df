/** `doctor` on object storages whose conditional writes only seem atomic, from Maven Central. */

import { execFileSync, spawn } from 'node:child_process';
import { createWriteStream, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { checkObjects } from '../../../src/cli/doctor/objects.ts';
import { freshFolder } from '../../support/folders.ts';
import { freePort } from '../../support/redis-server.ts';
import { BUCKET, s3Env } from '../../support/s3-server.ts';

interface RacyStore {
  artifact: string;
  /** Arguments of `java` behind its jar. */
  args(folder: string, port: number): Promise<string[]>;
}

const STORES: Record<string, RacyStore> = {
  S3Proxy: {
    artifact: 'org.gaul:s3proxy:4.1.0:jar:jar-with-dependencies',
    async args(folder, port) {
      const data = join(folder, 'data');
      mkdirSync(join(data, BUCKET), { recursive: true });
      const settings = [
        's3proxy.authorization=none',
        `s3proxy.endpoint=http://127.0.0.1:${port}`,
        'jclouds.provider=filesystem-nio2',
        `jclouds.filesystem.basedir=${data}`,
      ];
      writeFileSync(join(folder, 'settings'), settings.join('\n'));
      return ['--properties', join(folder, 'settings')];
    },
  },
  S3Mock: {
    artifact: 'com.adobe.testing:s3mock:5.2.0:jar:exec',
    args: async (_folder, port) => [
      `--com.adobe.testing.s3mock.store.initial-buckets=${BUCKET}`,
      ...['--server.address=127.0.0.1', `--http.port=${port}`, `--server.port=${await freePort()}`],
    ],
  },
};

function runs(command: string): boolean {
  try {
    execFileSync(command, ['-version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Fetches a jar. @returns its path. */
function fetchJar(artifact: string, folder: string): string {
  const copy = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy';
  const options = [`-Dartifact=${artifact}`, `-DoutputDirectory=${folder}`];
  execFileSync('mvn', ['-q', '-B', copy, ...options], { cwd: folder, stdio: 'ignore' });
  const [, name, version, , classifier] = artifact.split(':');
  return join(folder, `${name}-${version}-${classifier}.jar`);
}

async function start({ artifact, args }: RacyStore): Promise<number> {
  const folder = freshFolder();
  const jar = fetchJar(artifact, folder);
  expect(existsSync(jar)).toBe(true);
  const port = await freePort();
  const server = spawn('java', ['-Xmx256m', '-jar', jar, ...(await args(folder, port))], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = createWriteStream(join(folder, 'log'));
  for (const stream of [server.stdout, server.stderr]) stream.pipe(log, { end: false });
  onTestFinished(() => void server.kill('SIGKILL'));
  for (;;) {
    const found = await fetch(`http://127.0.0.1:${port}/${BUCKET}?list-type=2`).catch(
      () => undefined,
    );
    if (found?.status === 200) return port;
    expect(server.exitCode).toBeNull();
    await delay(200);
  }
}

describe.skipIf(!runs('mvn') || !runs('java'))('doctor', () => {
  it.each(Object.keys(STORES))('refuses %s, which admits two writers at once', async (name) => {
    const port = await start(STORES[name]);
    for (const [setting, value] of Object.entries(s3Env(port))) vi.stubEnv(setting, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    const [check] = await checkObjects({
      dataDir: freshFolder(),
      snapshotsUrl: { kind: 's3', bucket: BUCKET, prefix: 'snapshots/' },
      segmentsUrl: undefined,
      redisUrl: undefined,
    });
    expect(check).toMatchObject({ state: 'failed' });
    expect(check.detail).toMatch(
      /it admits \d of 8 simultaneous writers with If-(None-)?Match, so/,
    );
  });
});
