import { DateTime } from 'luxon';
import type { DemoGiver } from './givers.js';
import type { Random } from './random.js';

/** A gift as AddContributions takes it. */
export type DemoGift = Readonly<Record<string, unknown>> & { readonly Source: string; readonly TransactionId: string };

/** The users that record gifts: two processors, and the people who count the offering. */
export type Recorder = 'online-giving' | 'text-to-give' | 'counters';

/** What one user records on one day. */
export interface DemoBatch {
  readonly recorder: Recorder;
  readonly day: DateTime;
  readonly gifts: readonly DemoGift[];
}

/** Two years. */
export const WEEKS = 104;

/** For each recorder: the days after Sunday on which it sends its gifts. */
const DAYS_AFTER_SUNDAY: Readonly<Record<Recorder, number>> = { counters: 0, 'text-to-give': 1, 'online-giving': 3 };

/**
 * The gifts of a week, in the order of their days.
 * @param sunday its first day, in church time.
 * @param week its number, from 0.
 */
export function batchesOf(givers: readonly DemoGiver[], sunday: DateTime, week: number, random: Random): DemoBatch[] {
  const gifts: Record<Recorder, DemoGift[]> = { counters: [], 'text-to-give': [], 'online-giving': [] };
  for (const [index, giver] of givers.entries()) {
    // Everybody gives in the first weeks once, so that all of them are in the books. Some gifts fail to come.
    const isDue = week % giver.weeks === giver.phase;
    if (!isDue || (week >= giver.weeks && random.chance(8))) continue;
    const recorder = recorderOf(giver);
    gifts[recorder].push(giftOf({ giver, index, week, recorder, day: dayOf(sunday, recorder), random }));
  }
  return (Object.keys(DAYS_AFTER_SUNDAY) as Recorder[]).map((recorder) => ({
    recorder,
    day: dayOf(sunday, recorder),
    gifts: gifts[recorder],
  }));
}

function dayOf(sunday: DateTime, recorder: Recorder): DateTime {
  return sunday.plus({ days: DAYS_AFTER_SUNDAY[recorder], hours: 14 });
}

function recorderOf({ habit }: DemoGiver): Recorder {
  if (habit === 'online') return 'online-giving';
  return habit === 'text' ? 'text-to-give' : 'counters';
}

interface GiftToMake {
  readonly giver: DemoGiver;
  /** Of the giver. */
  readonly index: number;
  readonly week: number;
  readonly recorder: Recorder;
  readonly day: DateTime;
  readonly random: Random;
}

function giftOf({ giver, index, week, recorder, day, random }: GiftToMake): DemoGift {
  const { First, Last, Email, Phone } = giver;
  const dollars = giver.usual + (random.chance(10) ? 25 : 0) + (isBeforeChristmas(day) ? 30 : 0);
  return {
    ...{ First, Last, Email, Phone, Amount: `${dollars}.00`, Date: day.toISODate() },
    ...{ Source: recorder, TransactionId: `${recorder}-${week}-${index}` },
    ...(recorder === 'counters' ? countedGift(giver, week, index) : paidGift(giver, dollars, week, recorder)),
    ...fundsOf(giver, dollars, random),
  };
}

function countedGift({ habit }: DemoGiver, week: number, index: number): object {
  if (habit === 'cash') return { Method: 'cash', BundleTypeId: 2 };
  return { Method: 'check', CheckNumber: String(1_000 + ((index * 37 + week) % 8_000)), BundleTypeId: 1 };
}

/** 2.9 % and 30 cents, as processors of cards usually keep. */
function paidGift({ habit }: DemoGiver, dollars: number, week: number, recorder: Recorder): object {
  const cents = Math.round(dollars * 2.9) + 30;
  const Fee = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
  return { Method: habit === 'text' ? 'wallet' : 'card', Fee, PayoutId: `po_${recorder}_${week}` };
}

function fundsOf({ splits }: DemoGiver, dollars: number, random: Random): object {
  if (splits) {
    const missions = Math.floor(dollars / 5);
    return {
      Splits: [
        { FundName: 'General', Amount: `${dollars - missions}.00` },
        { FundName: 'Missions', Amount: `${missions}.00` },
      ],
    };
  }
  if (random.chance(80)) return { FundName: 'General' };
  return { FundName: random.pick(['Building', 'Missions', 'Benevolence', 'Youth']) };
}

function isBeforeChristmas(day: DateTime): boolean {
  return day.month === 12 && day.day > 10;
}

/** The first Sunday of the two years that end with the week of today. */
export function firstSunday(today: DateTime): DateTime {
  return today
    .startOf('day')
    .minus({ days: today.weekday % 7 })
    .minus({ weeks: WEEKS - 1 });
}
