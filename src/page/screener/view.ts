/** The view of screens: condition, filters, and the table of matches. */

import { useMemo, useState } from 'preact/hooks';
import { publishes } from '../live/follow.ts';
import { html } from '../parts/html.ts';
import { countText } from '../parts/numbers.ts';
import { dayText, isoDay } from '../parts/times.ts';
import { address, go } from '../state/address.ts';
import { useStore } from '../state/store.ts';
import { ColumnsMenu } from './columns-menu.ts';
import { EXAMPLES } from './examples.ts';
import { ExplainDialog } from './explain-dialog.ts';
import { ExportMenu } from './export-menu.ts';
import { FiltersButton, FiltersPanel } from './filters.ts';
import { useHeldRows } from './held-rows.ts';
import { History } from './history.ts';
import { Matches } from './matches.ts';
import type { LoadedRows } from './row-loader.ts';
import { SavedMenu } from './saved-menu.ts';
import { DEFAULT_COLUMNS, type Screen, screenFromAddress } from './screen-address.ts';
import { WhereEditor } from './where-editor.ts';

export function ScreenerView() {
  const query = useStore(address);
  const screen = useMemo(() => screenFromAddress(query), [query]);
  const held = useHeldRows(screen);
  const loaded = useStore(held.loader.loaded);
  const isOutdated = useStore(publishes) !== held.publishes && screen.asOf === undefined;
  const [areFiltersOpen, openFilters] = useState(Object.keys(screen.filters).length > 0);
  // `undefined`: closed; empty: begins with the field for a symbol.
  const [explained, explain] = useState<string>();
  const isHistory = screen.where !== '' && new URLSearchParams(query).get('tab') === 'history';
  return html`<div class="view screener">
    <h1 class="unseen">Screener</h1>
    <${WhereEditor} screen=${screen} failure=${loaded.failure} />
    ${screen.where === '' && html`<${Examples} />`}
    <div class="toolbar">
      <${FiltersButton} screen=${screen} isOpen=${areFiltersOpen} onToggle=${() => openFilters(!areFiltersOpen)} />
      <${ColumnsMenu} screen=${screen} />
      <${SavedMenu} key=${query} screen=${screen} />
      <${ExportMenu} screen=${screen} total=${loaded.total} />
      ${
        screen.where !== '' &&
        html`<button type="button" aria-haspopup="dialog" onClick=${() => explain('')}>Explain</button>
        <${Tabs} isHistory=${isHistory} />`
      }
      <${AsOf} screen=${screen} />
      <${Summary} screen=${screen} loaded=${loaded} />
      <span role="status">${isOutdated && html`<button type="button" class="newer" onClick=${held.reload}>New data: refresh</button>`}</span>
    </div>
    ${areFiltersOpen && html`<${FiltersPanel} screen=${screen} />`}
    ${
      isHistory
        ? html`<section class="matches" id="panel" aria-label="History"><${History} where=${screen.where} /></section>`
        : html`<section class="matches" id="panel" aria-label="Matches" aria-busy=${loaded.isLoading}>
      <${Matches} screen=${screen} held=${held} onExplain=${explain} />
    </section>`
    }
    ${
      explained !== undefined &&
      html`<${ExplainDialog} screen=${screen} symbol=${explained} onClose=${() => explain(undefined)} />`
    }
  </div>`;
}

/** Chooses the symbols that match, or what followed on the days on which any did. */
function Tabs({ isHistory }: { isHistory: boolean }) {
  const tab = (
    title: string,
    isShown: boolean,
    value: string | undefined,
  ) => html`<button type="button"
    role="tab" aria-selected=${isShown} aria-controls="panel" tabIndex=${isShown ? 0 : -1}
    onClick=${() => isShown || go({ tab: value })}>${title}</button>`;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    event.preventDefault();
    const { currentTarget } = event;
    go({ tab: isHistory ? undefined : 'history' });
    const other = isHistory ? 0 : 1;
    (currentTarget as HTMLElement).querySelectorAll('button')[other].focus();
  };
  return html`<div class="segments" role="tablist" aria-label="What to show" onKeyDown=${onKeyDown}>
    ${tab('Matches', !isHistory, undefined)}${tab('History', isHistory, 'history')}</div>`;
}

/** The day of the screen; empty shows the newest bars. */
function AsOf({ screen }: { screen: Screen }) {
  const change = (event: Event) =>
    go({ as_of: (event.target as HTMLInputElement).value || undefined });
  return html`<label class="as-of">As of
    <input type="date" max=${isoDay(Date.now())} value=${screen.asOf ?? ''} onChange=${change} />
    ${screen.asOf && html`<button type="button" class="plain" onClick=${() => go({ as_of: undefined })}>Now</button>`}
  </label>`;
}

function Examples() {
  const buttons = EXAMPLES.map(({ title, where, columns }) => {
    const shown = columns && [...DEFAULT_COLUMNS, ...columns.split(',')].join(',');
    return html`<li key=${title}><button type="button" title=${where}
      onClick=${() => go({ where, columns: shown || undefined })}>${title}</button></li>`;
  });
  return html`<nav class="examples" aria-label="Examples"><ul>${buttons}</ul></nav>`;
}

/** Says how many match, of which day, and what time that took. */
function Summary({ screen, loaded }: { screen: Screen; loaded: LoadedRows }) {
  const { total, serverMs, responseMs, asOf, failure, adjusted, notFound } = loaded;
  if (total === undefined) {
    return html`<p class="summary" role="status">${failure ? '' : 'Screening…'}</p>`;
  }
  const isRestricted = screen.where !== '' || Object.keys(screen.filters).length > 0;
  const noun = isRestricted ? (total === 1 ? 'match' : 'matches') : 'symbols';
  const day = asOf === undefined ? '' : ` as of the close of ${dayText(asOf)}`;
  const time =
    serverMs === undefined
      ? `response in ${Math.round(responseMs ?? 0)} ms`
      : `computed in ${serverMs < 10 ? serverMs.toFixed(1) : Math.round(serverMs)} ms`;
  return html`<p class="summary" role="status">
    <strong class="figure">${countText(total)}</strong> ${noun}${day}
    <span class="quiet figure query-time"> · ${time}</span>
    ${adjusted.size > 0 && html`<span class="quiet"> · “adj.” prices have later splits or dividends in them</span>`}
    ${notFound.length > 0 && html`<span class="stale"> · unknown: ${notFound.join(', ')}</span>`}
  </p>`;
}
