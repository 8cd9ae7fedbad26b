import type { VNode } from 'preact';
import { FilterForm, type FormState, Link, SelectField, SubmitButton, TextField } from '../../../pages/index.js';
import { PAYMENT_METHODS } from '../../ledger/index.js';
import { STATUSES } from '../contribution-view.js';
import { capitalized, METHODS_IN_WORDS, REASON_OPTIONS } from './wording.js';

const GIFTS = '/console/gifts';

/** As the list says it. */
const STATUS_IN_WORDS = { Recorded: 'Recorded', Reversed: 'Taken back' } as const;

/** FundIds with their names. */
export type FundOptions = readonly (readonly [value: string, label: string])[];

interface SearchFormProps {
  readonly funds: FundOptions;
  readonly state: FormState;
}

/** The search and its filters, with what was typed. */
export function SearchForm({ funds, state }: SearchFormProps): VNode {
  const isFiltered = Object.entries(state.typed).some(([name, value]) => name !== 'q' && value !== '');
  return (
    <FilterForm to={GIFTS} state={state}>
      <div class="search">
        <TextField
          name="q"
          label="Search"
          type="search"
          help="Name, e-mail, phone, amount, check number, transaction id, gift number or words of the notes."
          isSearch
        />
        <SubmitButton>Search</SubmitButton>
      </div>
      <details class="filters" open={isFiltered || state.faults.length > 0}>
        <summary>Filters</summary>
        <Filters funds={funds} />
        <p>
          <Link to={GIFTS}>Clear the search and all filters</Link>
        </p>
      </details>
    </FilterForm>
  );
}

function Filters({ funds }: Pick<SearchFormProps, 'funds'>): VNode {
  return (
    <div class="fields">
      <TextField name="from" label="From day" type="date" />
      <TextField name="to" label="To day" type="date" />
      <SelectField name="fundId" label="Fund" options={[['', 'All'], ...funds]} />
      <SelectField
        name="method"
        label="Method"
        options={[['', 'All'], ...PAYMENT_METHODS.map((method) => [method, METHODS_IN_WORDS[method]] as const)]}
      />
      <TextField name="processor" label="Processor" />
      <SelectField
        name="status"
        label="Status"
        options={[['', 'All'], ...STATUSES.map((status) => [status, STATUS_IN_WORDS[status]] as const)]}
      />
      <SelectField
        name="reason"
        label="Taken back as"
        options={[['', 'Any'], ...REASON_OPTIONS.map(([reason]) => [reason, capitalized(reason)] as const)]}
      />
      <TextField name="minAmount" label="Amount from" inputMode="decimal" />
      <TextField name="maxAmount" label="Amount to" inputMode="decimal" />
      <TextField name="peopleId" label="Person number" inputMode="numeric" />
    </div>
  );
}
