/** An S3-compatible server of the test's own: SeaweedFS, with one empty bucket. */

import { type ChildProcess, spawn } from 'node:child_process';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { freeze } from './freeze.ts';
import { freePort } from './redis-server.ts';
import { seaweedfs } from './tools.ts';

export const BUCKET = 'tapes';

export interface RunningS3 {
  port: number;
  /** Settings that lead to the bucket. */
  env: Record<string, string>;
  /** Ends it at once; its objects stay. */
  kill(): Promise<void>;
  start(): Promise<void>;
  freeze(): Promise<void>;
  thaw(): void;
  remove(): Promise<void>;
}

/** Storages for tests: a folder, and a bucket where this machine has a server. */
export const STORAGES: readonly ('file' | 's3')[] =
  seaweedfs === undefined ? ['file'] : ['file', 's3'];

/** Returns the settings of a bucket behind a port: that of the server, or of a proxy before it. */
export function s3Env(port: number, host = '127.0.0.1'): Record<string, string> {
  return {
    AWS_ENDPOINT_URL_S3: `http://${host}:${port}`,
    AWS_ACCESS_KEY_ID: 'test-key',
    AWS_SECRET_ACCESS_KEY: 'test-secret',
    AWS_REGION: 'us-east-1',
  };
}

/** Servers inside of SeaweedFS: each listens on two ports. */
const PARTS = ['master', 'volume', 'filer', 's3', 'admin'];

export async function startS3(): Promise<RunningS3> {
  const folder = mkdtempSync(join(tmpdir(), 'tapeworks-s3-'));
  const ports = await Promise.all(PARTS.flatMap(() => [freePort(), freePort()]));
  const port = ports[2 * PARTS.indexOf('s3')];
  const env = s3Env(port);
  const args = [
    ...['mini', `-dir=${folder}`, '-ip=127.0.0.1', '-ip.bind=127.0.0.1'],
    ...PARTS.flatMap((part, i) => [
      ...[`-${part}.port=${ports[2 * i]}`, `-${part}.port.grpc=${ports[2 * i + 1]}`],
    ]),
    ...['-s3.port.iceberg=0', '-s3.port.lance=0', '-admin.ui=false', '-webdav=false'],
    '-master.telemetry=false',
  ];
  let server: ChildProcess | undefined;
  const start = async () => {
    server = spawn(String(seaweedfs), args, {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, TMPDIR: folder, ...env },
      stdio: 'ignore',
    });
    await untilBucket(env, server);
  };
  const kill = async () => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const ended = new Promise((resolve) => server?.once('exit', resolve));
    server.kill('SIGKILL');
    await ended;
  };
  await start();
  return {
    ...{ port, env, kill, start },
    freeze: () => freeze(Number(server?.pid)),
    thaw: () => server?.kill('SIGCONT'),
    async remove() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
      // A killed server leaves its sockets; it puts them where the system's folder is by default.
      const sockets = ports.flatMap((one) => globSync(join(tmpdir(), `seaweedfs-*-${one}.sock`)));
      for (const path of sockets) rmSync(path, { force: true });
    },
  };
}

/** Makes the bucket unless it is there, once the server is ready. */
async function untilBucket(env: Record<string, string>, server: ChildProcess): Promise<void> {
  for (;;) {
    const signed = await new AwsV4Signer({
      method: 'PUT',
      url: `${env.AWS_ENDPOINT_URL_S3}/${BUCKET}`,
      accessKeyId: env.AWS_ACCESS_KEY_ID,
      secretAccessKey: env.AWS_SECRET_ACCESS_KEY,
      region: env.AWS_REGION,
      service: 's3',
    }).sign();
    const sent = fetch(signed.url, { method: 'PUT', headers: signed.headers });
    const status = await sent.then(
      (response) => response.status,
      () => 0,
    );
    if (status === 200 || status === 409) return;
    if (server.exitCode !== null) throw new Error(`SeaweedFS ended with ${server.exitCode}`);
    await delay(50);
  }
}
