import { expect, it, onTestFinished } from 'vitest';
import { accountsPath } from '../../../../src/base/config/data-dir.ts';
import { openAccounts } from '../../../../src/store/accounts/admission/sqlite-accounts.ts';
import { mountSmallDisk, NAMES_THE_DISK } from '../../../support/small-disk.ts';

const PAGE_BYTES = 4096;

it('a disk that fills up while the tables are made is named, and room is all that is missing', (context) => {
  const disk = mountSmallDisk(4 * 1024 * 1024);
  if (!disk) return context.skip('only root may mount a tmpfs');
  onTestFinished(disk.remove);
  let refused = 0;
  let isMade = false;
  for (let pages = 0; !isMade; pages += 8) {
    disk.clear();
    disk.fill(pages * PAGE_BYTES);
    try {
      openAccounts(accountsPath(disk.folder)).close();
      isMade = true;
    } catch (error) {
      refused++;
      expect((error as Error).message, `${pages} pages`).toMatch(NAMES_THE_DISK);
    }
    disk.free();
    openAccounts(accountsPath(disk.folder)).close();
  }
  expect(refused).toBeGreaterThan(3);
});

it('a file that exists is read with any number of free pages, by several connections', async (context) => {
  const disk = mountSmallDisk(4 * 1024 * 1024);
  if (!disk) return context.skip('only root may mount a tmpfs');
  onTestFinished(disk.remove);
  const path = accountsPath(disk.folder);
  const first = openAccounts(path);
  const { rawKey } = await first.createKey({ mode: 'live', label: 'x', scopes: ['all'] });
  await first.close();
  for (let pages = 0; pages < 40; pages++) {
    disk.fill(pages * PAGE_BYTES);
    const opened = [openAccounts(path), openAccounts(path), openAccounts(path)];
    for (const accounts of opened) {
      expect(accounts.findKey(rawKey)).toBeDefined();
      accounts.flush();
      expect(accounts.findKey(rawKey)).toBeDefined();
    }
    disk.free();
    await opened[0].createKey({ mode: 'live', label: `${pages}`, scopes: ['all'] });
    for (const accounts of opened) {
      expect(await accounts.listKeys()).toHaveLength(pages + 2);
      await accounts.close();
    }
  }
});
