/** The arithmetic of the Python package gives the bits of the server's own. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BASES, type BarColumns, type Basis } from '../../src/base/bars.ts';
import { priceChange } from '../../src/base/prices/price-change.ts';
import { canonicalSymbol } from '../../src/base/symbols.ts';
import { adjustBars, derivableBases } from '../../src/compute/bars/adjust.ts';
import { resampleDaily } from '../../src/compute/bars/resample-daily.ts';
import { freshFolder } from '../support/folders.ts';
import { runPython } from '../support/python-package.ts';
import { python } from '../support/tools.ts';

const FIRST_DAY = 19_000;
const DAY_US = 86_400_000_000n;

/** Returns what a program prints for a value, which it finds in `given`. */
async function fromPython(program: string, given: unknown) {
  const path = join(freshFolder(), 'given.json');
  writeFileSync(path, JSON.stringify(given));
  const head = 'import json, sys\ngiven = json.load(open(sys.argv[1]))\n';
  return JSON.parse(await runPython(head + program, { args: [path] }));
}

/** Synthetic series with splits of odd ratios and with dividends, some of a stated factor. */
function cases() {
  const random = seededRandom(7);
  const whole = (max: number) => 1 + Math.floor(random() * max);
  return Array.from({ length: 60 }, (_, number) => {
    const count = whole(80) + 1;
    const eventDay = () => FIRST_DAY - 2 + whole(count + 4);
    const column = (scale: number) => Array.from({ length: count }, () => random() * scale + 0.01);
    return {
      basis: (['raw', 'split', 'raw'] as const)[number % 3] as Basis,
      days: Array.from({ length: count }, (_unused, i) => FIRST_DAY + i),
      columns: [column(100), column(100), column(100), column(100), column(1e7)],
      splits: Array.from({ length: whole(5) - 1 }, () => [eventDay(), whole(12), whole(12)]),
      dividends: Array.from({ length: whole(7) - 1 }, () => {
        const factor = random() < 0.3 ? 0.9 + random() / 10 : null;
        return [eventDay(), random() * 3, factor, random() < 0.1 ? 'CAD' : null] as const;
      }),
      covered: [FIRST_DAY - (number % 7 === 0 ? -3 : 1), FIRST_DAY + count + whole(20) - 10],
      asOfUs:
        number % 4 === 0 ? Number(BigInt(FIRST_DAY + count - 5) * DAY_US) + 3_600_000_000 : null,
    };
  });
}

function expected(one: ReturnType<typeof cases>[number]) {
  const timestampUs = BigInt64Array.from(one.days, (day) => BigInt(day) * DAY_US);
  const [open, high, low, close, volume] = one.columns.map((values) => Float64Array.from(values));
  const bars: BarColumns = { timestampUs, open, high, low, close, volume };
  const source = {
    basis: one.basis,
    splits: one.splits.map(([exDay, numerator, denominator]) => ({
      exDay,
      numerator,
      denominator,
    })),
    dividends: one.dividends.map(([exDay, amount, factor, currency]) => ({
      exDay,
      amount,
      ...(factor !== null && { factor }),
      ...(currency !== null && { currency }),
    })),
    asOfUs: one.asOfUs === null ? undefined : BigInt(one.asOfUs),
  };
  const bases = derivableBases({
    ...source,
    asOfUs: source.asOfUs,
    actionCoverage: { fromDay: one.covered[0], toDay: one.covered[1] },
    firstBarUs: timestampUs[0],
    lastBarUs: timestampUs[timestampUs.length - 1],
  });
  const listed = (of: BarColumns) => [
    [...of.timestampUs].map(Number),
    ...[of.open, of.high, of.low, of.close, of.volume].map((values) => [...values]),
  ];
  const derived = BASES.filter((basis) => bases.includes(basis)).map((basis) => {
    const adjusted = adjustBars(bars, source, basis);
    const longer = (['1w', '1M'] as const).map((interval) => resampleDaily(adjusted, interval));
    return [adjusted, ...longer].map(listed);
  });
  return { bases, derived };
}

const ADJUST = `
import pyarrow as pa
from tapeworks.adjust import *
from tapeworks.columns import plain_values
day_us = 86_400_000_000
out = []
for one in given:
    facts = Facts(one["basis"], one["asOfUs"], tuple(one["covered"]),
                  [Split(day, (float(n), float(d))) for day, n, d in one["splits"]],
                  [Dividend(*paid) for paid in one["dividends"]])
    stamps = pa.array([day * day_us for day in one["days"]], pa.timestamp("us", "UTC"))
    times = plain_values(stamps)
    bars = [pa.array(values, pa.float64()) for values in one["columns"]]
    def close_before(day):
        row = [i for i, other in enumerate(one["days"]) if other < day][-1]
        return one["columns"][3][row], one["days"][row]
    bases = derivable_bases(facts, times[0], times[-1])
    derived = []
    for basis in BASES:
        if basis in bases:
            steps = adjustment_steps(facts, basis, times[0], times[-1], close_before)
            days = [stamps, *(scaled_bars(bars, times, steps) if steps else bars)]
            series = [days, combined_bars(days, "week"), combined_bars(days, "month")]
            derived.append([[s[0].cast(pa.int64()).to_pylist(), *(c.to_pylist() for c in s[1:])] for s in series])
    out.append({"bases": bases, "derived": derived})
print(json.dumps(out))`;

import { seededRandom } from '../faults/scale.ts';

describe.skipIf(!python)('the arithmetic of the Python package', () => {
  it('adjusts and combines bars as the server does', async () => {
    const given = cases();
    const derived = await fromPython(ADJUST, given);
    expect(derived).toEqual(given.map(expected));
    const counts = given.map((one) => expected(one).derived.length);
    expect(Math.max(...counts)).toBe(3);
    expect(Math.min(...counts)).toBe(1);
  });

  it('reads tickers in every spelling as the server does', async () => {
    const texts = (
      'ABR-P-A SPG.PR.J T-P-A BAC-P-L BACpL TpA BRKb HEIa BRK/B CCIV/WS BRK_B ABR_A.US ABR^D ' +
      'BAC/PL BAC.PL AAPL.O AAPL.OQ BRKb.N BAC_pl.N SPY.P COF-N COF-I Ko Aapl N/A ABRpw TDW/WS/B ' +
      'GIG-RT WFC-PR ABC.PK BAC-PA AAC/U AAPLd AAPL.XYZ ABRpAw BRK.b ABR_a C_pj GIGr RIVrw ALLpD.CL ' +
      'aapl BRK.B brk-b BRK/B ABR.PRA abr_a ABR-PA ABR$A MTB.PR mtb_ MTB-P MTB$ AIG.WS aig-ws ' +
      'AIG-WT AIG+ TDW.WS.B tdw-ws-b TDW-WTB TDW+B CIC.U cic-u CIC-UN CIC= GIG.RT gig-r GIG-RI ' +
      'GIG^ AMTM.WI amtm-wi AMTM# ALL.PRD.CL all_d-cl XYZ.201512 aapl.us brk-b.us riv-rw RIV^# ' +
      'BAC-PRL BACPRL CCIVWS ABCWS CCIV/WT CCIV/W CCIV.WTS TDW.WSB PSTH/UN GIG/R GIG.RI AMTM/WI ' +
      'GE-WD BRK.B-US AAPL:US US:AAPL AAPL_US_EQ XNYS:BRK.B NasdaqGS:AAPL nyse:brk.b AAPL.NAS IBM.NYSE ' +
      '$ .A A..B AAPL! ABCDEFGHIJKL ß'
    )
      .split(' ')
      .concat('BRK B', 'BAC PRL', 'AAPL US Equity', 'NOT A TICKER', 'TDW WSB', 'BAC PR L')
      .concat('BRK/B UN Equity', 'CCIV WT', 'EDP PL');
    const spelled = await fromPython(
      `
from tapeworks import InvalidRequestError
from tapeworks.spelling import canonical_symbol
def read(text):
    try:
        return canonical_symbol(text)
    except InvalidRequestError:
        return None
print(json.dumps([read(text) for text in given]))`,
      texts,
    );
    const read = (text: string) => {
      try {
        return canonicalSymbol(text);
      } catch {
        return null;
      }
    };
    expect(spelled).toEqual(texts.map(read));
    expect(spelled.filter((symbol: string | null) => symbol === null).length).toBeGreaterThan(3);
  });

  it('subtracts prices as the server does', async () => {
    const random = seededRandom(3);
    const price = (i: number) => {
      const value = random() * 10 ** (i % 7);
      return i % 3 === 0 ? value : Number(value.toFixed(i % 5));
    };
    const pairs = Array.from({ length: 2000 }, (_, i) => [price(i), price(i + 1)]);
    const changes = await fromPython(
      `
from tapeworks.records import price_change
print(json.dumps([price_change(*pair) for pair in given]))`,
      pairs,
    );
    expect(changes).toEqual(pairs.map(([now, before]) => priceChange(now, before)));
  });
});
