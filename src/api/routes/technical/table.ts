/** Technical answers as a table: one row a bar. */

import { fillDates } from '../../responses/bar-dates.ts';
import type { Table, TableColumn } from '../../responses/table.ts';
import type { IndicatorSeries, TechnicalColumns } from './columns.ts';

/** One column an output, named `<key>` where the output is the indicator itself. */
function columnsOfSeries({ key, spec, outputs }: IndicatorSeries): TableColumn[] {
  return spec.outputs.map((output, index) => ({
    name: output === spec.name ? key : `${key}_${output}`,
    type: 'number',
    values: outputs[index],
  }));
}

/** @param hasDates Whether the bars are of whole days, whose date is then a column. */
export function tableFromTechnical(
  { bars, indicators }: TechnicalColumns,
  hasDates: boolean,
): Table {
  const dates: TableColumn = {
    name: 'date',
    type: 'date',
    values: fillDates(bars.timestampUs, new Int32Array(bars.timestampUs.length)),
  };
  return [
    { name: 'timestamp', type: 'timestamp', values: bars.timestampUs },
    ...(hasDates ? [dates] : []),
    { name: 'open', type: 'number', values: bars.open },
    { name: 'high', type: 'number', values: bars.high },
    { name: 'low', type: 'number', values: bars.low },
    { name: 'close', type: 'number', values: bars.close },
    { name: 'volume', type: 'count', values: bars.volume },
    ...indicators.flatMap(columnsOfSeries),
  ];
}
