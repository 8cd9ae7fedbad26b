import type { VNode } from 'preact';
import type { Church } from '../../../../config/index.js';
import {
  CheckboxField,
  type Column,
  Form,
  type FormState,
  Link,
  SelectField,
  SubmitButton,
  Table,
  TextArea,
  TextField,
} from '../../../../pages/index.js';
import type { FundView } from '../../../funds/index.js';
import { isObject } from '../../files/mapping.js';
import { FORMATS } from '../../formats/formats.js';
import { meaningOf, missingInWords } from '../errors.js';
import type { FoundColumn, FoundTable } from '../files/found-table.js';
import type { ImportFile } from '../files/import-file.entity.js';
import { ALL_CHOICES, CONDITION, type CurrentChoices, currentChoices, MEANINGS } from './column-choices.js';
import { columnField, valueField } from './mapping-form.js';

export interface MappingFormProps {
  readonly file: ImportFile;
  readonly found: FoundTable;
  readonly usernames: readonly string[];
  readonly funds: readonly FundView[];
  readonly church: Church;
  readonly state: FormState;
}

/** The form that says how the columns of a file are read. */
export function MappingForm(props: MappingFormProps): VNode {
  const { file, found, state, church } = props;
  const { id, options } = file;
  const current = currentChoices(found, options, church);
  return (
    <>
      <WhatWasFound file={file} found={found} />
      <Form to={`/console/import/${id}/check`} state={state}>
        <OpenQuestions current={current} />
        <Whose {...props} />
        <h2>What the columns are</h2>
        <p>
          Each line is a column of the file, with its first values. Nothing is recorded before you have seen the rows as
          they would be recorded.
        </p>
        <ColumnTable {...props} current={current} />
        <Rows {...props} current={current} />
        <FileOptions {...props} current={current} />
        <div class="buttons">
          <SubmitButton hotkey="c">Try it, without recording</SubmitButton>
          <Link to="/console/import">All imports</Link>
        </div>
      </Form>
    </>
  );
}

/** Which export it is, and how that was recognised. */
function WhatWasFound({ file: { options }, found }: { readonly file: ImportFile; readonly found: FoundTable }): VNode {
  const format = FORMATS.find(({ name }) => name === found.format);
  // Others name options of the command line, for which this page has fields.
  const remarks = found.remarks.filter((remark) => !/"file"|--\w|mapping/.test(remark));
  return (
    <>
      <p>
        {format === undefined ? (
          'No known export has these columns. Below is a proposal, by the names and the values of the columns.'
        ) : (
          <>
            The columns are those of <strong>{format.processor}</strong> ({format.export}).{' '}
            {options.format === format.name && 'All of them are known, so there is usually nothing to change.'}
          </>
        )}
      </p>
      {remarks.length > 0 && (
        <ul>
          {remarks.map((remark) => (
            <li key={remark}>{remark}</li>
          ))}
        </ul>
      )}
    </>
  );
}

/** What must be decided before the file can be tried. */
function OpenQuestions({ current: { faults } }: { readonly current: CurrentChoices }): VNode | null {
  if (faults === undefined) return null;
  const { missing, undecided, faults: others } = faults;
  return (
    <section class="notice" aria-labelledby="open-questions">
      <h2 id="open-questions">To decide</h2>
      <ul>
        {others.map((fault) => (
          <li key={fault}>{fault}</li>
        ))}
        {missing.map((field) => (
          <li key={field}>{missingInWords(field)}</li>
        ))}
        {undecided.map((column) => (
          <li key={column.name}>
            “{column.name}” {meaningOf(column)}. What is it?
          </li>
        ))}
      </ul>
    </section>
  );
}

function Whose({ file: { options }, usernames }: MappingFormProps): VNode {
  return (
    <div class="fields">
      <SelectField
        name="format"
        label="Export of"
        help="Another choice only changes the proposal below."
        value={options.format ?? ''}
        options={[['', 'None of these'], ...FORMATS.map(({ name, processor }) => [name, processor] as const)]}
      />
      <SelectField
        name="user"
        label="Whose gifts"
        help="They go into this user’s bundles of today."
        required
        value={options.username}
        options={usernames.map((name) => [name, name] as const)}
      />
      <TextField
        name="source"
        label="Source"
        help="The channel of rows that name none. Leave it empty if the export of a processor is known."
        maxLength={100}
        value={options.source ?? ''}
      />
    </div>
  );
}

type WithChoices = MappingFormProps & { readonly current: CurrentChoices };

interface ColumnOfForm extends FoundColumn {
  readonly index: number;
}

function ColumnTable({ found, current, state }: WithChoices): VNode {
  const columns: readonly Column<ColumnOfForm>[] = [
    { header: 'Column', cell: ({ name }) => <strong>{name}</strong> },
    {
      header: 'First values',
      cell: ({ examples }) => <span class="examples">{examples.length === 0 ? '(empty)' : examples.join(' · ')}</span>,
    },
    {
      header: 'Is',
      cell: ({ index, name, values }) => {
        const { choice = '', meanings = [] } = current.columns[index] ?? {};
        const chosen = state.typed[columnField(index)] ?? choice;
        const isCondition = chosen === CONDITION || (chosen === '' && values.length > 0);
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
      },
    },
  ];
  return (
    <div class="map">
      <Table
        caption="Columns of the file"
        rows={found.columns.map((column, index) => ({ ...column, index }))}
        keyOf={({ index }) => index}
        empty="The file has no columns."
        columns={columns}
      />
    </div>
  );
}

const MEANINGS_IN_WORDS = { gift: 'a gift', refund: 'a refund', 'left out': 'leave the row out' } as const;

function Rows({ file: { options }, funds, church, current }: WithChoices): VNode {
  const { defaults } = options.mapping;
  const { FundId: fundId, Currency: currency }: Record<string, unknown> = isObject(defaults) ? { ...defaults } : {};
  const isOtherCurrency = current.faults?.undecided.some(({ why }) => why.includes('this church takes')) === true;
  return (
    <>
      <h2>The rows</h2>
      <CheckboxField
        name="withoutContacts"
        label="Also import rows without e-mail and phone"
        help="Their givers are found by name and address. Others become new persons, and their gifts are listed for review."
        checked={options.withoutContacts}
      />
      <SelectField
        name="fundId"
        label="Fund of rows that name none"
        value={typeof fundId === 'number' ? String(fundId) : ''}
        options={[['', 'The default fund'], ...funds.map(({ fundId, name }) => [String(fundId), name] as const)]}
      />
      {(isOtherCurrency || currency !== undefined) && (
        <CheckboxField
          name="ownCurrency"
          label={`The amounts are in ${church.currency}`}
          checked={currency !== undefined}
        />
      )}
    </>
  );
}

/** How the file writes its table. It is open if something of it is chosen. */
function FileOptions({ current: { mapping }, church, state }: WithChoices): VNode {
  const { file } = mapping;
  const isChosen = Object.keys(file).length > 0 || state.faults.length > 0;
  return (
    <>
      <details open={isChosen}>
        <summary>How the file writes dates and amounts</summary>
        <SelectField
          name="dates"
          label="Order of dates"
          value={file.dates ?? ''}
          options={[
            ['', church.slashDates === undefined ? 'Year first' : `Year first, or ${church.slashDates}`],
            ['M/D/Y', 'Month, day, year'],
            ['D/M/Y', 'Day, month, year'],
            ['Y-M-D', 'Year, month, day'],
          ]}
        />
        <TextField
          name="timeZone"
          label="Time zone of times"
          help={`Such as UTC or America/Chicago. Empty: ${church.timeZone}.`}
          maxLength={60}
          value={file.timeZone ?? ''}
        />
        <SelectField
          name="amounts"
          label="Amounts"
          value={file.amounts ?? ''}
          options={[
            ['', 'Digits with a point: 1234.56'],
            ['1,234.56', '1,234.56'],
            ['1.234,56', '1.234,56'],
          ]}
        />
        <SelectField name="encoding" label="Encoding" value={file.encoding ?? ''} options={encodings(file.encoding)} />
        <SelectField
          name="separator"
          label="Separator of cells"
          value={file.separator === '\t' ? 'tab' : (file.separator ?? '')}
          options={[
            ['', 'Found by itself'],
            [',', 'Comma'],
            [';', 'Semicolon'],
            ['tab', 'Tab'],
            ['|', 'Bar'],
          ]}
        />
        <TextField
          name="skipLines"
          label="Lines above the names of the columns"
          inputMode="numeric"
          maxLength={3}
          value={file.skipLines === undefined ? '' : String(file.skipLines)}
        />
        <TextField
          name="footer"
          label="Lines below the table, such as sums"
          inputMode="numeric"
          maxLength={3}
          value={file.footer === undefined ? '' : String(file.footer)}
        />
      </details>
      <details open={state.typed['json'] !== undefined && state.typed['json'] !== ''}>
        <summary>Paste a mapping instead</summary>
        <TextArea
          name="json"
          label="Mapping (JSON)"
          help="As for the command line. It replaces all choices about columns and the file above."
          maxLength={20_000}
        />
      </details>
    </>
  );
}

const ENCODINGS = ['utf-8', 'windows-1252', 'utf-16le', 'utf-16be'];

function encodings(chosen: string | undefined): (readonly [string, string])[] {
  const known = chosen === undefined || ENCODINGS.includes(chosen) ? ENCODINGS : [...ENCODINGS, chosen];
  return [['', 'Found by itself'], ...known.map((name) => [name, name] as const)];
}
