/** The field of the condition: completes words, underlines the place of an error, offers its fix. */

import { useEffect, useRef, useState } from 'preact/hooks';
import type { ScreenerError } from '../../../clients/typescript/operations.ts';
import { html } from '../parts/html.ts';
import { go } from '../state/address.ts';
import type { RequestFailure } from '../state/request.ts';
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

/** @returns undefined if the failure is not in that text. */
export function placeOf(
  failure: RequestFailure | undefined,
  field: 'where' | 'columns' | 'sort',
  text: string,
): Place | undefined {
  const found = (failure?.body as ScreenerError | undefined)?.expression;
  if (found?.field !== field) return undefined;
  // Positions count characters; texts of scripts count units of UTF-16.
  const start = [...text].slice(0, found.position - 1).join('').length;
  const word = /^(?:[\w.:]+|\S|$)/u.exec(text.slice(start))?.[0] ?? '';
  return { start, end: start + Math.max(1, word.length), nearest: found.nearest };
}

export function WhereEditor({ screen, failure }: EditorProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(screen.where);
  const run = (next = text) => go({ where: next.trim() || undefined });
  const place = text.trim() === screen.where ? placeOf(failure, 'where', text) : undefined;
  useEffect(() => {
    const field = area.current!;
    field.style.height = 'auto';
    field.style.height = `${field.scrollHeight + 2}px`;
  }, [text]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    run();
  };
  const fix = () => {
    if (!place?.nearest) return;
    run(text.slice(0, place.start) + place.nearest + text.slice(place.end));
  };
  return html`<form class="where" onSubmit=${(event: Event) => {
    event.preventDefault();
    run();
  }}>
    <label for="where">Condition</label>
    <div class="where-box">
      <div class="where-back" aria-hidden="true">${
        place &&
        html`${text.slice(0, place.start)}<mark>${text.slice(place.start, place.end) || ' '}</mark>${text.slice(place.end)}`
      }</div>
      <textarea id="where" ref=${area} rows="1" spellcheck=${false} autocomplete="off" autocapitalize="off"
        placeholder="rsi(14) < 30 and close > sma(200)" value=${text} aria-invalid=${place !== undefined}
        aria-describedby=${place ? 'where-error' : undefined}
        onInput=${(event: Event) => setText((event.target as HTMLTextAreaElement).value)} onKeyDown=${onKeyDown} />
    </div>
    <button type="submit" class="main">Screen</button>
    ${
      place &&
      html`<p id="where-error" class="refusal" role="alert">${failure?.message.replace(/^where: /, '')}
        ${place.nearest && html`<button type="button" class="fix" onClick=${fix}>Use ${place.nearest}</button>`}</p>`
    }
  </form>`;
}
