import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { modePaths } from '../../src/base/config/data-dir.ts';
import { MANIFEST_NAME } from '../../src/store/arrow/format/manifest.ts';
import { startTestServer, type TestServer } from '../api/support/test-server.ts';
import { inFreshFolder } from './children/run.ts';
import { scaled, seededRandom, tell } from './scale.ts';
import { flipped } from './support/flip.ts';
import { NOW_MS } from './support/flow.ts';
import { withUndisturbed } from './support/undisturbed.ts';

/** Each is answered from other files than the one before it. */
const QUESTIONS = [
  'quotes/B',
  'candles?symbols=A,B,C&interval=1d&format=csv',
  'candles?symbols=A&interval=1w&format=csv',
  'candles?symbols=A&interval=1m&format=csv',
  'technical/B?indicators=sma,rsi,macd',
  'technical/C?interval=1M',
  'screener?sort=volume',
  'symbols',
  'news',
  'news/A',
  'analyst-targets/B',
];

const REFUSED = '503';

/** Status and body of every question, in turn. */
async function answersOf({ get }: TestServer, rawKey: string): Promise<string[]> {
  const answers: string[] = [];
  for (const question of QUESTIONS) {
    const reply = await get(`/v1/svc/${question}`, { 'X-API-Key': rawKey }).catch((error) => {
      if (error.cause?.code !== 'UND_ERR_SOCKET') throw error;
    });
    // A stream that meets damage after its head is broken off: nobody takes it for an answer.
    if (!reply || reply.status === 503) answers.push(REFUSED);
    else answers.push(`${reply.status} ${reply.text}`);
  }
  return answers;
}

/** Runs a server over a data directory whose published files are those of `serving`. */
async function withServer<T>(
  dataDir: string,
  serving: string,
  work: (ask: () => Promise<string[]>) => Promise<T>,
): Promise<T> {
  const place = modePaths(dataDir, 'live').serving;
  rmSync(place, { recursive: true, force: true });
  cpSync(serving, place, { recursive: true });
  const server = await startTestServer(dataDir, NOW_MS);
  try {
    const rawKey = await server.newKey({ mode: 'live' });
    return await work(() => answersOf(server, rawKey));
  } finally {
    await server.close();
  }
}

/** The file of a random byte of all: large ones are met more often. */
function fileOf(folder: string, random: () => number): string {
  const files = readdirSync(folder).map((name) => ({
    name,
    bytes: statSync(join(folder, name)).size,
  }));
  let place = random() * files.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const { name, bytes } of files) {
    if (place < bytes) return name;
    place -= bytes;
  }
  return files[0].name;
}

/** Puts the files of another version beside those that are there, and swaps the manifest last. */
function publishFiles(from: string, serving: string): void {
  for (const name of readdirSync(from)) {
    if (name !== MANIFEST_NAME) cpSync(join(from, name), join(serving, name));
  }
  cpSync(join(from, MANIFEST_NAME), join(serving, 'next'));
  renameSync(join(serving, 'next'), join(serving, MANIFEST_NAME));
}

/** Asks until an answer changes, or often enough that the server has looked. */
async function askOften(ask: () => Promise<string[]>, known: readonly string[]) {
  const rounds: string[][] = [];
  for (let i = 0; i < 4; i++) {
    rounds.push(await ask());
    if (String(rounds.at(-1)) !== String(known) && i > 0) break;
  }
  return rounds;
}

it('a server answers from damaged files as from whole ones, from the version before, or 503', () =>
  withUndisturbed(async (stages) =>
    inFreshFolder(async (home) => {
      const random = seededRandom(10);
      const [older, newer, damaged] = ['older', 'newer', 'damaged'].map((n) => join(home, n));
      for (const [i, folder] of [older, newer].entries()) {
        mkdirSync(join(home, `stage-${i}`));
        stages[i + 1].prepare(join(home, `stage-${i}`));
        renameSync(modePaths(join(home, `stage-${i}`), 'live').serving, folder);
      }
      const dataDir = join(home, 'data');
      mkdirSync(dataDir);
      const { serving } = modePaths(dataDir, 'live');
      const expected = await withServer(dataDir, newer, (ask) => ask());
      for (const [i, answer] of expected.entries()) {
        expect(answer, QUESTIONS[i]).toMatch(/^200 /);
      }
      const before = await withServer(dataDir, older, (ask) => ask());
      expect(before).not.toEqual(expected);

      const found = { 'from the version before': 0, refused: 0, right: 0 };
      const judge = (answers: readonly string[], title: string, old: readonly string[] = []) => {
        for (const [i, answer] of answers.entries()) {
          const allowed = [expected[i], REFUSED, ...(old[i] ? [old[i]] : [])];
          expect(allowed, `${title}, ${QUESTIONS[i]}`).toContain(answer);
          if (answer === expected[i]) found.right++;
          else if (answer === REFUSED) found.refused++;
          else found['from the version before']++;
        }
      };
      const flips = scaled(6, 200);
      for (let i = 0; i < flips; i++) {
        // Two keep the whole version from being opened: at the start, and while a server answers.
        const name = i < 2 ? MANIFEST_NAME : fileOf(newer, random);
        rmSync(damaged, { recursive: true, force: true });
        cpSync(newer, damaged, { recursive: true });
        const bytes = readFileSync(join(newer, name));
        writeFileSync(join(damaged, name), flipped(bytes, random));
        // Half of them when the server starts, the others while it answers.
        if (i % 2 === 0)
          await withServer(dataDir, damaged, async (ask) => judge(await ask(), name));
        else {
          await withServer(dataDir, older, async (ask) => {
            await ask();
            publishFiles(damaged, serving);
            for (const answers of await askOften(ask, before)) judge(answers, name, before);
          });
        }
      }
      expect(found.refused).toBeGreaterThan(0);
      expect(found['from the version before']).toBeGreaterThan(0);
      tell('flipped bytes under a server', { flips, ...found, 'wrong answers': 0 });
    }),
  ));
