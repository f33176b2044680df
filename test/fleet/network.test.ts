import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { makeNetwork, removeLeftNetworks } from './network.ts';

// A killed test left them, and Postgres of the next one was asked through their cables.
it('removes the networks of a killed process, and no other', (context) => {
  const kept = makeNetwork(200);
  if (!kept) return context.skip('only root makes namespaces');
  try {
    const { pid } = spawnSync('true');
    makeNetwork(201, pid);
    const cables = [0, 1, 2, 3].map((i) => `tw${pid}-201-${i}`);
    expect(removeLeftNetworks()).toEqual(
      expect.arrayContaining([...cables, `tapeworks-${pid}-201`]),
    );
    expect(spawnSync(kept.within[0], [...kept.within.slice(1), 'true']).status).toBe(0);
    expect(removeLeftNetworks()).toEqual([]);
  } finally {
    kept.remove();
  }
});
