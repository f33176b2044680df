import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { startReceiver } from '../../jobs/webhooks/receiver.ts';
import { useCliFolder } from '../support/run-cli.ts';

const cli = useCliFolder({ TAPEWORKS_WEBHOOK_PRIVATE: 'on' });

it('serve delivers what the API is asked to send', async () => {
  const scopes = 'webhooks:read,webhooks:write';
  const key = ['--mode', 'test', '--label', 'x', '--scopes', scopes];
  const { rawKey } = await cli.json('keys', 'create', ...key);
  const { document } = await cli.start('serve');
  const receiver = await startReceiver();
  const post = async (path: string, body?: object) => {
    const response = await fetch(`${document.address}/v1/svc/webhooks${path}`, {
      method: 'POST',
      headers: { 'X-API-Key': rawKey, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(response.ok).toBe(true);
    return (await response.json()) as Record<string, string>;
  };
  const url = `http://127.0.0.1:${receiver.port}/`;
  const { id, secret } = await post('', { url, events: ['data.ready'] });
  const { eventId } = await post(`/${id}/test`);
  await receiver.until(1);
  const [{ body, headers, event }] = receiver.got;
  expect(new Webhook(secret).verify(body, headers)).toEqual(event);
  expect(event).toMatchObject({ id: eventId, type: 'webhook.test', data: { webhookId: id } });
  await receiver.close();
});
