/**
 * `backfill sec --statements` over several quarters, killed on the way: the same command again
 * leaves the store that it leaves without a kill.
 */

import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startVendorServer, type VendorServer } from '../../ingest/support/vendor-server.ts';
import {
  incomeLines,
  type SetFilingText,
  setZip,
} from '../../ingest/vendors/sec/support/set-text.ts';
import { type CliFolder, createCliFolder } from '../support/run-cli.ts';

const COMPANIES = 3;
const QUARTERS = ['2010q1', '2010q2', '2010q3', '2010q4', '2011q1', '2011q2', '2011q3'];

/** Month in which a quarter's reports are filed, and the end of the period before it. */
function filing(cik: number, name: string): SetFilingText {
  const [year, nth] = name.split('q').map(Number);
  const end = nth === 1 ? `${year - 1}1231` : `${year}${['0331', '0630', '0930'][nth - 2]}`;
  const isYear = nth === 1;
  const revenue = isYear ? 450 + 10 * cik : 100 + cik + nth;
  const when = `${end}/${isYear ? 4 : 1}`;
  return {
    adsh: `000000000${cik}-${String(year % 100).padStart(2, '0')}-00000${nth}`,
    ...{ cik, form: isYear ? '10-K' : '10-Q', period: end },
    filed: `${year}${['0215', '0505', '0805', '1105'][nth - 1]}`,
    fy: isYear ? year - 1 : year,
    fp: isYear ? 'FY' : `Q${nth - 1}`,
    lines: [
      ...incomeLines(when, { Revenues: revenue, NetIncomeLoss: cik, OperatingIncomeLoss: 2 * cik }),
      { stmt: 'BS', tag: 'Assets', values: { [end]: 1000 + cik } },
      { stmt: 'BS', tag: 'StockholdersEquity', values: { [end]: 400 + cik } },
    ],
  };
}

const zips = new Map(
  QUARTERS.map((name) => [
    name,
    setZip(Array.from({ length: COMPANIES }, (_, i) => filing(i + 1, name))),
  ]),
);

const RUN = ['backfill', 'sec', '--statements', '2010q3..2011q3'];

describe('quarters of statements after a kill', () => {
  const folders: CliFolder[] = [];
  let server: VendorServer;
  let onRequest: (zips: number) => void = () => undefined;
  let asked = 0;

  function folder(): CliFolder {
    const env = {
      ...{ TAPEWORKS_SEC_URL: server.url, TAPEWORKS_CONTACT: 'me@example.com' },
    };
    const created = createCliFolder(env);
    folders.push(created);
    return created;
  }

  beforeAll(async () => {
    server = await startVendorServer(({ url }, response) => {
      const name = /(\d{4}q\d)\.zip$/.exec(url.pathname)?.[1];
      if (name) onRequest(++asked);
      if (name && zips.has(name)) response.end(zips.get(name));
      else if (url.pathname.endsWith('company_tickers_exchange.json')) {
        const data = [1, 2, 3].map((cik) => [
          cik,
          `Company ${cik}`,
          `TST${'ABC'[cik - 1]}`,
          'NYSE',
        ]);
        response.end(JSON.stringify({ fields: ['cik', 'name', 'ticker', 'exchange'], data }));
      } else response.writeHead(404).end();
    });
  });
  afterAll(async () => {
    await server.close();
    await Promise.all(folders.map((one) => one.remove()));
  });

  /** Returns all rows in one order; the numbers of segments tell what was staged before a kill. */
  async function rowsOf(cli: CliFolder): Promise<unknown[]> {
    const rows: unknown[] = [];
    for (const table of ['statements', 'balance_sheet', 'filings']) {
      rows.push(await cli.json('sql', `SELECT * EXCLUDE (segment_seq) FROM ${table} ORDER BY ALL`));
    }
    return rows;
  }

  let whole: Promise<unknown[]> | undefined;
  const undisturbed = () => {
    whole ??= (async () => {
      const cli = folder();
      await cli.json(...RUN);
      return rowsOf(cli);
    })();
    return whole;
  };

  /** Runs until a number of quarters was asked for. @returns true if it was killed then. */
  async function killedRun(cli: CliFolder, requests: number): Promise<boolean> {
    const before = asked;
    const child = cli.spawn(...RUN);
    onRequest = (count) => void (count - before === requests && child.kill('SIGKILL'));
    child.stdout?.resume();
    child.stderr?.resume();
    const [, signal] = await once(child, 'close');
    onRequest = () => undefined;
    return signal === 'SIGKILL';
  }

  it.each([4, 8])('while quarter %i of its downloads is asked for', async (nth) => {
    const expected = await undisturbed();
    expect(expected.flat().length).toBeGreaterThan(45);
    const cli = folder();
    expect(await killedRun(cli, nth)).toBe(true);
    await cli.json(...RUN);
    expect(await rowsOf(cli)).toEqual(expected);
  });
});
