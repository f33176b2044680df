/** An S3-compatible server of the test's own, with one empty bucket. */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { freePort } from './redis-server.ts';
import { s3Server, versitygw } from './tools.ts';

export const BUCKET = 'tapes';

/** `stand-in`: moto. `server`: versitygw, over a folder. */
export type S3Kind = 'stand-in' | 'server';

export interface RunningS3 {
  port: number;
  /** Settings that lead to the bucket. */
  env: Record<string, string>;
  /** Ends it at once; the content of the stand-in is lost. */
  kill(): Promise<void>;
  start(): Promise<void>;
  freeze(): void;
  thaw(): void;
  remove(): Promise<void>;
}

/** Returns the settings of a bucket behind a port: that of the server, or of a proxy before it. */
export function s3Env(port: number): Record<string, string> {
  return {
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}`,
    AWS_ACCESS_KEY_ID: 'test-key',
    AWS_SECRET_ACCESS_KEY: 'test-secret',
    AWS_REGION: 'us-east-1',
  };
}

/** Kinds that this machine has. */
export const S3_KINDS: readonly S3Kind[] = [
  ...(s3Server === undefined ? [] : (['stand-in'] as const)),
  ...(versitygw === undefined ? [] : (['server'] as const)),
];

export async function startS3(kind: S3Kind): Promise<RunningS3> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'tapeworks-s3-'));
  const env = s3Env(port);
  let server: ChildProcess | undefined;
  const start = async () => {
    const [command, args] = commandOf(kind, port, folder);
    const keys = {
      ROOT_ACCESS_KEY: env.AWS_ACCESS_KEY_ID,
      ROOT_SECRET_KEY: env.AWS_SECRET_ACCESS_KEY,
    };
    server = spawn(command, args, {
      env: { PATH: process.env.PATH, HOME: folder, ...keys },
      stdio: 'ignore',
    });
    await untilListening(port);
    await makeBucket(env);
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
    freeze: () => server?.kill('SIGSTOP'),
    thaw: () => server?.kill('SIGCONT'),
    async remove() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function commandOf(kind: S3Kind, port: number, folder: string): [string, string[]] {
  if (kind === 'stand-in') return [String(s3Server), ['-H', '127.0.0.1', '-p', String(port)]];
  const [objects, sidecar] = [join(folder, 'objects'), join(folder, 'sidecar')];
  for (const path of [objects, sidecar]) mkdirSync(path, { recursive: true });
  const address = ['--port', `127.0.0.1:${port}`, '--region', 'us-east-1', '--quiet'];
  return [String(versitygw), [...address, 'posix', '--sidecar', sidecar, objects]];
}

async function untilListening(port: number): Promise<void> {
  for (;;) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('connect', () => {
        socket.destroy();
        resolve(true);
      });
      socket.once('error', () => resolve(false));
    });
    if (isOpen) return;
    await delay(50);
  }
}

async function makeBucket(env: Record<string, string>): Promise<void> {
  const signed = await new AwsV4Signer({
    method: 'PUT',
    url: `${env.AWS_ENDPOINT_URL_S3}/${BUCKET}`,
    accessKeyId: env.AWS_ACCESS_KEY_ID,
    secretAccessKey: env.AWS_SECRET_ACCESS_KEY,
    region: env.AWS_REGION,
    service: 's3',
  }).sign();
  const { status } = await fetch(signed.url, { method: 'PUT', headers: signed.headers });
  if (status !== 200 && status !== 409) throw new Error(`no bucket: ${status}`);
}
