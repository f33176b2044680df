/** Prometheus' text format, read strictly: a line that is not of it fails the test. */

export interface Sample {
  /** Rest of the name after the family's: `_bucket`, `_sum`, `_count`, or empty. */
  suffix: string;
  labels: Record<string, string>;
  value: number;
}

export interface ParsedFamily {
  type: string;
  samples: Sample[];
  /** Returns the value of the sample with exactly these labels; undefined without one. */
  value(suffix: string, labels: Record<string, string>): number | undefined;
}

const HELP = /^# HELP ([a-z_][a-z0-9_]*) \S.*$/;
const TYPE = /^# TYPE ([a-z_][a-z0-9_]*) (counter|gauge|histogram)$/;
const SAMPLE = /^([a-z_][a-z0-9_]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-z_][a-z0-9_]*)="((?:[^"\\]|\\.)*)"(?:,|$)/y;

/** By name of the family. @throws {Error} a line is wrong, or a name or sample is there twice. */
export function parseMetrics(text: string): Map<string, ParsedFamily> {
  const families = new Map<string, ParsedFamily>();
  let name = '';
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const [, helped] = HELP.exec(line) ?? [];
    const [, typed, type] = TYPE.exec(line) ?? [];
    if (helped) name = helped;
    else if (typed) {
      if (typed !== name || families.has(name)) throw new Error(`out of place: ${line}`);
      families.set(name, newFamily(type));
    } else addSample(families.get(name), name, line);
  }
  return families;
}

function newFamily(type: string): ParsedFamily {
  const samples: Sample[] = [];
  return {
    type,
    samples,
    value: (suffix, labels) =>
      samples.find((sample) => sample.suffix === suffix && keyOf(sample.labels) === keyOf(labels))
        ?.value,
  };
}

function keyOf(labels: Record<string, string>): string {
  return JSON.stringify(Object.entries(labels).sort());
}

function addSample(family: ParsedFamily | undefined, name: string, line: string): void {
  const [, sampled, labelText = '', valueText] = SAMPLE.exec(line) ?? [];
  const value = Number(valueText);
  if (!family || !sampled?.startsWith(name)) throw new Error(`of no family: ${line}`);
  const suffix = sampled.slice(name.length);
  const suffixes = family.type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
  if (!suffixes.includes(suffix) || !Number.isFinite(value)) throw new Error(`wrong: ${line}`);
  if (family.type === 'counter' && !name.endsWith('_total')) throw new Error(`misnamed: ${line}`);
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < labelText.length) {
    const [, label, text] = LABEL.exec(labelText) ?? [];
    if (label === undefined || label in labels) throw new Error(`labels: ${line}`);
    labels[label] = text;
  }
  if (family.value(suffix, labels) !== undefined) throw new Error(`twice: ${line}`);
  family.samples.push({ suffix, labels, value });
}
