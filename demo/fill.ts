import { setTimeout as sleep } from 'node:timers/promises';
import { DateTime } from 'luxon';
import type { DemoChurch } from './church.js';
import { demoGivers, type DemoGiver } from './givers.js';
import { seededRandom } from './random.js';
import { batchesOf, type DemoBatch, firstSunday, WEEKS } from './weeks.js';

/** The same church in every run; only the days depend on today. */
const SEED = 20_260_101;

const FUNDS = ['Building', 'Missions', 'Benevolence', 'Youth', 'Christmas 2019'];

/** The most gifts in one call of AddContributions. */
const GIFTS_PER_CALL = 100;

/** The weeks at the end whose bundles are still open. */
const OPEN_WEEKS = 2;

/** A gift that was recorded. */
export interface RecordedGift {
  readonly contributionId: number;
  readonly peopleId: number;
  readonly batch: DemoBatch;
}

/** What the rest of the demo goes on with. */
export interface FilledBooks {
  readonly givers: readonly DemoGiver[];
  /** The gifts of the last weeks, whose bundles are open. */
  readonly last: readonly RecordedGift[];
  readonly now: DateTime;
}

/**
 * Fills an empty church with two years of gifts, by the calls of the API, and waits for the notices of reversals.
 * @param progress gets whole percents.
 */
export async function fillChurch(
  church: DemoChurch,
  now: DateTime,
  progress: (percent: number) => void,
): Promise<FilledBooks> {
  const random = seededRandom(SEED);
  const givers = demoGivers(random);
  const start = firstSunday(now);
  await createFunds(church, start);
  const last: RecordedGift[] = [];
  for (let week = 0; week < WEEKS; week++) {
    const sunday = start.plus({ weeks: week });
    const recorded: RecordedGift[] = [];
    for (const batch of batchesOf(givers, sunday, week, random)) {
      if (batch.day > now) continue;
      recorded.push(...(await record(church, batch)));
    }
    church.travelTo(earlier(sunday.plus({ days: 5, hours: 9 }), now));
    if (week % 4 === 2) await takeBack(church, recorded, week);
    if (week < WEEKS - OPEN_WEEKS) await closeOpenBundles(church, week);
    if (week >= WEEKS - OPEN_WEEKS) last.push(...recorded);
    progress(Math.round(((week + 1) / WEEKS) * 100));
  }
  church.travelTo(now.toJSDate());
  await untilNotified(church);
  return { givers, last, now };
}

/** Waits until the mails of all reversals are sent. */
async function untilNotified(church: DemoChurch): Promise<void> {
  for (let tries = 0; tries < 60; tries++) {
    const { deliveries } = await church.call<{ deliveries: readonly object[] }>('treasurer', 'Notices?status=unsent');
    if (deliveries.length === 0) return;
    await sleep(500);
  }
}

function earlier(one: DateTime, other: DateTime): Date {
  return DateTime.min(one, other).toJSDate();
}

async function createFunds(church: DemoChurch, start: DateTime): Promise<void> {
  church.travelTo(start.toJSDate());
  for (const Name of FUNDS) await church.call('treasurer', 'Funds', { Name });
  const { funds } = await church.call<{ funds: readonly { fundId: number; name: string }[] }>('treasurer', 'Funds');
  const old = funds.find(({ name }) => name === 'Christmas 2019');
  await church.call('treasurer', `Funds/${old?.fundId ?? 0}/close`, {});
}

interface BatchAnswer {
  readonly Results: readonly {
    readonly Status: number;
    readonly Answer?: { readonly ContributionId: number; readonly PeopleId: number };
  }[];
}

async function record(church: DemoChurch, batch: DemoBatch): Promise<RecordedGift[]> {
  const { recorder, day, gifts } = batch;
  church.travelTo(day.toJSDate());
  const recorded: RecordedGift[] = [];
  for (let from = 0; from < gifts.length; from += GIFTS_PER_CALL) {
    const sent = gifts.slice(from, from + GIFTS_PER_CALL);
    const { Results } = await church.call<BatchAnswer>(recorder, 'AddContributions', { Gifts: sent });
    for (const { Answer, Status } of Results) {
      if (Answer === undefined) throw new Error(`A gift of the demo was refused with ${Status}`);
      recorded.push({ contributionId: Answer.ContributionId, peopleId: Answer.PeopleId, batch });
    }
  }
  return recorded;
}

const REASONS = ['refund', 'returned', 'chargeback', 'duplicate', 'error'] as const;

/** Takes a gift back wholly, and 5 dollars of another one. */
async function takeBack(church: DemoChurch, recorded: readonly RecordedGift[], week: number): Promise<void> {
  const [whole, part] = recorded.filter(({ batch }) => batch.recorder !== 'counters').slice(week % 5);
  if (whole === undefined || part === undefined) return;
  const reason = REASONS[week % REASONS.length];
  await church.call(
    whole.batch.recorder,
    `ReverseContribution/${whole.contributionId}/${whole.batch.recorder}?reason=${reason}`,
    {},
  );
  await church.call('treasurer', `Contributions/${part.contributionId}/reverse`, { Amount: '5.00', Reason: 'refund' });
}

interface OpenBundles {
  readonly bundles: readonly {
    readonly bundleId: number;
    readonly user: string;
    readonly totals: readonly { readonly count: number; readonly total: string }[];
  }[];
}

/** The treasurer closes what was compared with the bank. One bundle of the counters is forgotten. */
async function closeOpenBundles(church: DemoChurch, week: number): Promise<void> {
  const { bundles } = await church.call<OpenBundles>('treasurer', 'Bundles?status=Open');
  const forgotten = week >= WEEKS - 5 ? 'counters' : '';
  const Bundles = bundles
    .filter(({ user }) => user !== forgotten)
    .map(({ bundleId, totals: [sum] }) => ({
      BundleId: bundleId,
      Count: sum?.count ?? 0,
      Total: sum?.total ?? '0.00',
    }));
  if (Bundles.length > 0) await church.call('treasurer', 'Bundles/close', { Bundles });
}
