/** Calls in a source that change the disk, found by what it imports and by what methods are called. */

export interface DiskCallText {
  line: number;
  text: string;
}

/** Of `node:fs` and its promises, whatever their ending: these change nothing. All others count. */
const READING = new Set([
  ...['access', 'close', 'constants', 'createReadStream', 'exists', 'fstat', 'lstat', 'opendir'],
  ...['read', 'readFile', 'readdir', 'readlink', 'readv', 'realpath', 'stat', 'statfs', 'watch'],
]);

/** Opens a file that is written from its beginning, or made. */
const OPENS_FOR_WRITING = /^[^;]*?(['"`](?:w|a|ax|wx)\+?['"`]|O_CREAT|O_TRUNC)/;

/** Whatever they are called on: a file handle has no type here. */
const METHODS =
  /\.(sync|datasync|write|writev|writeFile|appendFile|truncate|createWriteStream|writeSync)\(/g;

/** Statements that write by themselves, whatever transaction is open, or end one. */
const STATEMENTS =
  /(?<!\bstep\(\s*)(['"`])\s*(?:(?:COMMIT|(?:FORCE\s+)?CHECKPOINT|VACUUM|ATTACH|DETACH|COPY|EXPORT\s+DATABASE|IMPORT\s+DATABASE|PRAGMA\s+wal_checkpoint)\b|(?<=\b(?:run|exec)\(\s*.)END\b)|;\s*(?:COMMIT|CHECKPOINT)\b/gi;

/** The same length without comments, so that places stay. */
function withoutComments(text: string): string {
  const blank = (comment: string) => comment.replace(/[^\n]/g, ' ');
  return text.replace(/\/\*[\s\S]*?\*\//g, blank).replace(/(^|\s)\/\/[^\n]*/g, blank);
}

interface Imports {
  /** Names under which functions are called that change the disk. */
  changing: string[];
  /** … that open files. */
  opening: string[];
  /** Names of whole modules. */
  modules: string[];
}

/** What a source has from the modules that reach the disk. */
function importsOf(text: string): Imports {
  const found: Imports = { changing: [], opening: [], modules: [] };
  const statements = text.matchAll(
    /^import (?!type )([^;]*?) from '(node:(?:fs|fs\/promises|stream|stream\/promises|sqlite))'/gm,
  );
  for (const [, names, module] of statements) {
    const whole = /^(?:\* as )?(\w+)/.exec(names)?.[1];
    if (whole && module.startsWith('node:fs')) found.modules.push(whole);
    for (const part of /\{([\s\S]*)\}/.exec(names)?.[1].split(',') ?? []) {
      const [name, alias = name] = part.trim().split(/ as /);
      if (name === '' || name.startsWith('type ')) continue;
      const plain = name.replace(/Sync$/, '');
      if (module.startsWith('node:stream')) {
        if (plain === 'pipeline') found.changing.push(alias);
      } else if (module === 'node:sqlite') {
        if (plain === 'backup') found.changing.push(alias);
      } else if (plain === 'open') found.opening.push(alias);
      else if (!READING.has(plain)) found.changing.push(alias);
    }
  }
  return found;
}

/** Every call of a source that changes the disk, in order. */
export function diskCalls(source: string): (DiskCallText & { place: number })[] {
  const text = withoutComments(source);
  const { changing, opening, modules } = importsOf(text);
  const places = new Set<number>();
  const calls = (names: readonly string[], before = '(?<![\\w.])') =>
    names.length === 0 ? [] : text.matchAll(new RegExp(`${before}(?:${names.join('|')})\\(`, 'g'));
  for (const { index } of calls(changing)) places.add(index);
  for (const { index } of calls(modules.map((name) => `${name}\\.\\w+`))) {
    const method = /\.(\w+?)(?:Sync)?\($/.exec(
      text.slice(index, text.indexOf('(', index) + 1),
    )?.[1];
    if (method && !READING.has(method)) places.add(index);
  }
  for (const { index, 0: call } of calls(opening)) {
    if (OPENS_FOR_WRITING.test(text.slice(index + call.length))) places.add(index);
  }
  for (const { index } of text.matchAll(METHODS)) places.add(index);
  for (const { index } of text.matchAll(STATEMENTS)) places.add(index);
  return [...places]
    .sort((a, b) => a - b)
    .map((place) => {
      const line = text.slice(0, place).split('\n').length;
      return { place, line, text: source.split('\n')[line - 1].trim() };
    });
}

/** A step is told in the lines right before the one call that it names. */
const LINES_BEFORE = 6;

/** Calls that have no step of their own before them. */
export function callsWithoutStep(source: string): DiskCallText[] {
  const text = withoutComments(source);
  const steps = [...text.matchAll(/\bstep\(\s*'/g)].map(({ index }) => ({
    place: index,
    line: text.slice(0, index).split('\n').length,
    isUsed: false,
  }));
  return diskCalls(source).filter((call) => {
    const step = steps.findLast(
      ({ place, line, isUsed }) =>
        !isUsed && place < call.place && call.line - line <= LINES_BEFORE,
    );
    if (step) step.isUsed = true;
    return !step;
  });
}
