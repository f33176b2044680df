/** The field of the condition: completes words, underlines the place of an error, offers its fix. */

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type {
  Indicator,
  Indicators,
  ScreenerError,
} from '../../../clients/typescript/operations.js';
import { html } from '../parts/html.ts';
import { go } from '../state/address.ts';
import { getJson, type RequestFailure } from '../state/request.ts';
import { useRequest } from '../state/use-request.ts';
import {
  type Completion,
  completionAt,
  isComplete,
  type Suggestion,
  vocabulary,
} from './completion.ts';
import type { Screen } from './screen-address.ts';

interface EditorProps {
  screen: Screen;
  failure: RequestFailure | undefined;
}

/** Place of an error in a text, and the known word that is nearest to the one there. */
interface Place {
  start: number;
  end: number;
  nearest: string | undefined;
}

const NO_INDICATORS: readonly Indicator[] = [];

/** @returns undefined if the failure is not in that text. */
function placeOf(failure: RequestFailure | undefined, text: string): Place | undefined {
  const found = (failure?.body as ScreenerError | undefined)?.expression;
  if (found?.field !== 'where') return undefined;
  // Positions count characters; texts of scripts count units of UTF-16.
  const start = [...text].slice(0, found.position - 1).join('').length;
  const word = /^(?:[\w.:]+|\S|$)/u.exec(text.slice(start))?.[0] ?? '';
  return { start, end: start + Math.max(1, word.length), nearest: found.nearest };
}

export function WhereEditor({ screen, failure }: EditorProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(screen.where);
  const [completion, complete] = useState<Completion>();
  const [chosen, choose] = useState(0);
  const catalogue = useRequest('catalogue', 'catalogue', (signal) =>
    getJson<Indicators>('v1/svc/indicators', {}, signal),
  );
  const indicators = catalogue.value?.data ?? NO_INDICATORS;
  const words = useMemo(() => vocabulary(indicators), [indicators]);
  const selection = useRef<[number, number] | undefined>(undefined);

  useEffect(() => setText(screen.where), [screen.where]);
  useLayoutEffect(() => {
    const field = area.current!;
    field.style.height = 'auto';
    field.style.height = `${field.scrollHeight + 2}px`;
    if (!selection.current) return;
    field.setSelectionRange(...selection.current);
    selection.current = undefined;
  }, [text]);

  const run = (next = text) => {
    complete(undefined);
    setText(next.trim());
    go({ where: next.trim() || undefined });
  };
  const place = text.trim() === screen.where ? placeOf(failure, screen.where) : undefined;
  const fix = () => {
    if (!place?.nearest) return;
    run(screen.where.slice(0, place.start) + place.nearest + screen.where.slice(place.end));
  };
  const suggest = () => {
    const { value, selectionStart, selectionEnd } = area.current!;
    choose(0);
    complete(
      selectionStart === selectionEnd
        ? completionAt(value, selectionStart, words, indicators)
        : undefined,
    );
  };
  const accept = (suggestion: Suggestion) => {
    if (!completion) return;
    const { start, end } = completion;
    const [from, to] = suggestion.selected ?? [suggestion.text.length, suggestion.text.length];
    selection.current = [start + from, start + to];
    // A call that stands there already keeps its arguments.
    const hasCall = text[end] === '(';
    const added = hasCall ? suggestion.text.split('(', 1)[0] : suggestion.text;
    if (hasCall) selection.current = [start + added.length, start + added.length];
    complete(undefined);
    setText(text.slice(0, start) + added + text.slice(end));
    area.current!.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const count = completion?.suggestions.length ?? 0;
    const { key } = event;
    if (completion && key === 'ArrowDown') choose((chosen + 1) % count);
    else if (completion && key === 'ArrowUp') choose((chosen + count - 1) % count);
    else if (completion && key === 'Escape') complete(undefined);
    else if (completion && key === 'Tab' && !event.shiftKey) accept(completion.suggestions[chosen]);
    else if (key === 'Enter' && !event.shiftKey) {
      const isRun = event.ctrlKey || event.metaKey || !completion;
      if (isRun || (chosen === 0 && isComplete(text, completion))) run();
      else accept(completion.suggestions[chosen]);
    } else return;
    event.preventDefault();
  };
  const onInput = (event: Event) => {
    setText((event.target as HTMLTextAreaElement).value);
    suggest();
  };
  const items = completion?.suggestions.map(
    (
      one,
      i,
    ) => html`<li key=${one.text} id=${`word-${i}`} role="option" aria-selected=${i === chosen}
      onMouseDown=${(event: MouseEvent) => event.preventDefault()} onMouseMove=${() => choose(i)}
      onClick=${() => accept(one)}>
      <code>${one.text}</code><span class="word-detail">${one.detail}</span><span class="word-kind">${one.kind}</span></li>`,
  );
  return html`<form class="where" onSubmit=${(event: Event) => {
    event.preventDefault();
    run();
  }}>
    <label for="where">Condition</label>
    <a class="where-help" href="docs#/Screener/getScreener">Language</a>
    <div class="where-box">
      <div class="where-back" aria-hidden="true">${
        place &&
        html`${screen.where.slice(0, place.start)}<mark>${screen.where.slice(place.start, place.end) || ' '}</mark>${screen.where.slice(place.end)}`
      }</div>
      <textarea id="where" ref=${area} rows="1" spellcheck=${false} autocomplete="off"
        autocapitalize="off" placeholder="rsi(14) < 30 and close > sma(200)" value=${text}
        aria-autocomplete="list" aria-controls="words"
        aria-activedescendant=${completion ? `word-${chosen}` : undefined}
        aria-invalid=${place !== undefined} aria-describedby=${place ? 'where-error' : undefined}
        onInput=${onInput} onKeyDown=${onKeyDown} onClick=${() => complete(undefined)}
        onBlur=${() => complete(undefined)} />
      <ul id="words" class="words" role="listbox" aria-label="Words of the language" hidden=${!completion}>${items}</ul>
      <span class="unseen" role="status">${completion ? `${completion.suggestions.length} words; Tab completes` : ''}</span>
    </div>
    <button type="submit" class="main">Screen</button>
    ${
      place &&
      html`<p id="where-error" class="refusal" role="alert">${failure?.message.replace(/^where: /, '')}
        ${place.nearest && html`<button type="button" class="fix" onClick=${fix}>Use ${place.nearest}</button>`}</p>`
    }
  </form>`;
}
