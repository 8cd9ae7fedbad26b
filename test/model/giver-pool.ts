import type { Random } from './random.js';

/** A detail of a giver as sent, in NFC, and `same`, which is equal for equal details. Null equals nothing. */
export interface Detail {
  readonly sent: string;
  readonly same: string | null;
}

/** A giver's details. Equality is known by construction: nothing here folds names or parses phone numbers. */
export interface Giver {
  readonly first: Detail;
  readonly last: Detail;
  readonly email: Detail;
  readonly phone: Detail;
}

/** Two first names, one of which is the short form of the other. */
export const SHORT_FORMS: Readonly<Record<string, string>> = { tom: 'thomas', thomas: 'tom' };

const FIRST_NAMES = {
  anna: ['Anna', 'ANNA', 'Ännä', 'an-na'],
  thomas: ['Thomas', 'THOMAS', 'thomás'],
  tom: ['Tom', 'TOM', 'Tóm'],
} as const;

/** Last names with their spellings. Each family appends its own letters. */
const LAST_NAMES = [
  ['rodriguez', ['Rodríguez', 'RODRIGUEZ', 'rodriguez']],
  ['odell', ['O’Dell', "o'dell", 'ODell']],
  ['delacruz', ['De La Cruz', 'DeLaCruz', 'de la-cruz']],
  ['grossmann', ['Großmann', 'GROSSMANN', 'Grossmann']],
] as const;

/** A member of a family from 0 to `families` - 1, more often of a late one, with random spellings. */
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

/** One of three numbers of the family, or an unusable number. */
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
