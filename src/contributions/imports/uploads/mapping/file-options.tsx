import type { VNode } from 'preact';
import type { Church } from '../../../../config/index.js';
import { CheckboxField, SelectField, TextArea, TextField } from '../../../../pages/index.js';
import type { FileFormat } from '../../files/file-format.js';
import { isObject } from '../../files/mapping.js';
import type { UndecidedColumn } from '../../files/unusable-columns-error.js';
import type { WithChoices } from './mapping-form-props.js';
import { RepeatsField } from './repeats-choice.js';

/** Which rows are imported, and what counts for blank cells. */
export function RowOptions({ file: { options }, funds, church, current }: WithChoices): VNode {
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

/** How the file writes its table. It is open while something of it is to be decided. */
export function FileOptions({ current: { mapping, faults }, church, state }: WithChoices): VNode {
  const { file } = mapping;
  const isOfFile = ({ lines }: UndecidedColumn): boolean => lines.some((line) => line.startsWith('"file"'));
  const isToDecide = faults !== undefined && (faults.faults.length > 0 || faults.undecided.some(isOfFile));
  const { json } = state.typed;
  return (
    <>
      <details open={isToDecide}>
        <summary>Dates, amounts and encoding: rarely needed</summary>
        <Notations file={file} church={church} />
        <Lines file={file} />
      </details>
      <details open={json !== undefined && json !== ''}>
        <summary>For technicians: paste a mapping</summary>
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

function Notations({ file, church }: { readonly file: FileFormat; readonly church: Church }): VNode {
  return (
    <>
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
      <RepeatsField file={file} />
    </>
  );
}

function Lines({ file }: { readonly file: FileFormat }): VNode {
  return (
    <>
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
    </>
  );
}

const ENCODINGS = ['utf-8', 'windows-1252', 'utf-16le', 'utf-16be'];

function encodings(chosen: string | undefined): (readonly [string, string])[] {
  const known = chosen === undefined || ENCODINGS.includes(chosen) ? ENCODINGS : [...ENCODINGS, chosen];
  return [['', 'Found by itself'], ...known.map((name) => [name, name] as const)];
}
