import type { VNode } from 'preact';
import { Amount, Day, Facts } from '../../../../pages/index.js';
import { displayAmount, storedAmount, sumOfAmounts } from '../../../../values/index.js';
import { specialType } from '../../../ledger/index.js';
import type { FoundGift } from '../../searching/found-gift-view.js';
import type { GiftDetails } from '../read-gift.service.js';
import { methodInWords } from '../wording.js';

/** The gift that a form is about: what tells it from others, and where its money is now. */
export function PresentGift({ gift, giver, gifts, left }: GiftDetails): VNode {
  const { payment, currency, giver: sent, contributionTypeId, createdBy } = gift;
  const isNamedOtherwise = sent !== null && (sent.first !== giver.first || sent.last !== giver.last);
  const optional = [
    ['Method', methodInWords(payment)],
    ['Type', specialType(contributionTypeId)],
  ] as const;
  return (
    <Facts
      facts={[
        [
          'Giver',
          <>
            {giver.first} {giver.last}
            {isNamedOtherwise && (
              <small class="aside">
                sent as {sent.first} {sent.last}
              </small>
            )}
          </>,
        ],
        ['Amount', <Amount key="amount" value={payment.amount} currency={currency} />],
        ['Left', <Amount key="left" value={left} currency={currency} />],
        ['Fund', <FundsOfGift key="fund" gifts={gifts} />],
        ...optional.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
        ['Day', <Day key="day" value={gift.day} />],
        ['Processor', createdBy],
      ]}
    />
  );
}

/** The funds in which something is left, each with how much if there are several; all funds if nothing is left. */
export function FundsOfGift({ gifts }: { readonly gifts: readonly FoundGift[] }): VNode {
  const some = gifts.filter(({ left }) => /[1-9]/.test(left));
  const shown = some.length === 0 ? gifts : some;
  const funds = [...new Map(shown.map(({ fundId, fund }) => [fundId, fund]))];
  return (
    <>
      {funds.map(([fundId, name], index) => (
        <span key={fundId}>
          {index > 0 && ', '}
          {name}
          {funds.length > 1 && <> {leftIn(shown.filter((gift) => gift.fundId === fundId))}</>}
        </span>
      ))}
    </>
  );
}

function leftIn(gifts: readonly FoundGift[]): VNode {
  const currency = gifts[0]?.currency ?? '';
  const left = sumOfAmounts(gifts.map((gift) => storedAmount(gift.left)));
  return <Amount value={displayAmount(left, currency)} currency={currency} />;
}
