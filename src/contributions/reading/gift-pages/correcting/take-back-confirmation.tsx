import { randomUUID } from 'node:crypto';
import type { VNode } from 'preact';
import { Amount, amountInWords, Confirmation, Facts } from '../../../../pages/index.js';
import { displayAmount, fromCents, storedAmount, sumOfAmounts, toCents } from '../../../../values/index.js';
import type { ReverseAsFinanceRequest } from '../../../reversals/index.js';
import { reasonInWords } from '../wording.js';
import { type ToTakeBack, wayBack } from './take-back-origin.js';

interface ConfirmationProps extends ToTakeBack {
  readonly request: ReverseAsFinanceRequest;
}

/** What taking a gift back does, with figures. They are computed on amounts as stored, and sent with what was left. */
export function TakeBackConfirmation({ details, review, request }: ConfirmationProps): VNode {
  const { gift, giver, gifts, left } = details;
  const { contributionId, currency } = gift;
  const { FundId: fundId, Reason: reason, Note: note } = request;
  const eligible = gifts.filter((one) => fundId === undefined || one.fundId === fundId);
  const taken = request.Amount ?? sumOfAmounts(eligible.map((one) => storedAmount(one.left)));
  const amount = displayAmount(taken, currency);
  const after = displayAmount(fromCents(toCents(storedAmount(left)) - toCents(taken)), currency);
  const [back] = wayBack({ details, review });
  return (
    <Confirmation
      to={`/console/gifts/${contributionId}/take-back/confirm`}
      fields={{
        ...{ Amount: amount, Left: left, Reason: reason, Key: randomUUID() },
        ...(fundId !== undefined && { FundId: String(fundId) }),
        ...(note !== undefined && { Note: note }),
        ...(review !== undefined && { Review: String(review.reviewId) }),
      }}
      button={`Take back ${amountInWords(amount, currency)}`}
      back={back}
    >
      <Facts
        facts={[
          ['Giver', `${giver.first} ${giver.last}`],
          ['Taken back', <Amount key="taken" value={`-${amount}`} currency={currency} />],
          ['Left afterwards', <Amount key="after" value={after} currency={currency} />],
          ['Why', reasonInWords(reason)],
          ...(fundId === undefined ? [] : [['Fund', eligible[0]?.fund ?? ''] as const]),
          ...(note === undefined ? [] : [['Note', note] as const]),
        ]}
      />
      <p>
        The books get an entry with a minus in your bundle of today. The gift itself stays in them, and so does this
        entry: it can be given back, but not deleted. No money is sent: the processor or the bank does that.
      </p>
    </Confirmation>
  );
}
