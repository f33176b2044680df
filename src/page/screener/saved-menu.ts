/** Saved screens of the account: opens, saves and deletes them. */

import { useState } from 'preact/hooks';
import type { SavedScreen, SavedScreenPage } from '../../../clients/typescript/operations.js';
import { FOLLOWED_MAX, followed, setFollowed } from '../live/followed-screens.ts';
import { html } from '../parts/html.ts';
import { Menu } from '../parts/menu.ts';
import { FailureBox, Skeleton } from '../parts/states.ts';
import { go } from '../state/address.ts';
import { asFailure, getJson, requestPath, sendChange } from '../state/request.ts';
import { useStore } from '../state/store.ts';
import { useRequest } from '../state/use-request.ts';
import { addressOfQuery, type Screen, savedQuery } from './screen-address.ts';

const PATH = 'v1/svc/screens';
const PAGE_ROWS = 100;

export function SavedMenu({ screen }: { screen: Screen }) {
  return html`<${Menu} label="Saved"><${Panel} screen=${screen} /><//>`;
}

/** Reads all pages; an account has 200 saved screens at most. */
async function savedScreens(signal: AbortSignal): Promise<SavedScreen[]> {
  const list: SavedScreen[] = [];
  let cursor: string | undefined;
  do {
    const page = await getJson<SavedScreenPage>(PATH, { limit: PAGE_ROWS, cursor }, signal);
    list.push(...page.data);
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined);
  return list;
}

function Panel({ screen }: { screen: Screen }) {
  const requested = useRequest('saved screens', 'saved screens', savedScreens);
  const { value: list, failure, retry, refresh } = requested;
  const [name, setName] = useState('');
  const [refusal, refuse] = useState<string>();
  const ids = useStore(followed);
  const follow = (id: string, isOn: boolean) =>
    setFollowed(isOn ? [...ids, id] : ids.filter((one) => one !== id));
  const change = async (act: () => Promise<void>) => {
    try {
      await act();
      refuse(undefined);
      refresh();
    } catch (error) {
      refuse(asFailure(error).message);
    }
  };
  const query = requestPath('', savedQuery(screen)).slice(1);
  const save = (event: Event) => {
    event.preventDefault();
    void change(async () => {
      await sendChange('POST', PATH, { name: name.trim(), query });
      setName('');
    });
  };
  const remove = (id: string) =>
    change(async () => {
      if (ids.includes(id)) follow(id, false);
      await sendChange('DELETE', `${PATH}/${id}`);
    });
  if (failure)
    return html`<${FailureBox} failure=${failure} retry=${retry} subject="saved screens" />`;
  const rows = list?.map(
    (one) => html`<li key=${one.id}>
      <button type="button" class="plain saved-name" title=${one.query} onClick=${() => go(addressOfQuery(one.query), true)}>${one.name}</button>
      <${Follow} name=${one.name} isOn=${ids.includes(one.id)} isFull=${ids.length >= FOLLOWED_MAX}
        onChange=${(isOn: boolean) => follow(one.id, isOn)} />
      <button type="button" class="plain" aria-label=${`Delete ${one.name}`} onClick=${() => remove(one.id)}>×</button></li>`,
  );
  const form = html`<form onSubmit=${save}>
    <label for="screen-name">Save this screen as</label>
    <div class="row"><input id="screen-name" required maxlength="100" autocomplete="off" value=${name}
      onInput=${(event: Event) => setName((event.target as HTMLInputElement).value)} />
      <button type="submit">Save</button></div>
    ${refusal && html`<p class="refusal" role="alert">${refusal}</p>`}
  </form>`;
  return html`<div class="saved-menu">
    ${query === '' ? html`<p class="quiet">Write a condition or set a filter to save a screen.</p>` : form}
    ${!rows && html`<${Skeleton} label="saved screens" />`}
    ${rows?.length === 0 && html`<p class="quiet">No saved screens yet. The page and webhooks can follow a saved screen.</p>`}
    ${rows && rows.length > 0 && html`<ul class="saved" aria-label="Saved screens">${rows}</ul>`}
  </div>`;
}

interface FollowProps {
  name: string;
  isOn: boolean;
  isFull: boolean;
  onChange: (isOn: boolean) => void;
}

/** Shows new matches of a screen in the header from now on. */
function Follow({ name, isOn, isFull, onChange }: FollowProps) {
  const title = 'Shows symbols that begin to match, in the header';
  return html`<button type="button" aria-label=${`Follow ${name}`} aria-pressed=${isOn} title=${title}
    disabled=${!isOn && isFull} onClick=${() => onChange(!isOn)}>Follow</button>`;
}
