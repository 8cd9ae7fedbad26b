import type { Random } from './random.js';

/** How somebody usually gives. */
export type Habit = 'online' | 'text' | 'check' | 'cash' | 'seldom';

/** A made-up person. */
export interface DemoGiver {
  readonly First: string;
  readonly Last: string;
  readonly Email: string;
  readonly Phone: string;
  readonly habit: Habit;
  /** The usual gift in whole dollars. */
  readonly usual: number;
  /** Between two gifts: 1 for every week, 4 for about once a month. */
  readonly weeks: number;
  /** The first week of giving, within the interval. */
  readonly phase: number;
  /** Whether a part of each gift goes to the missions. */
  readonly splits: boolean;
}

/** The number of people of the church. */
export const PEOPLE = 300;

const FIRST =
  'James Mary Robert Patricia John Jennifer Michael Linda David Elizabeth William Barbara Richard Susan Joseph Jessica Thomas Sarah Charles Karen Daniel Lisa Matthew Nancy Anthony Betty Mark Margaret Paul Sandra Steven Ashley Andrew Kimberly Joshua Emily Kenneth Donna Kevin Michelle Brian Carol George Amanda Timothy Dorothy Ronald Melissa Edward Deborah'.split(
    ' ',
  );
const LAST =
  'Smith Johnson Williams Brown Jones Garcia Miller Davis Rodriguez Martinez Hernandez Lopez Gonzalez Wilson Anderson Thomas Taylor Moore Jackson Martin Lee Perez Thompson White Harris Sanchez Clark Ramirez Lewis Robinson Walker Young Allen King Wright Scott Torres Nguyen Hill Flores'.split(
    ' ',
  );
const HABITS: readonly [Habit, ...Habit[]] = ['online', 'online', 'online', 'text', 'check', 'check', 'cash', 'seldom'];
const AMOUNTS: readonly [number, ...number[]] = [20, 25, 40, 50, 50, 60, 75, 100, 100, 120, 150, 200, 250, 400];

/** The people of the church. Each has a name, an address and a number of their own. */
export function demoGivers(random: Random): readonly DemoGiver[] {
  return Array.from({ length: PEOPLE }, (_, index) => {
    // 50 and 40 have a common factor, so each round of 200 needs a shift to give new pairs.
    const First = FIRST[index % FIRST.length] ?? '';
    const Last = LAST[(index * 7 + Math.floor(index / 200)) % LAST.length] ?? '';
    const habit = random.pick(HABITS);
    const weeks = habit === 'seldom' ? 16 + random.below(20) : random.pick([1, 2, 4, 4, 4]);
    return {
      First,
      Last,
      Email: `${First}.${Last}@example.org`.toLowerCase(),
      // 555-0100 to 555-0199 belong to nobody.
      Phone: `${['901', '731', '615'][Math.floor(index / 100)] ?? '901'}-555-${String(100 + (index % 100)).padStart(4, '0')}`,
      habit,
      usual: random.pick(AMOUNTS),
      weeks,
      phase: random.below(weeks),
      splits: habit === 'online' && random.chance(15),
    };
  });
}
