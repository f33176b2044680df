/** The publisher is killed in mid-upload: machines serve on, and follow the next process. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { redisServer, seaweedfs } from '../support/tools.ts';
import { type Fleet, startFleet } from './fleet.ts';

describe.skipIf(!seaweedfs || !redisServer)('a publisher killed in mid-upload', () => {
  let fleet: Fleet;
  beforeAll(async () => {
    fleet = await startFleet({ machines: 2, isQuick: true });
  });
  afterAll(() => fleet?.remove());

  it('changes no response, and the next process uploads its version', async () => {
    const { worker, client, machines } = fleet;
    const before = fleet.date();
    const killed = new Promise<void>((resolve) => {
      let uploads = 0;
      worker.proxy.rule = (line) => {
        if (!/^PUT .*\/files\//.test(line)) return undefined;
        if (++uploads === 3) worker.kill().then(resolve);
        return uploads >= 3 ? 'hang' : undefined;
      };
    });
    const published = fleet.publish();
    published.catch(() => undefined);
    await killed;
    worker.proxy.rule = undefined;
    await fleet.untilPublished();
    expect(machines.map(({ name }) => client.dateOf(name))).toEqual([before, before]);
    await worker.start();
    await fleet.untilFollowed();
    await published;
    const { responses } = await fleet.check();
    expect(responses).toBeGreaterThan(0);
  });
});
