import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rateLimitFromText, settingsFromEnv } from '../src/config.ts';

describe('settings', () => {
  it('have defaults for everything', () => {
    expect(settingsFromEnv({})).toEqual({
      dataDir: resolve('data'),
      host: '127.0.0.1',
      port: 8787,
      rateLimit: { requests: 600, windowS: 60 },
      logLevel: 'info',
      contact: undefined,
      vendorUrls: {},
    });
  });

  it('take base addresses of vendors', () => {
    const { vendorUrls } = settingsFromEnv({ TAPEWORKS_YAHOO_URL: 'http://127.0.0.1:1' });
    expect(vendorUrls).toEqual({ YAHOO: 'http://127.0.0.1:1' });
  });

  it('leave variables of other programs alone', () => {
    expect(() => settingsFromEnv({ PORT: 'x', TAPEWORK_PORT: 'x' })).not.toThrow();
  });

  it.each([
    ['TAPEWORKS_PROT', '1', 'TAPEWORKS_PROT is not a setting'],
    ['TAPEWORKS_PORT', '70000', 'TAPEWORKS_PORT'],
    ['TAPEWORKS_PORT', 'http', 'TAPEWORKS_PORT'],
    ['TAPEWORKS_LOG_LEVEL', 'loud', 'TAPEWORKS_LOG_LEVEL'],
    ['TAPEWORKS_CONTACT', 'me', 'TAPEWORKS_CONTACT'],
    ['TAPEWORKS_RATE_LIMIT', '600', 'TAPEWORKS_RATE_LIMIT must be REQUESTS/SECONDS'],
    ['TAPEWORKS_RATE_LIMIT', '0/60', 'TAPEWORKS_RATE_LIMIT must be REQUESTS/SECONDS'],
  ])('refuse %s=%s and name it', (name, value, message) => {
    expect(() => settingsFromEnv({ [name]: value })).toThrow(message);
  });

  it('read a rate limit', () => {
    expect(rateLimitFromText('5/10', '--limit')).toEqual({ requests: 5, windowS: 10 });
  });
});
