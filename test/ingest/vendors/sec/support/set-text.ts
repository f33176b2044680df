/** Tables of a Financial Statement Data Set, built from a few lines a filing. */

import { zipOf } from '../../../support/zip-file.ts';

export interface SetLine {
  stmt?: 'IS' | 'BS' | 'CF';
  tag: string;
  /** Default us-gaap; `own` is the filer's. */
  taxonomy?: string;
  label?: string;
  negating?: boolean;
  inpth?: boolean;
  /** Amounts by period: `20241231` at a day, `20241231/4` over quarters. */
  values: Record<string, number>;
  uom?: string;
  segments?: string;
  /** True for a number of a note, which no statement shows. */
  isNote?: boolean;
}

export interface SetFilingText {
  adsh: string;
  cik?: number;
  form?: string;
  period: string;
  filed: string;
  accepted?: string;
  fy?: number;
  fp?: string;
  instance?: string;
  lines: SetLine[];
}

export function setTables(filings: readonly SetFilingText[]): Record<string, string> {
  const sub = ['adsh\tcik\tname\tform\tperiod\tfy\tfp\tfiled\taccepted\tinstance'];
  const num = ['adsh\ttag\tversion\tddate\tqtrs\tuom\tsegments\tcoreg\tvalue\tfootnote'];
  const pre = ['adsh\treport\tline\tstmt\tinpth\trfile\ttag\tversion\tplabel\tnegating'];
  for (const one of filings) {
    const { adsh, cik = 1, form = '10-K', period, filed, accepted = '' } = one;
    const fields = [adsh, cik, 'TEST CORP', form, period, one.fy ?? '', one.fp ?? 'FY', filed];
    sub.push([...fields, accepted, one.instance ?? ''].join('\t'));
    for (const [i, line] of one.lines.entries()) {
      const { stmt = 'IS', tag, taxonomy = 'us-gaap', label = tag, uom = 'USD' } = line;
      const version = taxonomy === 'own' ? adsh : `${taxonomy}/2024`;
      const report = { BS: 2, IS: 4, CF: 6 }[stmt];
      const flags = [line.inpth ? 1 : 0, 'H', tag, version, label, line.negating ? 1 : 0];
      if (!line.segments && !line.isNote)
        pre.push([adsh, report, i + 1, stmt, ...flags].join('\t'));
      for (const [when, value] of Object.entries(line.values)) {
        const [ddate, qtrs = '0'] = when.split('/');
        num.push(
          [adsh, tag, version, ddate, qtrs, uom, line.segments ?? '', '', value, ''].join('\t'),
        );
      }
    }
  }
  const text = (lines: readonly string[]) => `${lines.join('\n')}\n`;
  return { 'sub.txt': text(sub), 'num.txt': text(num), 'pre.txt': text(pre) };
}

export function setZip(filings: readonly SetFilingText[]): Buffer {
  const members = Object.entries(setTables(filings));
  return zipOf(members.map(([name, content]) => ({ name, content })));
}

/** Lines of an income statement over one period. */
export function incomeLines(when: string, figures: Record<string, number>): SetLine[] {
  return Object.entries(figures).map(([tag, value]) => ({ tag, values: { [when]: value } }));
}
