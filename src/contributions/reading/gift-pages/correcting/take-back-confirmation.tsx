import { randomUUID } from 'node:crypto';
import type { VNode } from 'preact';
import { Amount, amountInWords, Confirmation, Day, Facts } from '../../../../pages/index.js';
import { displayAmount, fromCents, storedAmount, sumOfAmounts, toCents } from '../../../../values/index.js';
import type { ReverseAsFinanceRequest } from '../../../reversals/index.js';
import { methodInWords, reasonInWords } from '../wording.js';
import { FundsOfGift } from './present-gift.js';
import { type GiftToCorrect, originFields, wayBack } from './review-origin.service.js';

interface ConfirmationProps extends GiftToCorrect {
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
  const method = methodInWords(gift.payment);
  const [back] = wayBack({ details, review });
  return (
    <Confirmation
      to={`/console/gifts/${contributionId}/take-back/confirm`}
      fields={{
        ...{ Amount: amount, Left: left, Reason: reason, Key: randomUUID() },
        ...(fundId !== undefined && { FundId: String(fundId) }),
        ...(note !== undefined && { Note: note }),
        ...originFields(review),
      }}
      button={`Take back ${amountInWords(amount, currency)}`}
      back={back}
    >
      <Facts
        facts={[
          ['Giver', `${giver.first} ${giver.last}`],
          ['Paid', <Amount key="paid" value={gift.payment.amount} currency={currency} />],
          ...(method === undefined ? [] : [['Method', method] as const]),
          ['Day', <Day key="day" value={gift.day} />],
          ['Fund', <FundsOfGift key="fund" gifts={eligible} />],
          ['Taken back', <Amount key="taken" value={`-${amount}`} currency={currency} />],
          ['Left afterwards', <Amount key="after" value={after} currency={currency} />],
          ['Why', reasonInWords(reason)],
          ...(note === undefined ? [] : [['Note', note] as const]),
        ]}
      />
      <WhatItDoes />
    </Confirmation>
  );
}

function WhatItDoes(): VNode {
  return (
    <p>
      The books get an entry with a minus in your bundle of today. The gift itself stays in them, and so does this
      entry: you can undo it by another entry, but not delete it. No money is sent: the processor or the bank does that.
    </p>
  );
}
