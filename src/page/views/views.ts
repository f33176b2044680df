/** All views. To add one, write its component and a row here; the address names it by `view`. */

import type { FunctionComponent } from 'preact';
import { lazy } from '../parts/lazy.ts';
import { SymbolView } from '../symbol/view.ts';

const WHOLE = { box: 'view', lines: 12 };

const ScreenerView = lazy(
  'the screener',
  () => import('../screener/view.ts').then(({ ScreenerView }) => ScreenerView),
  WHOLE,
);

const OperationsView = lazy(
  'operations',
  () => import('../operations/view.ts').then(({ OperationsView }) => OperationsView),
  WHOLE,
);

export interface View {
  /** Value of `view` in the address; the first view has none. */
  name: string | undefined;
  title: string;
  component: FunctionComponent;
  /** True if the view shows nothing of the API, so that it needs no key. */
  needsNoKey?: true;
}

export const VIEWS: readonly [View, ...View[]] = [
  { name: undefined, title: 'Symbol', component: SymbolView },
  { name: 'screener', title: 'Screener', component: ScreenerView },
  { name: 'operations', title: 'Operations', component: OperationsView, needsNoKey: true },
];
