import type { VNode } from 'preact';
import { SelectField, Table } from '../../../../pages/index.js';
import type { FoundColumn } from '../files/found-table.js';
import { ALL_CHOICES, type ChosenColumn, CONDITION, MEANINGS } from './column-choices.js';
import { columnField, valueField } from './mapping-form.js';
import type { WithChoices } from './mapping-form-props.js';

interface ColumnOfForm extends FoundColumn {
  readonly index: number;
}

/** The columns of the file, with their first values and a list of what each can be. */
export function ColumnTable({ found, current, state }: WithChoices): VNode {
  return (
    <div class="map">
      <Table<ColumnOfForm>
        caption="Columns of the file"
        rows={found.columns.map((column, index) => ({ ...column, index }))}
        keyOf={({ index }) => index}
        empty="The file has no columns."
        columns={[
          { header: 'Column', cell: ({ name }) => <strong>{name}</strong> },
          {
            header: 'First values',
            cell: ({ examples }) => (
              <span class="examples">{examples.length === 0 ? '(empty)' : examples.join(' · ')}</span>
            ),
          },
          {
            header: 'Is',
            cell: (column) => {
              const chosen = current.columns[column.index] ?? { choice: '', meanings: [] };
              return <Choice column={column} chosen={chosen} typed={state.typed[columnField(column.index)]} />;
            },
          },
        ]}
      />
    </div>
  );
}

interface ChoiceProps {
  readonly column: ColumnOfForm;
  readonly chosen: ChosenColumn;
  /** What was sent before, if the form is shown again. */
  readonly typed: string | undefined;
}

/** What a column is. If it decides which rows are gifts, also what each of its values means. */
function Choice({ column: { index, name, values }, chosen: { choice, meanings }, typed }: ChoiceProps): VNode {
  const shown = typed ?? choice;
  const isCondition = shown === CONDITION || (shown === '' && values.length > 0);
  return (
    <>
      <SelectField
        name={columnField(index)}
        label={`“${name}”`}
        value={choice}
        options={choice === '' ? [['', 'Please decide'], ...ALL_CHOICES] : ALL_CHOICES}
      />
      {isCondition && (
        <ul>
          {values.map((value, position) => (
            <li key={value}>
              <SelectField
                name={valueField(index, position)}
                label={`“${value}” means`}
                value={meanings[position] ?? 'left out'}
                options={MEANINGS.map((meaning) => [meaning, MEANINGS_IN_WORDS[meaning]] as const)}
              />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const MEANINGS_IN_WORDS = {
  gift: 'a gift',
  refund: 'a refund',
  'left out': 'leave the row out',
  refused: 'unknown: refuse the row',
} as const;
