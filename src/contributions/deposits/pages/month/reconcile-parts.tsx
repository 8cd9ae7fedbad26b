import type { VNode } from 'preact';
import { ExpectedError } from '../../../../http/index.js';
import {
  Amount,
  type Column,
  Day,
  Form,
  Link,
  RowTick,
  SubmitButton,
  WideTable,
  TickAllButton,
} from '../../../../pages/index.js';
import { displayAmount, storedAmount, sumOfAmounts } from '../../../../values/index.js';
import { OpenReviews } from '../../../reviews/index.js';
import type { DepositView } from '../../deposit-view.js';
import { DepositChangedError, DepositDiffersError } from '../../errors.js';
import { AtBank, DEPOSIT_COLUMNS, DepositLink, DEPOSITS, Difference, FIGURE_COLUMNS } from '../shared/deposit-words.js';
import { counted, type OneResult } from '../shared/each-by-itself.js';
import { Differences } from '../shared/differences.js';
import type { SentRow } from '../shared/named-fields.js';
import { seenText } from '../shared/seen-deposit.js';

const FORM = 'reconciling';

/** The prefix of the boxes of deposits. */
export const TICK = 'deposit-';

interface ListedProps {
  readonly deposits: readonly DepositView[];
  /** Whether there are more than are shown. */
  readonly more: boolean;
}

/** Which deposits differ, above those that match: their table is far below. */
export function DifferingFirst({ deposits, more }: ListedProps): VNode | null {
  if (deposits.length === 0) return null;
  return (
    <p class="notice">
      {more && 'At least '}
      <Differences deposits={deposits} link={(id) => <Link to={`${DEPOSITS}/${id}`}>deposit {id}</Link>} />. Open a
      deposit to see likely causes, or <a href="#differing">compare them below</a>.
    </p>
  );
}

interface MatchingProps extends ListedProps {
  /** How many of their gifts have an open review. */
  readonly openReviews: number;
}

/** The deposits that match, to be reconciled at once. */
export function Matching({ deposits, more, openReviews }: MatchingProps): VNode {
  return (
    <section aria-labelledby="matching">
      <h2 id="matching">They match</h2>
      {deposits.length > 0 && (
        <div class="notice">
          <p>
            {counted(deposits.length, 'deposit matches', 'deposits match')}. A reconciled deposit is final: nothing can
            be added to it or removed from it. What is taken back later belongs to another deposit. If a deposit changes
            before you confirm, it is not reconciled, and the others are.
          </p>
          {openReviews > 0 && (
            <p>
              <OpenReviews count={openReviews} of={deposits.length === 1 ? 'this deposit' : 'these deposits'} />
            </p>
          )}
        </div>
      )}
      <WideTable
        caption="Deposits that match"
        rows={deposits}
        keyOf={({ id }) => id}
        columns={[TICK_COLUMN, ...DEPOSIT_COLUMNS, ...FIGURE_COLUMNS, ...BANK_COLUMNS]}
        {...(deposits.length > 1 && { totals: totalsOf(deposits) })}
        empty="No deposit matches now. Enter what the bank says, or look at those that differ."
      />
      {more && <p class="help">There are more. They follow when these are reconciled.</p>}
      {deposits.length > 0 && <ReconcileForm />}
    </section>
  );
}

function ReconcileForm(): VNode {
  return (
    <Form id={FORM} to={`${DEPOSITS}/reconcile`}>
      <div class="buttons">
        <SubmitButton kind="danger" hotkey="y">
          Reconcile the ticked deposits permanently
        </SubmitButton>
        <TickAllButton />
        <Link to={DEPOSITS}>Cancel</Link>
      </div>
    </Form>
  );
}

/** Those that were compared with the bank are ticked. */
const TICK_COLUMN: Column<DepositView> = {
  header: 'Tick',
  cell: (deposit) => <DepositTick deposit={deposit} checked={deposit.bankAmount !== null} />,
};

function DepositTick({ deposit, checked }: { readonly deposit: DepositView; readonly checked: boolean }): VNode {
  const { id } = deposit;
  return (
    <RowTick form={FORM} name={`${TICK}${id}`} value={seenText(deposit)} label={`Deposit ${id}`} checked={checked} />
  );
}

const BANK_COLUMNS: readonly Column<DepositView>[] = [
  { header: 'At the bank', align: 'right', cell: (deposit) => <AtBank deposit={deposit} /> },
  { header: 'Bank’s day', cell: ({ bankDate }) => (bankDate === null ? null : <Day value={bankDate} />) },
];

/** The sums, if there is one currency. */
function totalsOf(deposits: readonly DepositView[]): Readonly<Record<string, VNode | string>> {
  const [first, ...others] = deposits;
  if (first === undefined || others.length === 0 || others.some(({ currency }) => currency !== first.currency))
    return {};
  const { currency } = first;
  const sum = (amountOf: (deposit: DepositView) => string): VNode => {
    const all = sumOfAmounts(deposits.map((deposit) => storedAmount(amountOf(deposit))));
    return <Amount value={displayAmount(all, currency)} currency={currency} />;
  };
  return {
    Deposit: 'All',
    Gross: sum(({ gross }) => gross),
    Fees: sum(({ fees }) => fees),
    'Taken back': sum(({ reversed }) => reversed),
    Adjusted: sum(({ adjusted }) => adjusted),
    Expected: sum(({ expected }) => expected),
    'At the bank': sum(({ bankAmount, amount }) => bankAmount ?? amount ?? '0'),
  };
}

/** The deposits that differ, each with its difference. */
export function Differing({ deposits }: { readonly deposits: readonly DepositView[] }): VNode | null {
  if (deposits.length === 0) return null;
  return (
    <section aria-labelledby="differing">
      <h2 id="differing">They do not match yet</h2>
      <p>Open a deposit to see likely causes of its difference.</p>
      <WideTable
        caption="Deposits that differ"
        rows={deposits}
        keyOf={({ id }) => id}
        columns={[...DEPOSIT_COLUMNS, ...DIFFERING_COLUMNS]}
        empty={null}
      />
    </section>
  );
}

const DIFFERING_COLUMNS: readonly Column<DepositView>[] = [
  {
    header: 'Expected',
    align: 'right',
    cell: ({ expected, currency }) => <Amount value={expected} currency={currency} />,
  },
  { header: 'At the bank', align: 'right', cell: (deposit) => <AtBank deposit={deposit} /> },
  { header: 'Difference', align: 'right', cell: (deposit) => <Difference deposit={deposit} /> },
  {
    header: 'Not in the books',
    align: 'right',
    cell: ({ unknownCount }) => (unknownCount === 0 ? null : counted(unknownCount, 'item', 'items')),
  },
];

interface ResultsProps {
  readonly ticked: readonly SentRow[];
  readonly results: readonly OneResult<DepositView>[];
}

/** What became of each ticked deposit. Those that still match can be reconciled from here with what they are now. */
export function ReconcileResults({ ticked, results }: ResultsProps): VNode {
  const rows = ticked.map(({ id, value }, index) => ({
    id,
    seen: value,
    result: results[index],
    now: presentOf(results[index]),
  }));
  const mayTryAgain = rows.some(({ now }) => now?.status === 'Matches');
  return (
    <>
      <p>Somebody else was faster with some of them. Compare these again.</p>
      <WideTable
        caption="Results"
        rows={rows}
        keyOf={({ id }) => id}
        empty={null}
        columns={[
          {
            header: 'Tick',
            cell: ({ now }) => now?.status === 'Matches' && <DepositTick deposit={now} checked={false} />,
          },
          { header: 'Deposit', cell: ({ id }) => <DepositLink id={id} /> },
          { header: 'You saw', align: 'right', cell: ({ seen }) => seen.replace(' ', ' items, ') },
          { header: 'Result', cell: ({ result }) => (result instanceof ExpectedError ? result.message : 'Reconciled') },
        ]}
      />
      {mayTryAgain && <ReconcileForm />}
      <p class="back">
        <Link to={`${DEPOSITS}/close-bundles`} hotkey="c">
          Close the bundles of reconciled deposits…
        </Link>
      </p>
    </>
  );
}

/** The deposit as a refusal shows it. */
function presentOf(result: OneResult<DepositView> | undefined): DepositView | undefined {
  const isShown = result instanceof DepositChangedError || result instanceof DepositDiffersError;
  return isShown ? result.current : undefined;
}
