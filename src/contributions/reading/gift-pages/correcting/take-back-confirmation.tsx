import { randomUUID } from 'node:crypto';
import type { VNode } from 'preact';
import { Amount, amountInWords, Confirmation, Day, Facts } from '../../../../pages/index.js';
import {
  displayAmount,
  fromCents,
  storedAmount,
  type StoredAmount,
  sumOfAmounts,
  toCents,
} from '../../../../values/index.js';
import type { ReverseAsFinanceRequest } from '../../../reversals/index.js';
import type { FoundGift } from '../../searching/found-gift-view.js';
import type { GiftDetails } from '../read-gift.service.js';
import { giftInWords, methodInWords, reasonInWords } from '../wording.js';
import { CHANGE, HOW_MUCH } from './amount-to-take-back.js';
import { FundsOfGift } from './present-gift.js';
import { type GiftToCorrect, originFields, wayBack } from './review-origin.service.js';

interface ConfirmationProps extends GiftToCorrect {
  readonly request: ReverseAsFinanceRequest;
  /** Whether all that is left is taken back, or a part. */
  readonly howMuch: string;
}

/** How much a request takes back, as stored: without an amount, all that is left in its fund, or in all of them. */
function amountTaken({ gifts }: GiftDetails, { Amount, FundId }: ReverseAsFinanceRequest): StoredAmount {
  return Amount ?? sumOfAmounts(giftsOfFund(gifts, FundId).map(({ left }) => storedAmount(left)));
}

function giftsOfFund(gifts: readonly FoundGift[], fundId: number | undefined): readonly FoundGift[] {
  return gifts.filter((gift) => fundId === undefined || gift.fundId === fundId);
}

/** The question: "USD 20.00 of USD 425.00 from John Appleseed". */
export function takenInWords(details: GiftDetails, request: ReverseAsFinanceRequest): string {
  const { currency, payment } = details.gift;
  const amount = displayAmount(amountTaken(details, request), currency);
  const gift = giftInWords(details);
  return amount === payment.amount ? gift : `${amountInWords(amount, currency)} of ${gift}`;
}

/** What taking a gift back does, with figures. They are computed on amounts as stored, and sent with what was left. */
export function TakeBackConfirmation({ details, review, request, howMuch }: ConfirmationProps): VNode {
  const { gift, giver, gifts, left } = details;
  const { contributionId, currency } = gift;
  const { FundId: fundId, Reason: reason, Note: note } = request;
  const taken = amountTaken(details, request);
  const amount = displayAmount(taken, currency);
  const after = displayAmount(fromCents(toCents(storedAmount(left)) - toCents(taken)), currency);
  const method = methodInWords(gift.payment);
  const [back] = wayBack({ details, review });
  return (
    <Confirmation
      to={`/console/gifts/${contributionId}/take-back/confirm`}
      fields={{
        ...{ [HOW_MUCH]: howMuch, Amount: amount, Left: left, Reason: reason, Key: randomUUID() },
        ...(fundId !== undefined && { FundId: String(fundId) }),
        ...(note !== undefined && { Note: note }),
        ...originFields(review),
      }}
      button={`Take back ${amountInWords(amount, currency)}`}
      back={back}
      change={{ to: `/console/gifts/${contributionId}/take-back`, name: CHANGE }}
    >
      <Facts
        facts={[
          ['Giver', `${giver.first} ${giver.last}`],
          ['Paid', <Amount key="paid" value={gift.payment.amount} currency={currency} />],
          ...(method === undefined ? [] : [['Method', method] as const]),
          ['Day', <Day key="day" value={gift.day} />],
          ['Fund', <FundsOfGift key="fund" gifts={giftsOfFund(gifts, fundId)} />],
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
