import type { DemoChurch } from './church.js';
import type { FilledBooks } from './fill.js';

/** Gifts of the last days that Finance has to check, one for each of the usual reasons. */
export async function addDoubtfulGifts(church: DemoChurch, { givers, now }: FilledBooks): Promise<void> {
  const detailsOf = (index: number): object => {
    const { First, Last, Email, Phone } = givers[index] ?? {};
    return { First, Last, Email, Phone };
  };
  const today = now.toISODate();
  const common = { Amount: '77.00', Date: today, Method: 'card', Fee: '2.53' };
  const gift = (index: number, name: string, fields: object): object => ({
    ...{ ...detailsOf(index), ...common },
    ...{ Source: 'text-to-give', TransactionId: `doubt-${name}`, ...fields },
  });
  const Gifts = [
    gift(3, 'twice-a', {}),
    gift(3, 'twice-b', {}),
    gift(8, 'child', { First: 'Zoe' }),
    gift(33, 'again-a', { Amount: '120.00' }),
    gift(33, 'again-b', { Amount: '120.00' }),
    gift(40, 'wife', { First: 'Harriet' }),
    gift(14, 'spelling', { Last: `${givers[14]?.Last ?? ''}e`, Email: 'someone.else@example.org' }),
    gift(21, 'closed-fund', { FundName: 'Christmas 2019' }),
    gift(27, 'last-year', { Date: `${now.year - 1}-12-28` }),
  ];
  await church.call('text-to-give', 'AddContributions', { Gifts });
}

/** What Finance corrected today: a wrong fund, a wrong giver, a dispute that was won, and a review. */
export async function correctGifts(church: DemoChurch, { last: recorded }: FilledBooks): Promise<void> {
  // The last ones: of the first ones some were taken back.
  const [moved, given, disputed] = recorded.filter(({ batch }) => batch.recorder !== 'counters').slice(-3);
  const [other] = recorded;
  if (moved === undefined || given === undefined || disputed === undefined || other === undefined) return;
  const { funds } = await church.call<{ funds: readonly { fundId: number; name: string }[] }>('treasurer', 'Funds');
  const FundId = funds.find(({ name }) => name === 'Youth')?.fundId ?? 1;
  await church.call('treasurer', `Contributions/${moved.contributionId}/move`, {
    FundId,
    Reason: 'Meant for the youth',
  });
  await church.call('treasurer', `Contributions/${given.contributionId}/reassign`, { PeopleId: other.peopleId });
  const { recorder } = disputed.batch;
  await church.call(recorder, `ReverseContribution/${disputed.contributionId}/${recorder}?reason=chargeback`, {});
  await church.call('treasurer', `Contributions/${disputed.contributionId}/reinstate`, {});
  const { reviews } = await church.call<{ reviews: readonly { reviewId: number }[] }>('treasurer', 'Reviews');
  const review = reviews.at(-1);
  if (review !== undefined) await church.call('treasurer', `Reviews/${review.reviewId}/accept`, {});
}
