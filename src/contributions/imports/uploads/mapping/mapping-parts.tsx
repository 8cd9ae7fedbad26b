import type { VNode } from 'preact';
import { Form, Link, SelectField, SubmitButton, TextField } from '../../../../pages/index.js';
import { FORMATS } from '../../formats/formats.js';
import { meaningOf, missingInWords } from '../errors.js';
import type { FoundTable } from '../files/found-table.js';
import type { ImportFile } from '../files/import-file.entity.js';
import { type CurrentChoices, currentChoices } from './column-choices.js';
import { ColumnTable } from './column-table.js';
import { FileOptions, RowOptions } from './file-options.js';
import type { MappingFormProps, WithChoices } from './mapping-form-props.js';

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
        <Whose {...props} current={current} />
        <h2>What the columns are</h2>
        <p>
          Each line is a column of the file, with its first values. Then try it: you see what will be recorded, and
          nothing is recorded yet.
        </p>
        <ColumnTable {...props} current={current} />
        <RowOptions {...props} current={current} />
        <FileOptions {...props} current={current} />
        <div class="buttons">
          <SubmitButton hotkey="c">Try it</SubmitButton>
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
  const { undecided, faults: others } = faults;
  // The field of the source has a proposal.
  const missing = faults.missing.filter((field) => field !== 'Source');
  if (missing.length + undecided.length + others.length === 0) return null;
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

function Whose({ file: { options }, usernames, current: { faults } }: WithChoices): VNode {
  const isSourceMissing = faults?.missing.includes('Source') === true;
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
        label="Record the gifts as"
        help="They go into this user’s bundles of today."
        required
        value={options.username}
        options={usernames.map((name) => [name, name] as const)}
      />
      <TextField
        name="source"
        label="Source"
        help={
          isSourceMissing
            ? 'Where the gifts come from, such as envelopes. Proposed: the name of the user.'
            : 'Where the gifts come from, for rows that do not say it. It may be empty.'
        }
        maxLength={100}
        value={options.source ?? (isSourceMissing ? options.username : '')}
      />
    </div>
  );
}
