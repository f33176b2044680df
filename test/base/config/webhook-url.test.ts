import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isPublicAddress } from '../../../src/base/config/public-address.ts';
import { checkedWebhookUrl } from '../../../src/base/config/webhook-url.ts';

const guide = readFileSync(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8');

/** Addresses of the guide's table whose row says this; hosts alone stand in the same place. */
function tried(outcome: string): string[] {
  const rows = guide.split('\n').filter((line) => line.startsWith('| `') && line.includes(outcome));
  return rows.flatMap((row) =>
    [...row.split(' | ')[0].matchAll(/`([^`]+)`/g)].map(([, text]) =>
      /[:/]|^example/.test(text) ? text : `https://${text}/`,
    ),
  );
}

describe('the address of a webhook', () => {
  const refused = tried('| 400: ');

  it('is tried in many ways', () => expect(refused.length).toBeGreaterThan(55));

  it.each(refused)('%s is refused', (url) => {
    expect(() => checkedWebhookUrl(url, false)).toThrow(/^url must /);
  });

  it.each(tried('| 201 '))('%s is taken', (url) => {
    expect(checkedWebhookUrl(url, false).href).toBe(url);
  });

  it.each([
    'https://example.com/\n',
    'https://exa\u0000mple.com/',
    'https://\u202eexample.com/',
    'https:\\\\example.com/',
    'https://',
    '',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'wss://example.com/',
    `https://example.com/${'x'.repeat(2048)}`,
  ])('%j is refused', (url) => {
    expect(() => checkedWebhookUrl(url, false)).toThrow(/^url must /);
  });

  it('appears in no message with its credentials', () => {
    expect(() => checkedWebhookUrl('https://user:hunter2@example.com/', false)).toThrow(
      'url must not hold a user name or password',
    );
  });

  it("is never a cloud's platform, in any spelling, also where private ones are meant", () => {
    for (const host of [
      ...['169.254.169.254', '0xa9fea9fe', '[::ffff:169.254.169.254]', '[fd00:ec2::254]'],
      ...['100.100.100.200', '168.63.129.16', 'metadata.google.internal', 'METADATA'],
    ]) {
      const rule = "url must not lead to a cloud's platform";
      expect(() => checkedWebhookUrl(`http://${host}/latest/meta-data/`, true)).toThrow(rule);
      expect(() => checkedWebhookUrl(`https://${host}/`, false)).toThrow(rule);
    }
  });

  it('names the setting that allows it', () => {
    for (const url of ['http://127.0.0.1:9000/', 'https://127.0.0.1/', 'https://nas.local/']) {
      expect(() => checkedWebhookUrl(url, false)).toThrow('TAPEWORKS_WEBHOOK_PRIVATE=on');
    }
  });

  it('may be private and http if the operator allows it, and nothing else changes', () => {
    for (const url of ['http://127.0.0.1:8080/', 'https://localhost/', 'http://[::1]/']) {
      expect(checkedWebhookUrl(url, true).href).toBe(url);
    }
    for (const url of ['ftp://127.0.0.1/', 'http://a@localhost/', 'http://localhost:0/']) {
      expect(() => checkedWebhookUrl(url, true)).toThrow(/^url must /);
    }
  });
});

const words = (text: string) => text.trim().split(/\s+/);

describe('a public address', () => {
  it.each(
    words(`
    8.8.8.8 1.1.1.1 99.255.255.255 100.128.0.0 172.15.255.255 172.32.0.0 192.167.255.255
    223.255.255.255 2606:4700:4700::1111 2a00:1450:4001:810::200e
    `),
  )('is %s', (address) => expect(isPublicAddress(address)).toBe(true));

  const others = words(`
    0.0.0.0 0.255.255.255 10.255.255.255 100.64.0.0 100.127.255.255 127.255.255.255 169.254.0.1
    172.16.0.0 172.31.255.255 192.0.0.1 192.88.99.1 192.168.255.255 198.18.0.0 198.19.255.255
    198.51.100.1 203.0.113.1 224.0.0.0 255.255.255.255 :: ::1 ::ffff:808:808 ::ffff:0:127.0.0.1
    64:ff9b::808:808 100::1 2001::1 2001:db8::1 2002:808:808::1 3fff::1 4000::1 5f00::1 fc00::1
    fe80::1 fe80::1%eth0 2606:4700::1%eth0 febf::1 fec0::1 ff02::1 127.1 localhost example.com
  `);

  it.each(['', ...others])('is not %j', (address) => expect(isPublicAddress(address)).toBe(false));
});
