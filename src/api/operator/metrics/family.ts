/** A metric with all its values, in prom-client's form of a registry. */

export interface MetricValue {
  value: number;
  labels: Record<string, string>;
  /** Set for the parts of a histogram. */
  metricName?: string;
}

export interface MetricFamily {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  values: MetricValue[];
  aggregator: 'sum';
}

/** @param values Values that are not finite are unknown and left out. */
export function family(
  type: MetricFamily['type'],
  name: string,
  help: string,
  values: readonly MetricValue[],
): MetricFamily {
  const known = values.filter(({ value }) => Number.isFinite(value));
  return { name, help, type, values: known, aggregator: 'sum' };
}
