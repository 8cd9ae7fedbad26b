import type { VNode } from 'preact';
import { MAX_FILE_MEGABYTES } from '../../../../http/index.js';
import {
  Amount,
  type Column,
  Facts,
  FileField,
  Form,
  type FormState,
  Link,
  Moment,
  ProgressOfWork,
  SelectField,
  SubmitButton,
  Table,
  TextField,
} from '../../../../pages/index.js';
import { FORMATS } from '../../formats/formats.js';
import type { ImportFile, ImportState } from '../files/import-file.entity.js';
import { grouped } from './outcome-parts.js';

const IMPORT = '/console/import';

/** How often the progress is shown again, in seconds. */
export const REFRESH_SECONDS = 2;

export const STATES_IN_WORDS: Readonly<Record<ImportState, string>> = {
  new: 'Not tried yet',
  checking: 'Being tried',
  checked: 'Tried, not recorded',
  booking: 'Being recorded',
  stopped: 'Stopped: to be continued',
  booked: 'Recorded',
};

interface UploadFormProps {
  readonly usernames: readonly string[];
  readonly state: FormState;
}

/** The form that uploads a file. */
export function UploadForm({ usernames, state }: UploadFormProps): VNode {
  return (
    <Form to={IMPORT} state={state} takesFile>
      <FileField
        name="file"
        label="File"
        help={`CSV, as the processor exports it, at most ${MAX_FILE_MEGABYTES} MB. From a spreadsheet, save it as CSV UTF-8.`}
        accept=".csv,.txt,.tsv,text/csv"
        required
        hotkey="u"
      />
      <SelectField
        name="user"
        label="Record the gifts as"
        help="If a processor sends gifts to Offertory and the file is its export, choose the user of this processor. For all other files, choose the user that your church has for files, or your own. The gifts go into this user’s bundles of today."
        required
        options={[['', 'Choose a user'], ...usernames.map((name) => [name, name] as const)]}
      />
      <TextField
        name="source"
        label="Source"
        help="Where the gifts come from, such as envelopes. You may leave it empty: the next page shows whether it is needed."
        maxLength={100}
      />
      <SubmitButton>Upload</SubmitButton>
    </Form>
  );
}

/** Imports, the latest first. */
export function ImportTable({ imports }: { readonly imports: readonly ImportFile[] }): VNode {
  return (
    <Table
      caption="Imports"
      rows={imports}
      keyOf={({ id }) => id}
      empty="No file was imported on the console yet. Imports at the command line are on the page Changes."
      columns={IMPORT_COLUMNS}
    />
  );
}

const IMPORT_COLUMNS: readonly Column<ImportFile>[] = [
  { header: 'Import', cell: ({ id }) => <Link to={`${IMPORT}/${id}`}>{id}</Link> },
  { header: 'File', cell: ({ name, forgottenAt }) => name ?? (forgottenAt === null ? '' : 'deleted') },
  {
    header: 'Uploaded',
    cell: ({ uploadedAt, uploadedBy }) => (
      <>
        <Moment value={uploadedAt} />
        <small class="aside">by {uploadedBy}</small>
      </>
    ),
  },
  { header: 'User', cell: ({ options }) => options.username },
  { header: 'State', cell: ({ state }) => STATES_IN_WORDS[state] },
  {
    header: 'Recorded',
    align: 'right',
    cell: ({ state, outcome }) => (state === 'booked' && outcome !== null ? outcome.recorded : ''),
  },
  {
    header: 'Refused',
    align: 'right',
    cell: ({ state, outcome }) => (state === 'booked' && outcome !== null ? outcome.refused : ''),
  },
  {
    header: 'Total',
    align: 'right',
    cell: ({ state, outcome }) => (state === 'booked' && outcome !== null ? <Amount value={outcome.total} /> : ''),
  },
];

/** What is known of an import. */
export function ImportFacts({ file }: { readonly file: ImportFile }): VNode {
  const { name, uploadedAt, uploadedBy, options, state, endedAt, startedBy, forgottenAt } = file;
  const format = FORMATS.find((known) => known.name === options.format)?.processor;
  return (
    <Facts
      facts={[
        ['State', STATES_IN_WORDS[state]],
        ...(name === null ? [] : [['File', name] as const]),
        [
          'Uploaded',
          <>
            <Moment value={uploadedAt} /> by {uploadedBy}
          </>,
        ],
        [state === 'booked' ? 'Recorded as' : 'To be recorded as', options.username],
        ...(options.source === null ? [] : [['Source', options.source] as const]),
        ...(format === undefined ? [] : [['Export of', format] as const]),
        ...(endedAt === null || startedBy === null
          ? []
          : [
              [
                state === 'booked' ? 'Recorded on' : 'Tried on',
                <>
                  <Moment value={endedAt} /> by {startedBy}
                </>,
              ] as const,
            ]),
        ...(forgottenAt === null ? [] : [['Content deleted', <Moment value={forgottenAt} />] as const]),
      ]}
    />
  );
}

/** Why the last run stopped. */
export function ProblemOfImport({ problem }: Pick<ImportFile, 'problem'>): VNode | null {
  if (problem === null) return null;
  return (
    <div class="refusal" role="alert">
      {problem}
    </div>
  );
}

/** A run that goes on. */
export function RunningImport({ file }: { readonly file: ImportFile }): VNode {
  const { state, rows, rowsDone } = file;
  const isBooking = state === 'booking';
  return (
    <>
      <ProgressOfWork
        label={isBooking ? 'Rows that are recorded' : 'Rows that are tried'}
        done={rowsDone}
        total={rows ?? undefined}
        refreshSeconds={REFRESH_SECONDS}
      >
        {rows === null ? 'The file is being read.' : `${grouped(rowsDone)} of ${grouped(rows)} rows are done.`}
      </ProgressOfWork>
      <p>
        {isBooking
          ? 'You may leave this page: the gifts are recorded without it. If the service stops meanwhile, it goes on afterwards, and records each row once.'
          : 'Nothing is recorded yet. This page shows the result when it is there.'}
      </p>
    </>
  );
}
