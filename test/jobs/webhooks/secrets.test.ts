import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newsEvent, START_MS, useDelivery } from './delivery-fixture.ts';

const fixture = useDelivery();

const keyFile = () => join(fixture.folder, 'webhook.key');
const rotate = (id: string) => fixture.accounts.rotateSecret('default', 'live', id);

it('no secret stands in the database, before or after a rotation', async () => {
  const { id, secret } = await fixture.newWebhook();
  const rotated = await rotate(id);
  await fixture.addNews();
  await fixture.deliver();
  const files = readdirSync(fixture.folder).filter((name) => name.startsWith('accounts.sqlite'));
  expect(files).toContain('accounts.sqlite-wal');
  for (const name of files) {
    const bytes = readFileSync(join(fixture.folder, name));
    for (const text of [secret, String(rotated?.secret)]) {
      const bare = text.slice('whsec_'.length);
      expect(bytes.includes(bare)).toBe(false);
      expect(bytes.includes(Buffer.from(bare, 'base64'))).toBe(false);
    }
    expect(bytes.includes('whsec_')).toBe(false);
    expect(bytes.includes(readFileSync(keyFile(), 'utf8').trim())).toBe(false);
  }
});

describe('the key file', () => {
  it('is made with the first webhook, for its owner alone', async () => {
    expect(readdirSync(fixture.folder)).not.toContain('webhook.key');
    await fixture.newWebhook();
    expect(statSync(keyFile()).mode & 0o777).toBe(0o600);
    const text = readFileSync(keyFile(), 'utf8');
    expect(text).toMatch(/^[\w+/]{43}=\n$/);
    await fixture.newWebhook();
    expect(readFileSync(keyFile(), 'utf8')).toBe(text);
    expect(readdirSync(fixture.folder).filter((name) => name.includes('webhook'))).toHaveLength(1);
  });

  it.each([
    ['missing', undefined, 'webhook.key in the data directory is missing'],
    [
      'another one',
      `${Buffer.alloc(32).toString('base64')}\n`,
      'encrypted with another webhook.key',
    ],
    ['no key', 'hello', 'webhook.key in the data directory must hold 32 bytes in base64'],
  ])('%s: deliveries wait and say why, until it is back', async (_what, text, message) => {
    const { id } = await fixture.newWebhook();
    const right = readFileSync(keyFile(), 'utf8');
    if (text === undefined) rmSync(keyFile());
    else writeFileSync(keyFile(), text);
    await fixture.addNews();
    await fixture.deliver();
    expect((await fixture.deliveries(id))[0]).toMatchObject({
      status: 'pending',
      attempts: 0,
      error: expect.stringContaining(message),
      nextAttemptAt: new Date(START_MS + 60_000).toISOString(),
    });
    expect(fixture.errors).toMatchObject([{ message: expect.stringContaining(message) }]);
    expect(
      (await fixture.accounts.listWebhookPart('default', 'live', { limit: 10 })).rows,
    ).toHaveLength(1);
    writeFileSync(keyFile(), right);
    fixture.clock.nowMs += 60_000;
    await fixture.deliver();
    expect((await fixture.deliveries(id))[0]).toMatchObject({ status: 'delivered', attempts: 1 });
  });

  it.each([
    ['missing', () => rmSync(keyFile())],
    ['another one', () => writeFileSync(keyFile(), Buffer.alloc(32).toString('base64'))],
  ])('%s: a rotation heals it', async (_what, damage) => {
    const { id } = await fixture.newWebhook();
    damage();
    await rotate(id);
    await fixture.addNews();
    await fixture.deliver();
    const [{ headers }] = fixture.receiver.got;
    expect(headers['webhook-id']).toBe(newsEvent(0).id);
    expect(headers['webhook-signature']).toMatch(/^v1,\S+$/);
  });

  it('that holds no key is never replaced', async () => {
    await fixture.newWebhook();
    writeFileSync(keyFile(), 'hello');
    await expect(fixture.newWebhook()).rejects.toThrow(
      'webhook.key in the data directory must hold 32',
    );
    expect(readFileSync(keyFile(), 'utf8')).toBe('hello');
  });
});
