/** A server that receives webhooks and records them. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders & Record<string, string>;
  body: string;
  /** Parsed. */
  event: { id: string; type: string; timestamp: string; data: Record<string, unknown> };
}

export interface Receiver {
  port: number;
  got: Received[];
  /** Response, by default 204; may be replaced at any time. */
  answer: (response: ServerResponse, received: Received) => void;
  /** Resolves after so many requests. */
  until(count: number): Promise<void>;
  close(): Promise<void>;
}

export interface Certificate {
  cert: string;
  key: string;
}

/** Self-signed, for the host of the given name. */
export function selfSigned(openssl: string, host: string): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'tapeworks-'));
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const kind = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
  const what = ['-nodes', '-days', '2', '-subj', `/CN=${host}`];
  const names = ['-addext', `subjectAltName=DNS:${host}`, '-keyout', key, '-out', cert];
  execFileSync(openssl, [...kind, ...what, ...names], { stdio: 'ignore' });
  const made = { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
  rmSync(folder, { recursive: true });
  return made;
}

/** @param host Address to listen on. */
export async function startReceiver(
  certificate?: Certificate,
  host = '127.0.0.1',
): Promise<Receiver> {
  const waiting: { count: number; resolve: () => void }[] = [];
  const receiver: Receiver = {
    port: 0,
    got: [],
    answer: (response) => response.writeHead(204).end(),
    until: (count) =>
      new Promise((resolve) => {
        if (receiver.got.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
    close: () => close(server),
  };
  const server = (certificate ? createSecureServer.bind(undefined, certificate) : createServer)(
    (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString();
        const headers = request.headers as Received['headers'];
        const received = { path: String(request.url), headers, body, event: JSON.parse(body) };
        receiver.got.push(received);
        receiver.answer(response, received);
        for (const { count, resolve } of waiting) if (receiver.got.length >= count) resolve();
      });
    },
  );
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  receiver.port = (server.address() as AddressInfo).port;
  return receiver;
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
