/** A verb, or one of its own: what it does not know it answers with the nearest that it knows. */

import { Command } from 'commander';
import { nearestName } from '../base/nearest-name.ts';

export class Verb extends Command {
  override createCommand(name?: string): Command {
    return new Verb(name);
  }

  /** Overrides Commander's, which knows no prefixes: it takes `stat` for `start`. */
  unknownCommand(): never {
    const verbs = this.createHelp().visibleCommands(this);
    const names = verbs.flatMap((verb) => [verb.name(), ...verb.aliases()]);
    return this.#refuse('command', this.args[0], names);
  }

  /** Overrides Commander's likewise. */
  unknownOption(flag: string): never {
    const options = this.createHelp().visibleOptions(this);
    const names = options.flatMap(({ long }) => (long ? [long.slice(2)] : []));
    const nearest = flag.startsWith('--') ? nearestName(flag.slice(2), names) : undefined;
    return this.#refuse('option', flag, nearest === undefined ? [] : [`--${nearest}`]);
  }

  #refuse(kind: 'command' | 'option', given: string, names: string[]): never {
    const nearest = nearestName(given, names);
    const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`;
    const code = kind === 'command' ? 'commander.unknownCommand' : 'commander.unknownOption';
    return this.error(`tapeworks: unknown ${kind} "${given}"${hint}`, { code });
  }
}
