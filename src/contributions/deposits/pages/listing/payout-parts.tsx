import type { VNode } from 'preact';
import {
  Amount,
  type Column,
  Day,
  Form,
  groupedCount,
  RowTick,
  SubmitButton,
  WideTable,
  TickAllButton,
} from '../../../../pages/index.js';
import { displayAmount, fromCents, storedAmount, toCents } from '../../../../values/index.js';
import type { PayoutView } from '../../showing/payout-view.js';
import { counted } from '../shared/each-by-itself.js';
import { DepositLink, DEPOSITS, PAYOUTS } from '../shared/deposit-words.js';
import { payoutTick, TICK } from './ticked-payouts.js';

const FORM = 'making';

/** Below more payouts than these, the button above them is out of sight. */
const FEW = 10;

interface PayoutsProps {
  readonly payouts: readonly PayoutView[];
  /** Whether there are more than are shown. */
  readonly more: boolean;
  readonly mayMake: boolean;
}

/** Payouts with gifts that no deposit has. Finance makes their deposits, all at once. */
export function PayoutsWithoutDeposit({ payouts, more, mayMake }: PayoutsProps): VNode | null {
  if (payouts.length === 0) return null;
  return (
    <section aria-labelledby={PAYOUTS}>
      <h2 id={PAYOUTS}>{counted(payouts.length, 'payout', 'payouts')} without a deposit</h2>
      {mayMake && (
        <Form id={FORM} to={`${DEPOSITS}/payouts`}>
          <div class="buttons">
            <SubmitButton hotkey="m">Make deposits of the ticked payouts</SubmitButton>
            <TickAllButton />
          </div>
        </Form>
      )}
      <WideTable
        caption="Payouts without a deposit"
        rows={payouts}
        keyOf={payoutTick}
        columns={mayMake ? [tickColumn(payouts), ...COLUMNS] : COLUMNS}
        empty={null}
      />
      {more && <p class="help">There are more. They follow when these have a deposit.</p>}
      {mayMake && payouts.length > FEW && (
        <div class="buttons">
          <SubmitButton form={FORM}>Make deposits of the ticked payouts</SubmitButton>
        </div>
      )}
    </section>
  );
}

/** All are ticked, except for those that would be refused. */
function tickColumn(payouts: readonly PayoutView[]): Column<PayoutView> {
  return {
    header: 'Tick',
    cell: (payout) => (
      <RowTick
        form={FORM}
        name={`${TICK}${payouts.indexOf(payout) + 1}`}
        value={payoutTick(payout)}
        label={`Payout ${payout.payoutId} of ${payout.source}, ${payout.currency}`}
        checked={!payout.reconciled}
      />
    ),
  };
}

const COLUMNS: readonly Column<PayoutView>[] = [
  { header: 'Payout', cell: (payout) => <NameOfPayout payout={payout} /> },
  { header: 'Source', cell: ({ source }) => source },
  { header: 'First gift', cell: ({ from }) => <Day value={from} /> },
  { header: 'Last gift', cell: ({ to }) => <Day value={to} /> },
  { header: 'Gifts', align: 'right', cell: ({ count }) => groupedCount(count) },
  { header: 'Gross', align: 'right', cell: ({ gross, currency }) => <Amount value={gross} currency={currency} /> },
  { header: 'Fees', align: 'right', cell: (payout) => <Fees payout={payout} /> },
  { header: 'Net', align: 'right', cell: (payout) => <Amount value={netOf(payout)} currency={payout.currency} /> },
];

function NameOfPayout({ payout: { payoutId, deposit, reconciled } }: { readonly payout: PayoutView }): VNode {
  return (
    <span>
      {payoutId}
      {deposit !== null && (
        <small class="aside">
          {reconciled ? 'came after deposit ' : 'also in deposit '}
          <DepositLink id={deposit} />
          {reconciled && ' was reconciled'}
        </small>
      )}
    </span>
  );
}

function Fees({ payout: { fees, unknownFees, currency } }: { readonly payout: PayoutView }): VNode {
  return (
    <span>
      <Amount value={fees} currency={currency} />
      {unknownFees > 0 && <small class="aside">{unknownFees} unknown</small>}
    </span>
  );
}

function netOf({ gross, fees, currency }: PayoutView): string {
  return displayAmount(fromCents(toCents(storedAmount(gross)) - toCents(storedAmount(fees))), currency);
}
