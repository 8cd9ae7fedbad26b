import type { VNode } from 'preact';
import {
  Amount,
  type Column,
  Day,
  FilterForm,
  Form,
  type FormState,
  Link,
  Pagination,
  RowTick,
  SelectField,
  SubmitButton,
  WideTable,
  TextField,
} from '../../../../pages/index.js';
import type { DepositView } from '../../deposit-view.js';
import type { UndepositedPage, UndepositedView } from '../../showing/payout-view.js';
import { AmountIfAny, DEPOSITS } from '../shared/deposit-words.js';
import { ITEM } from './ticked-items.js';

const FORM = 'adding';

interface AddItemsProps {
  readonly deposit: DepositView;
  /** Undefined if the filter is not valid. */
  readonly found: UndepositedPage | undefined;
  readonly filter: FormState;
  /** The form that adds. */
  readonly state: FormState;
  readonly isLater: boolean;
}

/** What no deposit has, with boxes to tick, and fields for what is not listed. */
export function AddItems({ deposit, found, filter, state, isLater }: AddItemsProps): VNode {
  const path = `${DEPOSITS}/${deposit.id}`;
  const { source, from, to } = filter.typed;
  return (
    <>
      <FilterForm to={`${path}/add`} state={filter}>
        <TextField name="source" label="Source" maxLength={100} isSearch />
        <TextField name="from" label="Recorded from" type="date" />
        <TextField name="to" label="to" type="date" />
        <SubmitButton>Filter</SubmitButton>
      </FilterForm>
      {found !== undefined && (
        <>
          <WideTable
            caption="What no deposit has"
            rows={found.undeposited}
            keyOf={({ contributionId }) => contributionId}
            columns={[tickColumn(state), ...COLUMNS]}
            empty="Every gift and reversal of this source and these days is in a deposit."
          />
          <Pagination
            to={`${path}/add`}
            query={{ source, from, to }}
            next={found.next === null ? undefined : { after: found.next }}
            isLater={isLater}
          />
        </>
      )}
      <AddForm path={path} state={state} />
    </>
  );
}

function AddForm({ path, state }: { readonly path: string; readonly state: FormState }): VNode {
  return (
    <Form id={FORM} to={`${path}/items`} state={state}>
      <details open={state.faults.length > 0 || state.message !== undefined}>
        <summary>Add one that is not listed</summary>
        <SelectField
          name="Kind"
          label="What it is"
          options={[
            ['Payment', 'A gift'],
            ['Reversal', 'What was taken back of a gift'],
          ]}
        />
        <TextField name="Gift" label="Number of the gift" inputMode="numeric" />
        <TextField
          name="Transaction"
          label="Or the processor’s own id of it"
          help="A gift that is not in the books yet is found when it arrives."
          maxLength={100}
        />
        <TextField
          name="User"
          label="Whose gift it is"
          help="The user of the processor. Only if several processors have the same id."
          maxLength={100}
        />
      </details>
      <div class="buttons">
        <SubmitButton hotkey="s">Add to the deposit</SubmitButton>
        <Link to={path}>Cancel</Link>
      </div>
    </Form>
  );
}

function tickColumn({ typed }: FormState): Column<UndepositedView> {
  return {
    header: 'Tick',
    cell: ({ contributionId, kind }) => (
      <RowTick
        form={FORM}
        name={`${ITEM}${contributionId}`}
        value={kind}
        label={`${kind === 'Payment' ? 'Gift' : 'Reversal'} ${contributionId}`}
        checked={typed[`${ITEM}${contributionId}`] !== undefined}
      />
    ),
  };
}

const COLUMNS: readonly Column<UndepositedView>[] = [
  {
    header: 'Gift',
    cell: ({ contributionId, giver, transactionId }) => (
      <span>
        <Link to={`/console/gifts/${contributionId}`}>
          {giver.first} {giver.last}
        </Link>
        <small class="aside">{transactionId}</small>
      </span>
    ),
  },
  { header: 'What', cell: ({ kind }) => (kind === 'Payment' ? 'Gift' : 'Taken back') },
  { header: 'Day', cell: ({ day }) => <Day value={day} /> },
  { header: 'Payout', cell: ({ payoutId }) => payoutId },
  {
    header: 'Amount',
    align: 'right',
    cell: ({ amount, kind, currency }) => (
      <Amount value={kind === 'Reversal' ? `-${amount}` : amount} currency={currency} />
    ),
  },
  { header: 'Fee', align: 'right', cell: ({ fee, currency }) => <AmountIfAny value={fee} currency={currency} /> },
];
