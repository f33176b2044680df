/** Chooses an indicator of the catalogue and its parameters, or changes those of a shown one. */

import { useEffect, useRef, useState } from 'preact/hooks';
import type { Indicator } from '../../../clients/typescript/operations.js';
import { isDrawn } from '../chart/zigzag.ts';
import { html } from '../parts/html.ts';
import { asFailure, getText } from '../state/request.ts';
import type { ChartAddress } from './chart-address.ts';
import { defaultOf, nameOfKey } from './plots.ts';

const SHOWN_MAX = 20;

interface DialogProps {
  chart: ChartAddress;
  catalogue: readonly Indicator[];
  /** Text of the indicator to change; undefined adds one. */
  editing: string | undefined;
  onChange: (keys: readonly string[]) => void;
  onClose: () => void;
}

function isOnPrice({ outputs }: Indicator): boolean {
  return outputs.some(({ isPrice }) => isPrice);
}

/** Parts of a name that a search may start with: `stoch` finds `stochastic_rsi`. */
function matches({ name, title }: Indicator, search: string): boolean {
  const text = `${name} ${name.replaceAll('_', ' ')} ${title}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Returns the text of the request; trailing defaults are left out. */
function keyOf(spec: Indicator, values: readonly string[], interval: string): string {
  let count = values.length;
  const isDefault = (i: number) => Number(values[i]) === defaultOf(spec.params[i], interval);
  while (count > 0 && isDefault(count - 1)) count--;
  const numbers = values.slice(0, count).map((value) => String(Number(value)));
  return [spec.name, ...numbers].join(':');
}

export function IndicatorDialog(props: DialogProps) {
  const { chart, catalogue, editing, onChange, onClose } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const [search, setSearch] = useState('');
  const [chosen, choose] = useState<Indicator | undefined>(
    editing === undefined ? undefined : catalogue.find(({ name }) => name === nameOfKey(editing)),
  );
  useEffect(() => dialog.current?.showModal(), []);
  // The first field has the focus, not the button that closes.
  useEffect(() => dialog.current?.querySelector('input')?.focus(), [chosen]);
  const found = catalogue.filter((spec) => matches(spec, search.trim()));
  const group = (title: string, isPrice: boolean) => {
    const rows = found.filter((spec) => isOnPrice(spec) === isPrice);
    if (rows.length === 0) return null;
    return html`<h3>${title}</h3><ul>${rows.map(
      (spec) => html`<li key=${spec.name}><button type="button" onClick=${() => choose(spec)}>
        <span class="spec-title">${spec.title}</span> <span class="spec-name">${spec.name}</span>
      </button></li>`,
    )}</ul>`;
  };
  const list = html`
    <input type="search" aria-label="Find an indicator" placeholder="Find an indicator"
      value=${search} onInput=${(event: Event) => setSearch((event.target as HTMLInputElement).value)} />
    <div class="specs">
      ${group('On the price', true)}
      ${group('In a pane', false)}
      ${found.length === 0 && html`<p class="quiet" role="status">No indicator has this name.</p>`}
    </div>`;
  const close = html`<button type="button" class="plain" aria-label="Close" onClick=${onClose}>×</button>`;
  return html`<dialog ref=${dialog} class="dialog" aria-labelledby="dialog-title" onClose=${onClose}
      onClick=${(event: MouseEvent) => event.target === dialog.current && onClose()}>
    <header class="dialog-head">
      <h2 id="dialog-title">${chosen ? chosen.title : 'Indicators'}</h2>${close}
    </header>
    ${
      chosen
        ? html`<${Parameters} key=${chosen.name} chart=${chart} spec=${chosen} editing=${editing}
            onChange=${onChange} onClose=${onClose} onBack=${editing ? undefined : () => choose(undefined)} />`
        : list
    }
  </dialog>`;
}

interface ParametersProps {
  chart: ChartAddress;
  spec: Indicator;
  editing: string | undefined;
  onChange: (keys: readonly string[]) => void;
  onClose: () => void;
  onBack: (() => void) | undefined;
}

function Parameters({ chart, spec, editing, onChange, onClose, onBack }: ParametersProps) {
  const given = editing?.split(':').slice(1) ?? [];
  const [values, setValues] = useState(
    spec.params.map((param, i) => given[i] ?? String(defaultOf(param, chart.interval))),
  );
  const [refusal, refuse] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    const key = keyOf(spec, values, chart.interval);
    const others = chart.indicators.filter((one) => one !== editing);
    if (others.includes(key)) return refuse('The chart has this indicator already.');
    if (others.length >= SHOWN_MAX) return refuse(`A chart shows at most ${SHOWN_MAX} indicators.`);
    setBusy(true);
    try {
      // The server knows which parameters contradict each other; the chart stays until it agrees.
      const path = `v1/svc/technical/${encodeURIComponent(chart.symbol)}`;
      if (!isDrawn(key))
        await getText(path, { interval: chart.interval, indicators: key, limit: 1, format: 'csv' });
    } catch (error) {
      setBusy(false);
      return refuse(asFailure(error).message);
    }
    const at = editing === undefined ? -1 : chart.indicators.indexOf(editing);
    onChange(at < 0 ? [...others, key] : chart.indicators.with(at, key));
    onClose();
  };
  const fields = spec.params.map(({ name, min, max, integer }, i) => {
    const set = (event: Event) =>
      setValues(values.with(i, (event.target as HTMLInputElement).value));
    return html`<label key=${name}>
      <span class="field-name">${name.replaceAll('_', ' ')}</span>
      <input type="number" required min=${min} max=${max} step=${integer ? 1 : 'any'} value=${values[i]}
        onInput=${set} />
      <span class="quiet field-rule">${min} to ${max.toLocaleString('en-US')}</span>
    </label>`;
  });
  const outputs = spec.outputs.map(({ name }) => name.replaceAll('_', ' ')).join(', ');
  return html`<form class="parameters" onSubmit=${submit}>
    ${fields}
    ${spec.params.length === 0 && html`<p class="quiet">It has no parameters.</p>`}
    ${spec.outputs.length > 1 && html`<p class="quiet">Draws ${outputs}.</p>`}
    ${refusal && html`<p class="refusal" role="alert">${refusal}</p>`}
    <div class="row">
      <button type="submit" class="main" disabled=${isBusy}>${editing ? 'Change' : 'Add to the chart'}</button>
      ${onBack && html`<button type="button" onClick=${onBack}>Back</button>`}
    </div>
  </form>`;
}
