/** All datasets except candles, which move as columns and have readers of their own. */

import { analystConsensus, analystTargets, upgradesDowngrades } from './analysts.ts';
import { cashFlow } from './cash-flow.ts';
import type { Dataset } from './dataset.ts';
import { filings } from './filed-reports.ts';
import { balanceSheet, insider, shares, statements } from './filings.ts';
import { corporateActions, earningsCalendar, expirations, news, symbols } from './market.ts';
import { members, values } from './universes.ts';

const ROW_DATASETS = [
  statements,
  balanceSheet,
  cashFlow,
  filings,
  shares,
  insider,
  news,
  analystConsensus,
  analystTargets,
  upgradesDowngrades,
  expirations,
  earningsCalendar,
  members,
  values,
] as const;

type RowDataset = (typeof ROW_DATASETS)[number];

/** Names of the datasets with all properties of `Shape`. */
type DatasetWith<Shape> = Extract<RowDataset, Shape>['name'];

export type ListName = DatasetWith<{ list: object }>;
export type StatementName = DatasetWith<{ statement: object }>;
/** Names of the datasets whose rows are Parquet files. */
export type RowFile = DatasetWith<{ isFile: true }>;

/** Datasets that are loaded record by record. */
export const rowDatasets: readonly Dataset[] = ROW_DATASETS;

export const datasets: readonly Dataset[] = [...rowDatasets, corporateActions, symbols];

type RowEvent = Extract<RowDataset, { event: string }>['event'];

/** Types of the events about new rows. */
export const ROW_EVENTS = [
  ...new Set(rowDatasets.flatMap(({ event }) => event ?? [])),
] as readonly RowEvent[];

/** Datasets that are published as lists. */
export const listedDatasets = rowDatasets.filter(({ list }) => list) as readonly (Dataset & {
  name: ListName;
})[];

/** Datasets whose published rows are Parquet files. */
export const fileDatasets = rowDatasets.filter(({ isFile }) => isFile) as readonly (Dataset & {
  name: RowFile;
})[];
