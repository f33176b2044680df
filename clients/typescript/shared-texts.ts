/** Parameters and lists of choices that stand in several places, each declared once. */

/** Least characters of a list of choices that gets a name. */
const NAMED_CHARS = 60;

const CHOICES = /([a-z]\w*?)s?"?\??: \(?((?:"[^"\n]+" \| )+"[^"\n]+")/g;

/** Returns one of each set of equal items, with their number, the most frequent first. */
function counted<T>(items: readonly T[], keyOf: (item: T) => string): [T, number][] {
  const groups = [...Map.groupBy(items, keyOf).values()];
  return groups.map((same): [T, number] => [same[0], same.length]).sort(([, a], [, b]) => b - a);
}

/** `endpoint` → `Endpoint`, `key_id` → `KeyId`. */
function typeName(field: string): string {
  return field.replace(/(?:^|_)(\w)/g, (_, letter) => letter.toUpperCase());
}

/** Parameters of operations as texts, by name: those that several have alike. */
export class SharedParameters {
  readonly #texts = new Map<string, string>();

  constructor(parameters: readonly { name: string; text: string }[]) {
    for (const [{ name, text }, count] of counted(parameters, (one) => one.text)) {
      if (count > 1 && !this.#texts.has(name)) this.#texts.set(name, text);
    }
  }

  has(name: string, text: string): boolean {
    return this.#texts.get(name) === text;
  }

  get text(): string {
    const fields = [...this.#texts.values()].join('\n');
    return `/** Parameters that several operations have. */\nexport interface SharedParameters {\n${fields}\n}`;
  }
}

/**
 * Names long lists of choices that stand in several places by the field that has them.
 *
 * @param names Names of types by their texts; gets the new ones.
 */
export function withNamedChoices(text: string, names: ReadonlyMap<string, string>): string {
  const lists = Array.from(text.matchAll(CHOICES), ([, field, choices]) => ({ field, choices }));
  // The longest name says most: `event` rather than `type`.
  lists.sort((a, b) => b.field.length - a.field.length);
  const added = new Map<string, string>();
  for (const [{ field, choices }, count] of counted(lists, (one) => one.choices)) {
    const name = typeName(field);
    if (count > 1 && choices.length >= NAMED_CHARS && !names.has(choices)) added.set(choices, name);
  }
  let result = text;
  for (const [choices, name] of [...names, ...added]) result = result.replaceAll(choices, name);
  const declared = Array.from(added, ([choices, name]) => `export type ${name} = ${choices};`);
  return [...declared, result].join('\n\n');
}
