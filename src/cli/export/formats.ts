/** Datasets and file formats of `export`. */

import { datasets } from '../../base/datasets/datasets.ts';

/** Datasets that are no records of files. */
const COMPUTED = ['candles', 'indicators', 'adjustments', 'quotes'] as const;

export const DATASETS: readonly string[] = [...COMPUTED, ...datasets.map(({ name }) => name)];
export const FORMATS = ['csv', 'parquet', 'arrow'] as const;

export type ExportFormat = (typeof FORMATS)[number];

/** Folders as other engines read them. */
export const LAYOUTS = ['zipline', 'qlib', 'lean'] as const;

export type LayoutName = (typeof LAYOUTS)[number];
