/** A metric with all its values, in the form in which prom-client hands registries about. */

export interface MetricValue {
  value: number;
  labels: Record<string, string>;
  /** Of the parts of a histogram. */
  metricName?: string;
}

export interface MetricFamily {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  values: MetricValue[];
  aggregator: 'sum';
}

/** @param values Those without a finite value are left out: nothing is known of them. */
export function family(
  type: MetricFamily['type'],
  name: string,
  help: string,
  values: readonly MetricValue[],
): MetricFamily {
  const known = values.filter(({ value }) => Number.isFinite(value));
  return { name, help, type, values: known, aggregator: 'sum' };
}
