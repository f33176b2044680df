/** Options of each bench. */
export interface BenchOptions {
  symbols?: number;
  bars?: number;
  rounds?: number;
  data?: string;
  /** True for stdout, else the path of a file. */
  json?: true | string;
  report?: string;
  compare?: string;
  quick?: boolean;
}
