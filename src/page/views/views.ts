/** All views. To add one, write its component and a row here; the address names it by `view`. */

import type { FunctionComponent } from 'preact';
import { SymbolView } from '../symbol/view.ts';
import { lazyView } from './lazy-view.ts';

const ScreenerView = lazyView('the screener', async () => {
  const { ScreenerView } = await import('../screener/view.ts');
  return ScreenerView;
});

const OperationsView = lazyView('operations', async () => {
  const { OperationsView } = await import('../operations/view.ts');
  return OperationsView;
});

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
