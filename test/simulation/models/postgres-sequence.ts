/**
 * Runs a random sequence of work on accounts and prints what each step returns: `SEED FOLDER [URL]`.
 * Without an address it runs over the model of Postgres.
 *
 * Ids and keys differ from run to run, so they are printed by their number.
 */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../random.ts';

const [seedText, folder, url] = process.argv.slice(2);
const seed = Number(seedText);
if (url === undefined) {
  await import('../register.ts');
  const { Simulation, simulate } = await import('../simulation.ts');
  simulate(new Simulation(seed)).faults.isOn = false;
}
const { accountsPlace } = await import('../../../src/base/config/data-dir.ts');
const { openAccounts } = await import('../../../src/store/accounts/open.ts');

const STEPS = 150;
const START_MS = Date.UTC(2026, 0, 5, 12);

const random = new Random(seed, 'sequence');
let nowMs = START_MS;
const open = (machine: number) => {
  const own = join(folder, `${machine}`);
  mkdirSync(own, { recursive: true });
  const place = accountsPlace(own, url ?? 'postgres://tapeworks@db/accounts');
  return openAccounts({ ...place, keyPath: join(folder, 'webhook.key') }, () => nowMs);
};
let machines = [open(0), open(1)];

const ids = new Map<string, string>();
/** Replaces ids, keys and secrets, which are random, by numbers. */
function printed(value: unknown): string {
  return JSON.stringify(value ?? null).replaceAll(
    /"(?:[a-z]+_[\w+/=-]{8,}|[0-9a-f-]{36}|tw[\w-]{16,})"/g,
    (id) => ids.get(id) ?? ids.set(id, `"#${ids.size}"`).get(id)!,
  );
}

const keys: { id: string; rawKey: string }[] = [];
const hooks: string[] = [];
let events = 0;
let position = 0;
const account = () => random.pick(['default', 'other']);

type Machine = (typeof machines)[number];
type Claimed = Awaited<ReturnType<Machine['claimDeliveries']>>;
let claimed: Claimed = [];

/** Each returns what is compared. */
const WORK: Record<string, (own: Machine) => Promise<unknown>> = {
  createKey: async (own) => {
    const made = await own.createKey({
      ...{ mode: 'live', label: 'k', scopes: ['all'], limit: null, account: account() },
    });
    keys.push(made);
    return made.id;
  },
  revokeKey: async (own) => {
    const { account: owner, label } = await own.revokeKey(random.pick(keys).id);
    return [owner, label];
  },
  find: async (own) => {
    await own.refresh();
    return keys.map(({ rawKey }) => own.findKey(rawKey)?.account);
  },
  use: async (own) => {
    await own.refresh();
    for (const { rawKey } of keys) {
      const key = own.findKey(rawKey);
      const use = { atMs: nowMs, endpoint: random.pick(['quotes', 'bars']), method: 'GET' };
      if (key) own.count({ key, ...use, isError: random.next() < 0.2, tokens: random.below(5) });
    }
    own.flush();
  },
  // A server sends usage once a second, and at the latest in its close.
  reopen: async () => {
    for (const machine of machines) {
      await machine.refresh();
      await machine.close();
    }
    machines = [open(0), open(1)];
    for (const machine of machines) await machine.refresh();
  },
  usage: async (own) => {
    await WORK.reopen(own);
    const filter = { mode: 'live', fromDay: 0, toDay: 30_000, rowsMax: 1000 } as const;
    return (await machines[0].dailyKeyUsage(filter)).map((row) => printed(row)).sort();
  },
  createWebhook: async (own) => {
    if (hooks.length > 5) return undefined;
    const url = `https://example.com/${hooks.length}`;
    const { id } = await own.createWebhook({
      ...{ account: 'default', mode: 'live', url, events: ['data.ready'] },
    });
    hooks.push(id);
    return own.subscriptions('live');
  },
  addEvents: async (own) => {
    const from = Math.max(0, events - random.below(3));
    events = from + random.below(4);
    const added = Array.from({ length: events - from }, (_, i) => eventOf(`evt_number${from + i}`));
    return own.addEvents('live', added);
  },
  advanceRelay: async (own) => {
    position += random.below(3);
    const at = { seq: position, storeMark: `${position}`, version: `${position}` };
    await own.advanceRelay('live', at, async (within) => {
      await within.addEvents('live', [eventOf(`evt_relayed${position}`)]);
    });
    return own.relayPosition('live');
  },
  claim: async (own) => {
    claimed = await own.claimDeliveries(random.below(5));
    return claimed.map(({ eventId, url: address, attempts }) => [eventId, address, attempts]);
  },
  settle: async (own) => {
    const settled: boolean[] = [];
    for (const one of claimed) {
      const isDelivered = random.next() < 0.5;
      const attempt = {
        status: isDelivered ? ('delivered' as const) : ('pending' as const),
        attempts: one.attempts + 1,
        responseStatus: isDelivered ? 200 : 503,
        error: null,
        nextMs: isDelivered ? null : nowMs + 60_000,
      };
      settled.push(await own.settleDelivery(one, attempt));
    }
    return settled;
  },
  next: (own) => own.nextDeliveryMs(),
  figures: (own) => own.deliveryFigures(),
  report: async (own) => {
    await WORK.reopen(own);
    return machines[1].keysReport();
  },
  roll: async (own) => {
    await WORK.reopen(own);
    return machines[1].rollUp();
  },
  old: (own) => own.removeOld(),
};

function eventOf(id: string) {
  return { id, type: 'data.ready', occurredAtMs: 0, symbols: undefined, data: {} } as const;
}

// A row that Postgres refuses uses up a number, and none of the model.
for (const id of ['default', 'other']) {
  keys.push(
    await machines[0].createKey({ mode: 'live', label: 'k', scopes: ['all'], account: id }),
  );
}
for (let step = 0; step < STEPS; step++) {
  nowMs += random.pick([0, 100, 5000, 3_600_000, 40 * 3_600_000]);
  const name = random.pick(Object.keys(WORK));
  const told = await WORK[name](random.pick(machines)).then(printed, () => 'fails');
  console.log(`${step} ${name} ${told}`);
}
for (const machine of machines) await machine.close();
process.exit(0);
