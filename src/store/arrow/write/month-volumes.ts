/** Chooses the month files that stay as they are when newer bars are compacted into months. */

import { limits } from '../../../base/limits.ts';
import type { IntradaySeriesInterval } from '../../../base/time/intervals.ts';
import type { IntradayPart } from '../read/intraday-part.ts';
import type { OpenLayer, OpenVolume } from '../read/layer.ts';
import { type SeriesPart, timestampsOf } from '../read/series-parts.ts';
import { forEachMonth, monthOfTimestamp } from './month-rows.ts';

/** A file of a month, its place, and the number of its rows that are still served. */
export interface MonthVolume {
  layer: OpenLayer;
  number: number;
  liveRows: number;
}

/**
 * Returns the files to keep. A file is rewritten if much of it is superseded, or if it is not much
 * larger than the rows added to its month.
 */
export function keptMonthVolumes(part: IntradayPart): Map<OpenVolume, MonthVolume> {
  const volumes = monthVolumes(part);
  const added = countRows(part, volumes);
  const kept = new Map<OpenVolume, MonthVolume>();
  // The newest first: what is rewritten counts as added to the older files of its month.
  for (const [open, volume] of [...volumes].reverse()) {
    const { layer, number, liveRows } = volume;
    const { month, interval } = layer.layer.volumes[number];
    const key = `${interval} ${month}`;
    const rowCount = layer.batchRows(number).reduce((sum, { rows }) => sum + rows, 0);
    const addedRows = added.get(key) ?? 0;
    const isSmall = addedRows > 0 && liveRows <= limits.serving.monthKeptRatio * addedRows;
    if (isSmall || rowCount - liveRows > limits.serving.monthSupersededShareMax * rowCount) {
      added.set(key, addedRows + liveRows);
    } else {
      kept.set(open, volume);
    }
  }
  return kept;
}

function monthVolumes({ layers }: IntradayPart): Map<OpenVolume, MonthVolume> {
  return new Map(
    layers.flatMap((layer) =>
      layer.volumes.flatMap((open, number) =>
        open.role === 'months' ? [[open, { layer, number, liveRows: 0 }] as const] : [],
      ),
    ),
  );
}

/** Counts the live rows of `volumes`, and returns those elsewhere by interval and month. */
function countRows(
  part: IntradayPart,
  volumes: ReadonlyMap<OpenVolume, MonthVolume>,
): Map<string, number> {
  const added = new Map<string, number>();
  for (const { number, interval } of part.series()) {
    for (const seriesPart of part.parts(number, interval)) {
      const { layer, part, start, end } = seriesPart;
      const volume = volumes.get(layer.volumes[layer.parts.volume[part]]);
      if (volume) volume.liveRows += end - start;
      else addMonths(added, interval, seriesPart);
    }
  }
  return added;
}

function addMonths(
  added: Map<string, number>,
  interval: IntradaySeriesInterval,
  seriesPart: SeriesPart,
): void {
  const { layer, part, start, end } = seriesPart;
  const at = layer.batchOfPart(part);
  const month = monthOfTimestamp(layer.batches.first_ts[at]);
  const add = (name: string, rows: number) => {
    const key = `${interval} ${name}`;
    added.set(key, (added.get(key) ?? 0) + rows);
  };
  if (month === monthOfTimestamp(layer.batches.last_ts[at])) {
    add(month, end - start);
    return;
  }
  const timestampUs = timestampsOf(seriesPart);
  forEachMonth(timestampUs, (from, to) => add(monthOfTimestamp(timestampUs[from]), to - from));
}
