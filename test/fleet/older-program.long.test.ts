/**
 * A rolling restart from an older commit of this repository to this program, and the way back: one
 * bucket, one Postgres and one Redis, while a client checks every response of all machines.
 */

import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bin } from '../cli/support/run-cli.ts';
import { root } from '../deploy/files.ts';
import { tell } from '../faults/scale.ts';
import { sharedFolder } from '../support/folders.ts';
import { redisServer, seaweedfs } from '../support/tools.ts';
import { type Fleet, type Machine, type Node, startFleet } from './fleet.ts';

/**
 * The commit to upgrade from; its dependencies must be among today's. Its published files must have
 * today's format.
 */
const OLDER = process.env.TAPEWORKS_OLDER ?? '87638927';

const PARTS = ['bin', 'clients/typescript', 'data', 'jobs', 'package.json', 'src'];

/** Writes a commit into a folder. @returns its launcher. */
function writeCommit(commit: string, folder: string): string {
  mkdirSync(folder);
  const archive = join(folder, 'commit.tar');
  execFileSync('git', ['archive', '--output', archive, commit, ...PARTS], { cwd: root });
  execFileSync('tar', ['-xf', archive, '-C', folder]);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return join(folder, 'bin/tapeworks.js');
}

describe.skipIf(!seaweedfs || !redisServer)('a rolling restart from an older commit', () => {
  const home = sharedFolder();
  const programs = new Map<string, string>();
  let older: string;
  let fleet: Fleet;

  beforeAll(async () => {
    older = writeCommit(OLDER, join(home, 'older'));
    fleet = await startFleet({ machines: 2, program: (name) => programs.get(name) ?? older });
  });
  afterAll(() => fleet?.remove());

  async function restart(node: Node | Machine, program: string): Promise<void> {
    programs.set(node.name, program);
    if ('address' in node) {
      await fleet.kill(node, 'SIGTERM');
      await fleet.start(node);
    } else {
      await node.kill('SIGTERM');
      await node.start();
    }
  }

  /** Publishes, and lets each machine make a key that the other one admits and revokes. */
  async function use(): Promise<void> {
    await fleet.publish();
    const [one, two] = fleet.machines;
    for (const [here, there] of [
      [one, two],
      [two, one],
    ]) {
      const { id, rawKey } = await fleet.makeKey(here);
      await fleet.untilStatus(there, rawKey, 200);
      await fleet.revokeKey(there, id);
      await fleet.untilStatus(here, rawKey, 401);
    }
    await fleet.untilFollowed();
    const { responses } = await fleet.check();
    expect(responses).toBeGreaterThan(0);
    tell('a rolling restart, forward and back', { responses, steps: 1 });
  }

  it('changes no response, and loses no count, key or event', async () => {
    await use();
    const { machines, worker, fetcher } = fleet;
    const order = [machines[0], worker, fetcher, machines[1]];
    for (const node of order) {
      await restart(node, bin);
      await use();
    }
    // A worker that loads reads what older ones fetched, and not the reverse.
    for (const node of order.toReversed()) {
      await restart(node, older);
      await use();
    }
  });
});
