import type { Random } from './random.js';

/** A detail of a giver as it is sent, in NFC, and what it is compared by: equal details have it equal. Null equals nothing. */
export interface Detail {
  readonly sent: string;
  readonly same: string | null;
}

/** A giver's details. Who is whom is known by construction: nothing here folds, spells or reads a number. */
export interface Giver {
  readonly first: Detail;
  readonly last: Detail;
  readonly email: Detail;
  readonly phone: Detail;
}

/** The two first names of which one is short for the other. */
export const SHORT_FORMS: Readonly<Record<string, string>> = { tom: 'thomas', thomas: 'tom' };

const FIRST_NAMES = {
  anna: ['Anna', 'ANNA', 'Ännä', 'an-na'],
  thomas: ['Thomas', 'THOMAS', 'thomás'],
  tom: ['Tom', 'TOM', 'Tóm'],
} as const;

/** Spellings of one last name each; a family's own letters are put behind. */
const LAST_NAMES = [
  ['rodriguez', ['Rodríguez', 'RODRIGUEZ', 'rodriguez']],
  ['odell', ['O’Dell', "o'dell", 'ODell']],
  ['delacruz', ['De La Cruz', 'DeLaCruz', 'de la-cruz']],
  ['grossmann', ['Großmann', 'GROSSMANN', 'Grossmann']],
] as const;

/** Somebody of one of the families from 0 to `families` - 1, rather of the last, each detail in one of its spellings. */
export function someGiver(random: Random, families: number): Giver {
  const family = someFamily(random, families);
  return {
    first: firstName(random),
    last: lastName(random, family),
    email: email(random, random.percent(90) ? family : someFamily(random, families)),
    phone: phone(random, random.percent(90) ? family : someFamily(random, families)),
  };
}

function someFamily(random: Random, families: number): number {
  return random.percent(70) ? Math.max(0, families - 1 - random.below(3)) : random.below(families);
}

function firstName(random: Random): Detail {
  const same = random.pick(['anna', 'thomas', 'tom']);
  return { sent: random.pick(FIRST_NAMES[same]), same };
}

function lastName(random: Random, family: number): Detail {
  const [name, spellings] = LAST_NAMES[family % LAST_NAMES.length] ?? LAST_NAMES[0];
  const own = family
    .toString()
    .split('')
    .map((digit) => 'bcdfghjkmp'.charAt(Number(digit)))
    .join('');
  return { sent: random.pick(spellings) + own, same: name + own };
}

/** One of three addresses of the family. */
function email(random: Random, family: number): Detail {
  const same = `family${family}.${random.below(3)}@example.org`;
  return { sent: random.pick([same, same, same.toUpperCase(), same.replace('family', 'Family')]), same };
}

/** One of three numbers of the family, or none that can be compared. */
function phone(random: Random, family: number): Detail {
  if (random.percent(10)) return { sent: random.pick(['n/a', 'none', '0']), same: null };
  const digits = `615${3_000_000 + 10 * family + random.below(3)}`;
  const [area, exchange, line] = [digits.slice(0, 3), digits.slice(3, 6), digits.slice(6)];
  const sent = random.pick([
    digits,
    `(${area}) ${exchange}-${line}`,
    `+1 ${area} ${exchange} ${line}`,
    `${area}.${exchange}.${line} ext. 7`,
  ]);
  return { sent, same: `+1${digits}` };
}
