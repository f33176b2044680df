/** Types of saved screens. */

import type { Mode } from '../../../base/config/data-dir.ts';

export interface NewScreen {
  account: string;
  mode: Mode;
  /** Checked by `checkedLabel`. */
  name: string;
  /** Query text of `GET /svc/screener`, as the account wrote it. */
  query: string;
}

export interface SavedScreen {
  id: string;
  name: string;
  query: string;
  /** ISO date-time. */
  createdAt: string;
}
