/** The snippets of `docs/webhooks.md` verify real deliveries. */

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it, vi } from 'vitest';
import { python } from '../../support/tools.ts';
import { newsEvent, useDelivery } from './delivery-fixture.ts';
import { startReceiver } from './receiver.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

const guide = readFileSync(`${ROOT}/docs/webhooks.md`, 'utf8');

const fixture = useDelivery();

function snippet(language: string): string {
  return new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(guide)?.[1] ?? '';
}

it.skipIf(python === undefined)('in Python', async () => {
  vi.setSystemTime(vi.getRealSystemTime());
  fixture.clock.nowMs = Date.now();
  const { secret } = await fixture.newWebhook();
  await fixture.addNews();
  await fixture.deliver();
  const [{ body, headers }] = fixture.receiver.got;
  const script = `${snippet('python')}
import json, sys
given = json.load(sys.stdin)
print(verify(given["body"].encode(), given["headers"]), verify(b"{}", given["headers"]))`;
  const out = execFileSync(String(python), ['-c', script], {
    input: JSON.stringify({ body, headers }),
    env: { ...process.env, WEBHOOK_SECRET: secret },
  });
  expect(out.toString().trim()).toBe('True False');
});

it('in Node', async () => {
  vi.setSystemTime(vi.getRealSystemTime());
  fixture.clock.nowMs = Date.now();
  const free = await startReceiver();
  const { port } = free;
  await free.close();
  const { id, secret } = await fixture.newWebhook({ url: `http://127.0.0.1:${port}/tapeworks` });
  const other = await fixture.newWebhook({ url: `http://127.0.0.1:${port}/tapeworks` });
  const script = snippet('js').replace(
    'app.listen(8080);',
    `app.listen(${port}, '127.0.0.1', () => console.log('listens'));`,
  );
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: ROOT,
    env: { ...process.env, WEBHOOK_SECRET: secret },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  await once(child.stdout, 'data');
  await fixture.addNews();
  const printed = once(child.stdout, 'data');
  await fixture.deliver();
  expect((await fixture.deliveries(id))[0]).toMatchObject({
    status: 'delivered',
    responseStatus: 204,
  });
  expect((await fixture.deliveries(other.id))[0]).toMatchObject({
    status: 'pending',
    responseStatus: 401,
  });
  expect(String(await printed)).toContain(newsEvent(0).type);
  child.kill();
  await exited;
});
