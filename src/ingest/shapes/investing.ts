/** Headers in other languages than English, with the dates that go with them. */

import { easternUnit } from '../values/volume-columns.ts';
import type { TableShape } from './shape.ts';

type Role = 'Date' | 'Close' | 'Open' | 'High' | 'Low' | 'Volume';

const REQUIRED = ['Date', 'Close', 'Open', 'High', 'Low'] as const satisfies readonly Role[];

/** Words of Investing.com's editions and of Stooq's page. Case and accents do not count. */
const WORDS: Record<Role, readonly string[]> = {
  Date: [
    ...['datum', 'fecha', 'data', 'tarih', 'дата', 'päivämäärä', 'ημερομηνία', 'dato', 'ngày'],
    ...[
      'tanggal',
      'tarikh',
      'วันเดือนปี',
      '日付',
      '日付け',
      '日期',
      '交易日期',
      '时间',
      '날짜',
      '일자',
      'kaupankäyntipäivä',
    ],
    ...['handelsdatum', 'handelstag', 'dátum', 'tag', 'date', 'תאריך', 'التاريخ'],
  ],
  Close: [
    ...['zuletzt', 'schluss', 'schlusskurs', 'dernier', 'clôture', 'último', 'cierre', 'chiusura'],
    ...['fechamento', 'laatst', 'slotkoers', 'ostatnio', 'zamknięcie', 'zamkniecie', 'şimdi'],
    ...['kapanış', 'senaste', 'цена', 'закрытие', 'viimeisin', 'τελευταία', 'seneste', 'siste'],
    ...[
      'lần cuối',
      'terakhir',
      'ล่าสุด',
      '終値',
      '收盘',
      '收盤',
      '收市',
      '收盘价',
      '收盤價',
      '종가',
      'fermeture',
    ],
    ...['cours de clôture', 'precio de cierre', 'último preço', 'fecho', 'preço de fechamento'],
    ...[
      'luk',
      'lukkekurs',
      'slot',
      'sluiting',
      'sluitkoers',
      'laatste',
      'kurs zamknięcia',
      'stängning',
    ],
    ...[
      'stängningskurs',
      'slutkurs',
      'sluttkurs',
      'lukukurs',
      'kapanış fiyatı',
      'letzter',
      'close',
      'שער',
      'السعر',
      'الأخير',
    ],
  ],
  Open: [
    ...['eröffn.', 'eröffnung', 'ouv.', 'ouverture', 'apertura', 'abertura', 'otwarcie'],
    ...['açılış', 'откр.', 'открытие', 'öppning', 'öppen', 'avaus', 'άνοιγμα', 'åbning', 'åpning'],
    ...[
      'mở',
      'pembukaan',
      'buka',
      'เปิด',
      '始値',
      '开盘',
      '開盤',
      '開市',
      '开盘价',
      '開盤價',
      '시가',
      'open',
    ],
    ...['erster', 'eröffnungskurs', 'cours d’ouverture', "cours d'ouverture", 'precio de apertura'],
    ...['preço de abertura', 'openen', 'opening', 'openingskoers', 'kurs otwarcia', 'öppningskurs'],
    ...['åpningskurs', 'åbningskurs', 'açılış fiyatı', 'åpen', 'פתיחה', 'الافتتاح', 'مفتوح'],
  ],
  High: [
    ...['hoch', 'höchst', 'plus haut', 'máximo', 'massimo', 'máxima', 'hoog', 'max.'],
    ...['najwyższy', 'najwyzszy', 'yüksek', 'макс.', 'максимум', 'högst', 'högsta', 'ylin'],
    ...[
      'korkein',
      'υψηλό',
      'høj',
      'høy',
      'cao',
      'tertinggi',
      'tinggi',
      'สูง',
      '高値',
      '高',
      '最高',
      '最高价',
      '最高價',
      '고가',
    ],
    ...[
      'höchstkurs',
      'tageshoch',
      'höchster',
      'haut',
      'plus-haut',
      '+ haut',
      '+haut',
      'max',
      'alto',
    ],
    ...['precio máximo', 'alta', 'hoogste', 'kurs max', 'kurs maksymalny', 'maksimum', 'maks.'],
    ...['en yüksek', 'högstakurs', 'högsta kurs', 'dagens högsta', 'high', 'สูงสุด', 'גבוה'],
    ...['الأعلى', 'أعلى', 'högstkurs', 'højeste', 'høyeste'],
  ],
  Low: [
    ...['tief', 'tiefst', 'plus bas', 'mínimo', 'minimo', 'mínima', 'laag', 'min.'],
    ...['najniższy', 'najnizszy', 'düşük', 'мин.', 'минимум', 'lägst', 'lägsta', 'alin', 'matalin'],
    ...[
      'χαμηλό',
      'lav',
      'thấp',
      'terendah',
      'rendah',
      'ต่ำ',
      '安値',
      '低',
      '最低',
      '最低价',
      '最低價',
      '저가',
    ],
    ...['tiefstkurs', 'tagestief', 'tiefster', 'bas', 'plus-bas', '+ bas', '+bas', 'min', 'bajo'],
    ...['precio mínimo', 'baixa', 'laagste', 'kurs min', 'kurs minimalny', 'minimum', 'en düşük'],
    ...['lägstkurs', 'laveste'],
    ...['lägstakurs', 'lägsta kurs', 'dagens lägsta', 'low', 'ต่ำสุด', 'נמוך', 'الأدنى', 'أدنى'],
  ],
  // German pages call the turnover in euros `Volumen` where pieces stand beside it.
  Volume: [
    ...['stücke', 'stuecke', 'stück', 'volume (titres)', 'nombre de titres'],
    ...['vol.', 'volume', 'volumen', 'wol.', 'wolumen', 'hac.', 'hacim', 'объем', 'объём'],
    ...['όγκος', 'kl', 'ปริมาณ', '出来高', '交易量', '成交量', '거래량', 'volumes', 'volumi'],
    ...['handelsvolumen', 'volym', 'volumen_acciones', 'volumen de acciones', 'handelsvolume'],
    ...['islem hacmi', 'işlem hacmi', 'объём торгов', 'объем торгов', 'vol'],
    ...['נפח', 'الحجم', 'volum', 'omsatt antal', 'antal aktier', 'antall aksjer'],
  ],
};

/** Words of the English edition. `Price` is the close, as a column of changes follows. */
const ENGLISH: Record<Role, string> = {
  Date: 'date',
  Close: 'price',
  Open: 'open',
  High: 'high',
  Low: 'low',
  Volume: 'vol.',
};

export const investing: TableShape = {
  words: 'a download of Investing.com, or a header in another language',
  recognise(start) {
    const roles = rolesOf(start.header);
    if (roles === undefined) return undefined;
    const isForeign = [roles.Date!, roles.Close!].some((at) => !isEnglish(start.header[at]));
    const entries = Object.entries(roles) as [Role, number][];
    return {
      header: start.header.map((name, at) => {
        const unit = at === roles.Volume ? easternUnit(name) : undefined;
        const role = entries.find(([, place]) => place === at)?.[0];
        if (unit !== undefined) return `Volume (${unit})`;
        // In French files the money follows the shares: `Volume (titres);Volume`.
        const isTaken = entries.some(([taken]) => taken.toLowerCase() === plain(name));
        return role ?? (isTaken ? `other ${name}` : name);
      }),
      headerLines: 1,
      stated: {},
      rows: (line) => [
        line.map((text, at) => (isForeign && at === roles.Date ? dayFirst(text) : text)),
      ],
    };
  },
};

/** True for names of the English edition, and for those that need no translation. */
function isEnglish(name: string): boolean {
  return /^(?:date|price|close)$/i.test(name.trim());
}

function plain(name: string): string {
  const lower = name.trim().toLowerCase();
  if (/^[ -~]*$/.test(lower)) return lower;
  return lower.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC');
}

/** Words for a price, and what stands between them and the role: `prezzo di apertura`. */
const PRICE_WORDS =
  /(?:^| )(?:cours|prix|precio|prezzo|preco|kurs|preis|cotacao|cotizacion)(?= |$)|(?<= )(?:d['’]|de la |de l['’]|de |di |do |da |del )|(?<=[a-z])(?:kurs|preis|wert)$/g;

/** Roots of short forms in French, German, Spanish, Italian and Portuguese: `ouv`, `chius`. */
const ROOTS: readonly (readonly [root: RegExp, role: Role])[] = [
  [/^(?:seance|jour|sesion|dia|seduta|giorno|pregao|sessao|borsentag|kurstag)$/, 'Date'],
  [/^(?:ouv(?:ert(?:ure)?)?|premier|er(?:o|oe)ff(?:n(?:ung|ungs)?)?|anfangs?)$/, 'Open'],
  [/^(?:ape(?:r(?:t(?:ura)?)?)?|ap|abert?(?:ura)?|primo|primer|primeiro)$/, 'Open'],
  [
    /^(?:(?:plus )?haut|hoch|hoechst|hochst|max(?:imo|ima|imum|i)?|mass(?:imo)?|alto|alta)$/,
    'High',
  ],
  [/^(?:(?:plus )?bas|tief|tiefst|min(?:imo|ima|imum|i)?|bajo|bajos?|baixo|baixa|basso)$/, 'Low'],
  [
    /^(?:clot?(?:ure)?|cloture|ferm(?:eture)?|dern(?:ier)?|schluss?|schluß|ende?|letzter)$/,
    'Close',
  ],
  [/^(?:cie(?:rre)?|ult(?:imo)?|chius?(?:ura)?|fech(?:amento)?|fecho)$/, 'Close'],
  [/^(?:quantite|quantita|cantidad|quantidade|st(?:u|ue)ck(?:e|zahl)?|titres|acciones)$/, 'Volume'],
];

/** Returns the role of a name in its short form, or with words around it. */
function roleOfParts(name: string): Role | undefined {
  const words = name.replace(/[_.-]+/g, ' ').trim();
  const root = words.replaceAll(PRICE_WORDS, ' ').replace(/ {2,}/g, ' ').trim();
  return ROOTS.find(([pattern]) => pattern.test(root))?.[1];
}

/** Roles of words, in their order. */
let wordRoles: ReadonlyMap<string, readonly [role: Role, rank: number]> | undefined;

function rolesOfWords(): NonNullable<typeof wordRoles> {
  wordRoles ??= new Map(
    (Object.entries(WORDS) as [Role, string[]][]).flatMap(([role, words]) =>
      words.map((word, rank) => [plain(word), [role, rank]] as const),
    ),
  );
  return wordRoles;
}

/** Rank of a name that only its parts explain, behind all known words. */
const LAST_RANK = 1000;

const PRICE_NAMES = /^(?:date|open|high|low|close)$/;
const PLAIN_NAMES = /^(?:date|open|high|low|close|volume|vol)$/;

/** Positions of the columns, or undefined for a header that needs no translation. */
export function rolesOf(header: readonly string[]): Partial<Record<Role, number>> | undefined {
  const names = header.map(plain);
  const roles: Partial<Record<Role, number>> = {};
  if (Object.values(ENGLISH).every((word) => names.includes(word))) {
    for (const [role, word] of Object.entries(ENGLISH)) roles[role as Role] = names.indexOf(word);
    return roles;
  }
  const ranks: Partial<Record<Role, number>> = {};
  for (const [at, name] of names.entries()) {
    const ofUnit = easternUnit(name) === undefined ? undefined : 'Volume';
    const [role = ofUnit ?? roleOfParts(name), place = LAST_RANK] = rolesOfWords().get(name) ?? [];
    // A column `max` beside `high` is another one.
    const rank = PRICE_NAMES.test(name) ? -1 : place;
    if (role === undefined || rank >= (ranks[role] ?? Number.POSITIVE_INFINITY)) continue;
    roles[role] = at;
    ranks[role] = rank;
  }
  const areAll = REQUIRED.every((role) => roles[role] !== undefined);
  const arePlain = Object.values(roles).every((at) => PLAIN_NAMES.test(names[at]));
  return areAll && !arePlain ? roles : undefined;
}

/** `13.08.2026 12:00` → `2026-08-13 12:00`; `2023年12月29日` → `2023-12-29`. */
function dayFirst(text: string): string {
  const [, day, month, year, rest = ''] =
    /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})( .*)?$/.exec(text) ?? [];
  if (year !== undefined && Number(month) <= 12) return `${year}-${month}-${day}${rest}`;
  return text.replace(/^(\d{4})\s*[年-]\s*(\d{1,2})\s*[月-]\s*(\d{1,2})日?$/, '$1-$2-$3');
}
