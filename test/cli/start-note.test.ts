import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { startPaths } from '../../src/base/config/data-dir.ts';
import { runningAddress, writeStartNote } from '../../src/cli/start-note.ts';
import { freshFolder } from '../support/folders.ts';

const NOTE = { since: '2026-11-23T12:00:00.000Z', address: 'http://127.0.0.1:8790' };

it('names the address of a start that runs, and none of one that was killed', () => {
  const folder = freshFolder();
  expect(runningAddress(folder)).toBe(undefined);
  writeStartNote(folder, { ...NOTE, pid: process.pid });
  expect(runningAddress(folder)).toBe(NOTE.address);
  const { pid } = spawnSync(process.execPath, ['--version']);
  writeStartNote(folder, { ...NOTE, pid });
  expect(runningAddress(folder)).toBe(undefined);
});

it('names none while a start is not yet listening, or writes its note', () => {
  const folder = freshFolder();
  writeStartNote(folder, { pid: process.pid, since: NOTE.since });
  expect(runningAddress(folder)).toBe(undefined);
  writeFileSync(startPaths(folder).holder, '{"pid":');
  expect(runningAddress(folder)).toBe(undefined);
});
