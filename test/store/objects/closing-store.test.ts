/** A store that closes each connection after its response ended the process of a slow reader. */

import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { s3Objects } from '../../../src/store/objects/s3-objects.ts';

const BODY = Buffer.alloc(256 * 1024, 'a');

it('gives a slow reader all of a response whose connection is closed', async () => {
  const server = createServer((socket) => {
    const head = ['HTTP/1.1 200 OK', 'ETag: "a"', `Content-Length: ${BODY.length}`];
    socket.once('data', () => {
      socket.write(`${[...head, 'Connection: close'].join('\r\n')}\r\n\r\n`);
      socket.end(BODY);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const keys = { accessKeyId: 'key', secretAccessKey: 'secret', sessionToken: undefined };
  const access = { ...keys, region: 'us-east-1' };
  const place = { kind: 's3', bucket: 'b', prefix: '' } as const;
  const objects = s3Objects(place, { endpoint: `http://127.0.0.1:${port}`, ...access }, 'S');
  const found = await objects.get('x', { bytesMax: BODY.length });
  if (found === undefined || found === 'unchanged') throw new Error('nothing is there');
  let received = 0;
  for await (const piece of found.body) {
    received += piece.length;
    await delay(20);
  }
  expect(received).toBe(BODY.length);
  await objects.close();
  server.close();
});
