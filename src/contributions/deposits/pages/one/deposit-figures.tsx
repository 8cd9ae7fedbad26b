import type { VNode } from 'preact';
import { Amount, Day, Facts, Moment, Table } from '../../../../pages/index.js';
import type { DepositView } from '../../deposit-view.js';
import type { DepositDetails } from '../../showing/deposit-details.js';
import { AmountIfAny, DepositStatus } from '../shared/deposit-words.js';
import { counted } from '../shared/each-by-itself.js';

type Fact = readonly [name: string, value: VNode | string];

/** Which payout it is, and what became of it. */
export function DepositFacts({ deposit }: { readonly deposit: DepositView }): VNode {
  const { depositId, source, date, status, user, createdBy, reconciledBy, reconciledAt } = deposit;
  return (
    <Facts
      facts={[
        ['Payout', depositId],
        ['Source', source],
        ['Day of the payout', <Day value={date} />],
        ['Status', <DepositStatus status={status} />],
        [user === null ? 'Made by' : 'Sent by', createdBy],
        ...(reconciledBy === null || reconciledAt === null
          ? []
          : ([
              ['Reconciled by', reconciledBy],
              ['Reconciled', <Moment value={new Date(reconciledAt)} />],
            ] satisfies Fact[])),
      ]}
    />
  );
}

/** A line of the sum. */
interface Line {
  readonly what: string;
  readonly amount: string | null;
  readonly remark: VNode | string;
}

/** How the expected amount comes about, and what the bank has. */
export function Figures({ deposit }: { readonly deposit: DepositDetails }): VNode {
  const { currency } = deposit;
  const said = { what: 'The processor says', amount: deposit.amount, remark: 'as it sent with the deposit' };
  return (
    <Table
      caption="How the expected amount comes about"
      rows={[
        ...summandsOf(deposit),
        { what: 'Expected at the bank', amount: deposit.expected, remark: 'the sum of these' },
        ...(deposit.amount === null ? [] : [said]),
        { what: 'The bank has', amount: deposit.bankAmount, remark: bankInWords(deposit) },
        { what: 'Difference', amount: deposit.difference, remark: differenceInWords(deposit) },
      ]}
      keyOf={({ what }) => what}
      empty={null}
      columns={[
        { header: 'What', cell: ({ what }) => what },
        { header: 'Amount', align: 'right', cell: ({ amount }) => <AmountIfAny value={amount} currency={currency} /> },
        { header: 'Remark', cell: ({ remark }) => remark },
      ]}
    />
  );
}

function bankInWords({ bankDate, bankReference }: DepositView): VNode | string {
  if (bankDate === null) return 'nothing is entered yet';
  return (
    <>
      <Day value={bankDate} />
      {bankReference !== null && `, ${bankReference}`}
    </>
  );
}

function summandsOf(deposit: DepositDetails): Line[] {
  const { gross, fees, reversed, adjusted, adjustments, itemCount, unknownCount } = deposit;
  const items = counted(itemCount, 'item', 'items');
  const remark = unknownCount === 0 ? items : `${items}, of which ${unknownCount} not in the books`;
  const reasons =
    adjustments.length === 0 ? '' : `${counted(adjustments.length, 'time', 'times')}, with the reasons below`;
  return [
    { what: 'Gifts, as the givers paid', amount: gross, remark },
    { what: 'Fees', amount: negated(fees), remark: 'what the processor keeps' },
    { what: 'Taken back', amount: negated(reversed), remark: 'refunds, returned payments and chargebacks' },
    { what: 'Adjusted', amount: adjusted, remark: reasons },
  ];
}

function negated(amount: string): string {
  if (amount.startsWith('-')) return amount.slice(1);
  return /[1-9]/.test(amount) ? `-${amount}` : amount;
}

function differenceInWords({ difference, unknownCount, bankAmount, currency }: DepositView): VNode | string {
  if (difference === null) return 'enter what the bank has';
  const who = bankAmount === null ? 'the processor says' : 'the bank has';
  if (/[1-9]/.test(difference)) {
    const size = difference.replace('-', '');
    return (
      <>
        {who} <Amount value={size} currency={currency} /> {difference.startsWith('-') ? 'less' : 'more'} than expected
      </>
    );
  }
  return unknownCount === 0 ? 'it matches' : 'items are not in the books';
}
