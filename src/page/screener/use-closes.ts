/** The last closes of the symbols in view, for their lines. */

import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { getText } from '../state/request.ts';

const SESSIONS = 60;
/** Time for which the view rests before its symbols are requested. */
const REST_MS = 120;

type Closes = ReadonlyMap<string, Float64Array>;

function closesFromCsv(text: string): Map<string, Float64Array> {
  const [head, ...lines] = text.trimEnd().split('\r\n');
  const at = head.split(',').indexOf('close');
  const lists = new Map<string, number[]>();
  for (const line of lines) {
    const cells = line.split(',');
    const close = Number(cells[at]);
    if (!Number.isFinite(close)) continue;
    const list = lists.get(cells[0]);
    if (list) list.push(close);
    else lists.set(cells[0], [close]);
  }
  return new Map([...lists].map(([symbol, list]) => [symbol, Float64Array.from(list)]));
}

/**
 * @param asOf Day of the last close; undefined: the newest.
 * @returns the closes, and a function that requests those of further symbols.
 */
export function useCloses(
  asOf: string | undefined,
): [Closes, (symbols: readonly string[]) => void] {
  const [closes, setCloses] = useState<Closes>(new Map());
  const requested = useRef(new Set<string>());
  const timer = useRef(0);
  const abort = useRef(new AbortController());
  useEffect(() => {
    abort.current = new AbortController();
    requested.current = new Set();
    setCloses(new Map());
    return () => {
      abort.current.abort();
      clearTimeout(timer.current);
    };
  }, [asOf]);
  const request = useCallback(
    (symbols: readonly string[]) => {
      clearTimeout(timer.current);
      const missing = symbols.filter((symbol) => !requested.current.has(symbol));
      if (missing.length === 0) return;
      timer.current = setTimeout(() => {
        for (const symbol of missing) requested.current.add(symbol);
        const query = { symbols: missing.join(','), to: asOf, limit: SESSIONS, format: 'csv' };
        getText('v1/svc/candles', query, abort.current.signal).then(
          ({ text }) => {
            const found = closesFromCsv(text);
            setCloses((held) => new Map([...held, ...found]));
          },
          // Rows are complete without their lines; the next view of them requests these again.
          () => {
            for (const symbol of missing) requested.current.delete(symbol);
          },
        );
      }, REST_MS);
    },
    [asOf],
  );
  return [closes, request];
}
