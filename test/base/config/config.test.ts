import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { settingsFromEnv } from '../../../src/base/config/config.ts';
import { rateLimitFromText } from '../../../src/base/config/values.ts';
import { ConfigError } from '../../../src/base/errors.ts';

describe('settings', () => {
  it('have defaults for everything', () => {
    expect(settingsFromEnv({})).toEqual({
      corsOrigins: [],
      files: true,
      schedule: [],
      watchlist: [],
      webhookPrivate: false,
      rssFeeds: ['https://finance.yahoo.com/news/rssindex'],
      trustProxy: false,
      dataDir: resolve('data'),
      host: '127.0.0.1',
      port: 8787,
      rateLimit: { requests: 600, windowS: 60 },
      verify: 0,
      logLevel: 'info',
      contact: undefined,
      overnightHours: [],
      vendorUrls: {},
      vendorKeys: {},
      vendorLimits: {},
    });
  });

  it.each([
    'me@example.com',
    'Sample Company Name AdminContact@example.com',
    'Sample Company <admin@example.com>',
  ])('take the contact %s', (text) => {
    expect(settingsFromEnv({ TAPEWORKS_CONTACT: ` ${text}\n` }).contact).toBe(text);
  });

  it('take an empty contact for none', () => {
    expect(settingsFromEnv({ TAPEWORKS_CONTACT: '' }).contact).toBe(undefined);
  });

  it('take keys and limits of vendors', () => {
    const { vendorKeys, vendorLimits } = settingsFromEnv({
      TAPEWORKS_ALPACA_KEY: 'id',
      TAPEWORKS_ALPACA_SECRET: ' secret\n',
      TAPEWORKS_TIINGO_KEY: 'key',
      TAPEWORKS_MASSIVE_LIMIT: '100/1',
    });
    expect(vendorKeys).toEqual({ ALPACA: 'id:secret', TIINGO: 'key' });
    expect(vendorLimits).toEqual({ MASSIVE: { requests: 100, windowS: 1 } });
    expect(settingsFromEnv({ TAPEWORKS_ALPACA_KEY: 'id:secret' }).vendorKeys).toEqual({
      ALPACA: 'id:secret',
    });
  });

  it.each([
    [{ TAPEWORKS_ALPACA_KEY: 'sesame' }, 'TAPEWORKS_ALPACA_KEY and TAPEWORKS_ALPACA_SECRET'],
    [{ TAPEWORKS_ALPACA_SECRET: 'sesame' }, 'TAPEWORKS_ALPACA_KEY and TAPEWORKS_ALPACA_SECRET'],
    [{ TAPEWORKS_TIINGO_KEY: 'open sesame' }, 'TAPEWORKS_TIINGO_KEY must be printable'],
  ])('refuse a key that cannot be one, without saying it', (env, message) => {
    expect(() => settingsFromEnv(env)).toThrow(message);
    expect(() => settingsFromEnv(env)).not.toThrow('sesame');
  });

  it('take base addresses of vendors', () => {
    const { vendorUrls } = settingsFromEnv({ TAPEWORKS_YAHOO_URL: 'http://127.0.0.1:1' });
    expect(vendorUrls).toEqual({ YAHOO: 'http://127.0.0.1:1' });
  });

  it('ignore variables of other programs', () => {
    expect(() => settingsFromEnv({ PORT: 'x', TAPEWORK_PORT: 'x' })).not.toThrow();
  });

  it('ignore those of the clients', () => {
    const env = { TAPEWORKS_API_KEY: 'svc_test_x', TAPEWORKS_URL: 'http://127.0.0.1:1' };
    expect(settingsFromEnv(env)).toEqual(settingsFromEnv({}));
  });

  // It printed 42 names instead.
  it.each([
    ['TAPEWORKS_PROT', '; did you mean TAPEWORKS_PORT?'],
    ['TAPEWORKS_REDIS', '; did you mean TAPEWORKS_REDIS_URL?'],
    ['TAPEWORKS_MASIVE_KEY', '; did you mean TAPEWORKS_MASSIVE_KEY?'],
    ['TAPEWORKS_APIKEY', '; did you mean TAPEWORKS_API_KEY?'],
    ['TAPEWORKS_COLOUR_OF_THE_SKY', ''],
  ])('answer %s with the nearest name', (name, hint) => {
    const message = `${name} is not a setting${hint} (tapeworks settings lists all)`;
    expect(() => settingsFromEnv({ [name]: 'x' })).toThrow(new ConfigError(message));
  });

  it.each([
    ['TAPEWORKS_PROT', '1', 'TAPEWORKS_PROT is not a setting'],
    ['TAPEWORKS_PORT', '70000', 'TAPEWORKS_PORT'],
    ['TAPEWORKS_PORT', 'http', 'TAPEWORKS_PORT'],
    ['TAPEWORKS_LOG_LEVEL', 'loud', 'TAPEWORKS_LOG_LEVEL'],
    ['TAPEWORKS_VERIFY', '2', 'TAPEWORKS_VERIFY must be a share from 0 to 1'],
    ['TAPEWORKS_VERIFY', '0.1%', 'TAPEWORKS_VERIFY must be a share from 0 to 1'],
    ['TAPEWORKS_CONTACT', 'me', 'TAPEWORKS_CONTACT must be an e-mail address'],
    ['TAPEWORKS_CONTACT', 'me@example', 'TAPEWORKS_CONTACT must be an e-mail address'],
    ['TAPEWORKS_CONTACT', 'Some Company', 'TAPEWORKS_CONTACT must be an e-mail address'],
    ['TAPEWORKS_CONTACT', 'a@example.com b@example.com', 'TAPEWORKS_CONTACT must be'],
    ['TAPEWORKS_CONTACT', 'Company\nX: y me@example.com', 'TAPEWORKS_CONTACT must be'],
    ['TAPEWORKS_CONTACT', 'Müller me@example.com', 'printable ASCII'],
    ['TAPEWORKS_RATE_LIMIT', '600', 'TAPEWORKS_RATE_LIMIT must be REQUESTS/SECONDS'],
    ['TAPEWORKS_SEC_URL', 'sec.gov', 'TAPEWORKS_SEC_URL must be an http or https address'],
    ['TAPEWORKS_EODHD_LIMIT', 'x', 'TAPEWORKS_EODHD_LIMIT must be REQUESTS/SECONDS'],
    ['TAPEWORKS_WEBHOOK_KEY', 'hello', 'TAPEWORKS_WEBHOOK_KEY must hold 32 bytes in base64'],
    ['TAPEWORKS_SNAPSHOTS_URL', 's3://b/p', 'the bucket: 3 to 63 of a-z'],
    ['TAPEWORKS_RATE_LIMIT', '0/60', 'TAPEWORKS_RATE_LIMIT must be REQUESTS/SECONDS'],
  ])('refuse %s=%s and name it', (name, value, message) => {
    expect(() => settingsFromEnv({ [name]: value })).toThrow(message);
  });

  it.each([
    ['off', false],
    ['0', false],
    ['on', 1],
    ['true', 1],
    ['2', 2],
    ['10.0.0.0/8, ::1', ['10.0.0.0/8', '::1']],
    ['loopback,UniqueLocal', ['loopback', 'uniquelocal']],
  ])('trust the proxies of %s', (text, trusted) => {
    expect(settingsFromEnv({ TAPEWORKS_TRUST_PROXY: text }).trustProxy).toEqual(trusted);
  });

  it('take origins', () => {
    const text = 'https://a.example, http://localhost:3000';
    const { corsOrigins } = settingsFromEnv({ TAPEWORKS_CORS_ORIGINS: text });
    expect(corsOrigins).toEqual(['https://a.example', 'http://localhost:3000']);
    expect(settingsFromEnv({ TAPEWORKS_CORS_ORIGINS: '*' }).corsOrigins).toEqual(['*']);
  });

  it.each([
    ['TAPEWORKS_TRUST_PROXY', 'proxy.example'],
    ['TAPEWORKS_TRUST_PROXY', '10.0.0.0/33'],
    ['TAPEWORKS_TRUST_PROXY', '-1'],
    ['TAPEWORKS_CORS_ORIGINS', 'https://a.example/'],
    ['TAPEWORKS_CORS_ORIGINS', 'a.example'],
    ['TAPEWORKS_CORS_ORIGINS', 'null'],
  ])('refuse %s=%s', (name, value) => {
    expect(() => settingsFromEnv({ [name]: value })).toThrow(`${name} must be`);
  });

  it('read a rate limit', () => {
    expect(rateLimitFromText('5/10', '--limit')).toEqual({ requests: 5, windowS: 10 });
  });

  it('take the sources that schedules may use', () => {
    const read = (env: Record<string, string>) => settingsFromEnv(env);
    expect(read({}).schedule).toEqual([]);
    expect(read({ TAPEWORKS_SCHEDULE: 'RSS, nasdaq' }).schedule).toEqual(['rss', 'nasdaq']);
    expect(read({ TAPEWORKS_SCHEDULE: 'off' }).schedule).toBe('off');
    expect(() => read({ TAPEWORKS_SCHEDULE: 'rss,alpaca' })).toThrow(/TAPEWORKS_SCHEDULE must be/);
    expect(read({ TAPEWORKS_WATCHLIST: 'aapl, brk-b AAPL' }).watchlist).toEqual(['AAPL', 'BRK.B']);
    expect(() => read({ TAPEWORKS_WATCHLIST: 'AAPL,$%' })).toThrow(/TAPEWORKS_WATCHLIST must be/);
    expect(() => read({ TAPEWORKS_WATCHLIST: 'AAPL,ETH-USD' })).toThrow(
      'TAPEWORKS_WATCHLIST must be a list of symbols, and "ETH-USD" is a cryptocurrency',
    );
  });
});
