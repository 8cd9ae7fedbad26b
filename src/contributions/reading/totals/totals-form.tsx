import type { VNode } from 'preact';
import {
  FilterForm,
  type FormState,
  Link,
  queryOf,
  SelectField,
  SubmitButton,
  TextField,
} from '../../../pages/index.js';
import { monthInWords } from './month-words.js';

const TOTALS = '/console/totals';

interface TotalsFormProps {
  readonly year: string;
  readonly state: FormState;
}

/** The choice of the year and its months, and the way to the same months of the years beside it. */
export function TotalsForm({ year, state }: TotalsFormProps): VNode {
  const [before, after] = [Number(year) - 1, Number(year) + 1].map(String);
  const { first, upTo } = state.typed;
  const pathOf = (other: string | undefined): string => TOTALS + queryOf({ year: other, first, upTo });
  return (
    <FilterForm to={TOTALS} state={state}>
      <TextField name="year" label="Year" value={year} inputMode="numeric" maxLength={4} isSearch />
      <SelectField name="first" label="From" options={[['', 'January'], ...MONTHS.slice(1)]} />
      <SelectField name="upTo" label="Up to" options={[['', 'The latest month'], ...MONTHS]} />
      <SubmitButton>Show</SubmitButton>
      <Link to={pathOf(before)} hotkey="[">
        {before}
      </Link>
      <Link to={pathOf(after)} hotkey="]">
        {after}
      </Link>
    </FilterForm>
  );
}

const MONTHS = Array.from({ length: 12 }, (_, index) => {
  const month = String(index + 1).padStart(2, '0');
  return [month, monthInWords(`2000-${month}`).name.split(' ')[0] ?? ''] as const;
});
