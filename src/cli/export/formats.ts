/** Datasets and file formats of `export`. */

export const DATASETS = ['candles', 'indicators', 'corporate-actions', 'symbols'] as const;
export const FORMATS = ['csv', 'parquet', 'arrow'] as const;

export type ExportDataset = (typeof DATASETS)[number];
export type ExportFormat = (typeof FORMATS)[number];
