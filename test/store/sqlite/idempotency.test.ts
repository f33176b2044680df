import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openAccounts } from '../../../src/store/sqlite/accounts.ts';
import { answerSeal } from '../../../src/store/sqlite/idempotency.ts';
import { START_MS, useAccounts } from './support/open-accounts.ts';

const fixture = useAccounts();

const RAW_KEY = `svc_live_${'a'.repeat(33)}`;
const HOUR_MS = 3_600_000;

async function keep(text = 'the answer'): Promise<Buffer> {
  const seal = answerSeal(RAW_KEY, 'POST one');
  await fixture.accounts.claim(seal.id);
  await fixture.accounts.keepAnswer(seal.id, async () => ({
    result: text,
    fingerprint: seal.fingerprintOf('{}'),
    sealed: seal.seal(text),
  }));
  return seal.id;
}

describe('a claim', () => {
  it('is given once, until it is released', async () => {
    const { id } = answerSeal(RAW_KEY, 'POST one');
    expect((await fixture.accounts.claim(id)).state).toBe('claimed');
    expect((await fixture.accounts.claim(id)).state).toBe('running');
    await fixture.accounts.releaseClaim(id);
    expect((await fixture.accounts.claim(id)).state).toBe('claimed');
  });

  it('is seen by other processes', async () => {
    const { id } = answerSeal(RAW_KEY, 'POST one');
    await fixture.accounts.claim(id);
    const other = openAccounts(fixture.path, () => START_MS);
    expect((await other.claim(id)).state).toBe('running');
    await other.close();
  });

  it('of a process that died is free after a minute', async () => {
    const { id } = answerSeal(RAW_KEY, 'POST one');
    await fixture.accounts.claim(id);
    fixture.clock.nowMs += 60_000;
    expect((await fixture.accounts.claim(id)).state).toBe('claimed');
    expect((await fixture.accounts.claim(id)).state).toBe('running');
  });
});

describe('a kept answer', () => {
  it('is found again, and not released', async () => {
    const id = await keep();
    await fixture.accounts.releaseClaim(id);
    const claim = await fixture.accounts.claim(id);
    const seal = answerSeal(RAW_KEY, 'POST one');
    if (claim.state !== 'answered') throw new Error(claim.state);
    expect(seal.open(claim.sealed)).toBe('the answer');
    expect(seal.fingerprintOf('{}').equals(claim.fingerprint)).toBe(true);
    expect(seal.fingerprintOf('{"a":1}').equals(claim.fingerprint)).toBe(false);
  });

  it('is stored together with its work, or not at all', async () => {
    const seal = answerSeal(RAW_KEY, 'POST one');
    await fixture.accounts.claim(seal.id);
    const failing = () =>
      fixture.accounts.keepAnswer(seal.id, async (within) => {
        await within.createKey({ mode: 'live', label: 'x', scopes: ['all'] });
        throw new Error('the power is gone');
      });
    await expect(failing()).rejects.toThrow('the power is gone');
    expect(await fixture.accounts.listKeys()).toEqual([]);
    expect((await fixture.accounts.claim(seal.id)).state).toBe('running');
  });

  it.each([
    ['a day later, when the next one claims', () => fixture.accounts.claim(Buffer.alloc(32))],
    ['a day later, when a process starts', () => fixture.reopen()],
  ])('is erased %s', async (_when, act) => {
    const id = await keep();
    fixture.clock.nowMs += 24 * HOUR_MS - 1;
    expect((await fixture.accounts.claim(id)).state).toBe('answered');
    fixture.clock.nowMs += 1;
    await act();
    expect((await fixture.accounts.claim(id)).state).toBe('claimed');
  });

  it('can neither be read in the file nor with another key', async () => {
    await keep(`{"rawKey":"${RAW_KEY}"}`);
    const folder = dirname(fixture.path);
    const bytes = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
    expect(bytes.join()).not.toContain(RAW_KEY.slice(9));
    const claim = await fixture.accounts.claim(answerSeal(RAW_KEY, 'POST one').id);
    if (claim.state !== 'answered') throw new Error(claim.state);
    expect(() => answerSeal(`${RAW_KEY}b`, 'POST one').open(claim.sealed)).toThrow();
    expect(() => answerSeal(RAW_KEY, 'POST two').open(claim.sealed)).toThrow();
  });
});
