import type { VNode } from 'preact';
import { Amount, type Column, Day, Link, Pagination, RowTick, WideTable } from '../../../../pages/index.js';
import type { DepositDetails, DepositItemView } from '../../showing/deposit-details.js';
import { AmountIfAny, DEPOSITS } from '../shared/deposit-words.js';
import { REMOVING } from './deposit-forms.js';
import { ITEM } from './ticked-items.js';

interface ItemsProps {
  readonly deposit: DepositDetails;
  /** Whether items can be ticked, to be removed. */
  readonly mayRemove: boolean;
  readonly isLater: boolean;
  /** The boxes that were ticked before. */
  readonly ticked: ReadonlySet<string>;
}

/** A page of the items of a deposit. */
export function ItemTable({ deposit, mayRemove, isLater, ticked }: ItemsProps): VNode {
  const { id, items, next, currency } = deposit;
  const tick: Column<DepositItemView> = {
    header: 'Tick',
    cell: (item) =>
      item.removedBy === null && (
        <RowTick
          form={REMOVING}
          name={`${ITEM}${item.itemId}`}
          value={item.kind}
          label={`Item ${item.itemId}`}
          checked={ticked.has(`${ITEM}${item.itemId}`)}
        />
      ),
  };
  return (
    <>
      <WideTable
        caption="Items"
        rows={items}
        keyOf={({ itemId }) => itemId}
        columns={[...(mayRemove ? [tick] : []), ...columnsOf(currency)]}
        empty="It has no items. Add the gifts that were paid out."
      />
      <Pagination
        to={`${DEPOSITS}/${id}`}
        query={{}}
        at="items"
        next={next === null ? undefined : { after: next }}
        isLater={isLater}
      />
    </>
  );
}

interface ItemProps {
  readonly item: DepositItemView;
  readonly currency: string;
}

function columnsOf(currency: string): readonly Column<DepositItemView>[] {
  return [
    { header: 'Gift', cell: (item) => <GiftOfItem item={item} /> },
    { header: 'What', cell: (item) => <KindOfItem item={item} currency={currency} /> },
    { header: 'Day', cell: ({ day }) => (day === null ? null : <Day value={day} />) },
    { header: 'Fund', cell: ({ funds }) => funds.join(', ') },
    {
      header: 'Bundle',
      cell: ({ bundleIds }) =>
        bundleIds.map((bundleId, index) => (
          <span key={bundleId}>
            {index > 0 && ', '}
            <Link to={`/console/bundles/${bundleId}`}>{bundleId}</Link>
          </span>
        )),
    },
    {
      header: 'Amount',
      align: 'right',
      cell: ({ amount, kind }) =>
        amount === null ? null : <Amount value={kind === 'Reversal' ? `-${amount}` : amount} currency={currency} />,
    },
    { header: 'Fee', align: 'right', cell: (item) => <FeeOfItem item={item} currency={currency} /> },
  ];
}

function GiftOfItem({ item: { paymentId, giver, transactionId } }: Pick<ItemProps, 'item'>): VNode {
  if (paymentId === null) return <span>{transactionId}</span>;
  return (
    <span>
      <Link to={`/console/gifts/${paymentId}`}>
        {giver === null ? `Gift ${paymentId}` : `${giver.first} ${giver.last}`}
      </Link>
      <small class="aside">{transactionId}</small>
    </span>
  );
}

function KindOfItem({ item, currency }: ItemProps): VNode {
  const { kind, amount, removedBy, removalReason, reversedAmount } = item;
  const what = kind === 'Reversal' ? 'Taken back' : 'Gift';
  return (
    <span>
      {amount === null ? `${what}, not in the books` : what}
      {removedBy !== null && (
        <small class="aside">
          Removed by {removedBy}: {removalReason}
        </small>
      )}
      {/[1-9]/.test(reversedAmount) && (
        <small class="aside">
          <Amount value={reversedAmount} currency={currency} /> of it taken back
        </small>
      )}
    </span>
  );
}

function FeeOfItem({ item: { fee, giftFee }, currency }: ItemProps): VNode {
  return (
    <span>
      <AmountIfAny value={fee} currency={currency} />
      {giftFee !== null && fee !== null && giftFee !== fee && (
        <small class="aside">
          with the gift <Amount value={giftFee} currency={currency} />
        </small>
      )}
    </span>
  );
}
