/** Values that `TAPEWORKS_REDIS_URL` may have. */

import { describe, expect, it } from 'vitest';
import { settingsFromEnv } from '../../../src/base/config/config.ts';
import { redisPlace, withoutPassword } from '../../../src/base/redis/redis-address.ts';

const read = (url: string) => settingsFromEnv({ TAPEWORKS_REDIS_URL: url }).redisUrl;

describe('the address of Redis', () => {
  it('is one server', () => {
    for (const url of ['redis://host', 'rediss://user:secret@host:6380/2', 'redis://[::1]:6379/']) {
      expect(read(url)).toBe(url);
      expect(redisPlace(url)).toEqual({ url });
    }
    expect(read('')).toBeUndefined();
  });

  it('is sentinels and the name of their master', () => {
    expect(redisPlace('redis+sentinel://a.example,b:26380/store')).toEqual({
      sentinels: [
        { host: 'a.example', port: 26_379 },
        { host: 'b', port: 26_380 },
      ],
      ...{ name: 'store', db: 0 },
    });
    const whole =
      'rediss+sentinel://us%40er:p%3Aw@[::1]:5000/store/3?sentinelPassword=other&sentinelUsername=s';
    expect(redisPlace(whole)).toEqual({
      sentinels: [{ host: '::1', port: 5000 }],
      ...{ name: 'store', db: 3, username: 'us@er', password: 'p:w' },
      ...{ sentinelUsername: 's', sentinelPassword: 'other' },
      ...{ tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true },
    });
    expect(withoutPassword(whole)).toBe('rediss+sentinel://[::1]:5000/store/3');
  });

  it.each([
    ['localhost:6379', 'must be an address like redis://host:6379'],
    ['http://host', 'must be an address like redis://host:6379'],
    ['redis://', 'must be an address like redis://host:6379'],
    ['redis://host/store', 'must end in the number of a database'],
    ['redis+sentinel://u:secret@host', 'must name its master'],
    ['redis+sentinel://u:secret@host:99999/store', 'must name sentinels as host:port'],
    ['redis+sentinel://u:secret@a,,b/store', 'must name sentinels as host:port'],
    ['redis+sentinel://u:secret@a/store/x', 'must end in the master, a database number'],
    ['redis+sentinel://u:secret@a/store?db=1', 'must end in the master, a database number'],
    ['redis+sentinel://u:%secret@a/store', 'must escape special characters'],
  ])('is not %s, and its password is not said', (url, rule) => {
    expect(() => read(url)).toThrow(`TAPEWORKS_REDIS_URL ${rule}`);
    expect(() => read(url)).not.toThrow('secret');
  });
});
