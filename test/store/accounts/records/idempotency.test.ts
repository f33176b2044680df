import { describe, expect, it } from 'vitest';
import { answerSeal, type Claim } from '../../../../src/store/accounts/records/idempotency.ts';
import { overDatabases, START_MS } from '../support/use-accounts.ts';

type Claimed = Extract<Claim, { state: 'claimed' }>;

const bytesOf = (value: unknown) =>
  value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value);

overDatabases((fixture) => {
  const RAW_KEY = `svc_live_${'a'.repeat(33)}`;
  const HOUR_MS = 3_600_000;

  async function keep(text = 'the answer'): Promise<Buffer> {
    const seal = answerSeal(RAW_KEY, 'POST one');
    const { claimedMs } = (await fixture.accounts.claim(seal.id)) as Claimed;
    await fixture.accounts.keepAnswer(seal.id, claimedMs, async () => ({
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
      await fixture.accounts.releaseClaim(id, START_MS);
      expect((await fixture.accounts.claim(id)).state).toBe('claimed');
    });

    it('is seen by other processes', async () => {
      const { id } = answerSeal(RAW_KEY, 'POST one');
      await fixture.accounts.claim(id);
      expect((await fixture.openOther().claim(id)).state).toBe('running');
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
      await fixture.accounts.releaseClaim(id, START_MS);
      const claim = await fixture.accounts.claim(id);
      const seal = answerSeal(RAW_KEY, 'POST one');
      if (claim.state !== 'answered') throw new Error(claim.state);
      expect(seal.open(claim.sealed)).toBe('the answer');
      expect(seal.fingerprintOf('{}').equals(claim.fingerprint)).toBe(true);
      expect(seal.fingerprintOf('{"a":1}').equals(claim.fingerprint)).toBe(false);
    });

    it('is stored together with its work, or not at all', async () => {
      const seal = answerSeal(RAW_KEY, 'POST one');
      const { claimedMs } = (await fixture.accounts.claim(seal.id)) as Claimed;
      const failing = () =>
        fixture.accounts.keepAnswer(seal.id, claimedMs, async (within) => {
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

    it('of a claim that took over is not replaced by the slow first one', async () => {
      const seal = answerSeal(RAW_KEY, 'POST one');
      const { claimedMs } = (await fixture.accounts.claim(seal.id)) as Claimed;
      fixture.clock.nowMs += 60_000;
      await keep();
      const late = fixture.accounts.keepAnswer(seal.id, claimedMs, async (within) => {
        await within.createAccount({ id: 'late', label: 'x' });
        return { result: '', fingerprint: seal.id, sealed: seal.id };
      });
      await expect(late).rejects.toThrow('has taken over');
      await fixture.accounts.releaseClaim(seal.id, claimedMs);
      expect((await fixture.accounts.claim(seal.id)).state).toBe('answered');
      expect(await fixture.accounts.findAccount('late')).toBeUndefined();
    });

    it('can neither be read in the file nor with another key', async () => {
      await keep(`{"rawKey":"${RAW_KEY}"}`);
      const rows = await fixture.query('SELECT * FROM idempotency');
      const text = rows.flatMap((row) => Object.values(row).map((value) => bytesOf(value)));
      expect(text.join()).not.toContain(RAW_KEY.slice(9));
      const claim = await fixture.accounts.claim(answerSeal(RAW_KEY, 'POST one').id);
      if (claim.state !== 'answered') throw new Error(claim.state);
      expect(() => answerSeal(`${RAW_KEY}b`, 'POST one').open(claim.sealed)).toThrow();
      expect(() => answerSeal(RAW_KEY, 'POST two').open(claim.sealed)).toThrow();
    });
  });
});
