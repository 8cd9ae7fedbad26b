import type { ComponentChildren, VNode } from 'preact';
import {
  Amount,
  type Column,
  displayDay,
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
  usePage,
} from '../../../../pages/index.js';
import { isDay } from '../../../../values/index.js';
import { MEANING_OF_REASONS } from '../../../reviews/index.js';
import { FORMATS } from '../../formats/formats.js';
import type { ImportFile, ImportState } from '../files/import-file.entity.js';
import type { PreviewedRow, RunOutcome } from '../running/run-outcome.js';

const IMPORT = '/console/import';

/** How often the progress is shown again, in seconds. */
export const REFRESH_SECONDS = 2;

export const STATES_IN_WORDS: Readonly<Record<ImportState, string>> = {
  new: 'To be tried',
  checking: 'Is being tried',
  checked: 'Tried, not booked',
  booking: 'Is being booked',
  stopped: 'Stopped: to be continued',
  booked: 'Booked',
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
        help="CSV, as the processor exports it, at most 20 MB. From a spreadsheet, save it as CSV UTF-8."
        accept=".csv,.txt,.tsv,text/csv"
        required
        hotkey="u"
      />
      <SelectField
        name="user"
        label="Whose gifts"
        help="The processor’s own user if it may have sent some of these gifts already, otherwise a user for imports. They go into this user’s bundles of today."
        required
        options={[['', 'Choose a user'], ...usernames.map((name) => [name, name] as const)]}
      />
      <TextField
        name="source"
        label="Source"
        help="The channel of these gifts, such as envelopes. Leave it empty for the export of a processor, or if a column has it."
        maxLength={100}
      />
      <SubmitButton>Upload and look at it</SubmitButton>
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
      columns={[
        { header: 'Import', cell: ({ id }) => <Link to={`${IMPORT}/${id}`}>{id}</Link> },
        { header: 'File', cell: ({ name, forgottenAt }) => name ?? (forgottenAt === null ? '' : 'deleted') },
        { header: 'Uploaded', cell: ({ uploadedAt }) => <Moment value={uploadedAt} /> },
        { header: 'By', cell: ({ uploadedBy }) => uploadedBy },
        { header: 'Whose', cell: ({ options }) => options.username },
        { header: 'State', cell: ({ state }) => STATES_IN_WORDS[state] },
        {
          header: 'Recorded',
          align: 'right',
          cell: ({ state, outcome }) => (state === 'booked' && outcome !== null ? outcome.recorded : ''),
        },
        {
          header: 'Total',
          align: 'right',
          cell: ({ state, outcome }) =>
            state === 'booked' && outcome !== null ? <Amount value={outcome.total} /> : '',
        },
      ]}
    />
  );
}

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
        ['Whose gifts', options.username],
        ...(options.source === null ? [] : [['Source', options.source] as const]),
        ...(format === undefined ? [] : [['Export of', format] as const]),
        ...(endedAt === null || startedBy === null
          ? []
          : [
              [
                state === 'booked' ? 'Booked' : 'Tried',
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

/** A run that goes on. */
export function RunningImport({ file }: { readonly file: ImportFile }): VNode {
  const { state, rows, rowsDone } = file;
  const isBooking = state === 'booking';
  return (
    <>
      <ProgressOfWork
        label={isBooking ? 'Rows that are booked' : 'Rows that are tried'}
        done={rowsDone}
        total={rows ?? undefined}
        refreshSeconds={REFRESH_SECONDS}
      >
        {rows === null ? 'The file is being read.' : `${grouped(rowsDone)} of ${grouped(rows)} rows are done.`}
      </ProgressOfWork>
      <p>
        {isBooking
          ? 'You may leave this page: the import goes on without it. If the service is stopped meanwhile, it goes on afterwards, and records each row once.'
          : 'Nothing is recorded. This page shows the result when it is there.'}
      </p>
    </>
  );
}

/** "1,234" */
export function grouped(count: number): string {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',');
}

/** "12 rows, 480.50" */
export function RowsAndTotal({ outcome: { recorded, total } }: { readonly outcome: RunOutcome }): VNode {
  return (
    <strong>
      {grouped(recorded)} {recorded === 1 ? 'row' : 'rows'} of <Amount value={total} />
    </strong>
  );
}

/** The figures of a run. */
export function OutcomeFacts({
  outcome,
  isBooked,
}: {
  readonly outcome: RunOutcome;
  readonly isBooked: boolean;
}): VNode {
  const { alreadyRecorded, refused, reversed, leftOut, newPeople, toReview } = outcome;
  const unlessZero = (label: string, count: number): (readonly [string, ComponentChildren])[] =>
    count === 0 ? [] : [[label, grouped(count)]];
  return (
    <Facts
      facts={[
        [isBooked ? 'Recorded' : 'Would be recorded', <RowsAndTotal outcome={outcome} />],
        ['Refused', <span class={refused > 0 ? 'status-refused' : undefined}>{grouped(refused)}</span>],
        ...unlessZero('Recorded before', alreadyRecorded),
        ...unlessZero(isBooked ? 'Taken back' : 'Would be taken back', reversed),
        ...unlessZero('Left out', leftOut),
        ...unlessZero('New persons', newPeople),
        ...unlessZero('To review', toReview),
      ]}
    />
  );
}

/** Rows of a run: the refused ones first, and then the first ones of the file. */
export function SomeRows({ file }: { readonly file: ImportFile }): VNode {
  const rows = file.preview ?? [];
  const isRefused = ({ result }: PreviewedRow): boolean => result.status === 'refused';
  const refused = rows.filter(isRefused);
  const others = rows.filter((row) => !isRefused(row));
  const count = file.outcome?.refused ?? refused.length;
  return (
    <>
      {refused.length > 0 && (
        <section>
          <h2>Refused rows</h2>
          <p>
            {count > refused.length && `The first ${refused.length} of ${grouped(count)}; the result file has all. `}
            Correct them in the file, and upload it again: rows that are recorded stay recorded once.
          </p>
          <RowTable caption="Refused rows" rows={refused} />
        </section>
      )}
      {others.length > 0 && (
        <section>
          <h2>The first rows</h2>
          <RowTable caption="The first rows" rows={others} />
        </section>
      )}
    </>
  );
}

function RowTable({ caption, rows }: { readonly caption: string; readonly rows: readonly PreviewedRow[] }): VNode {
  return <Table caption={caption} rows={rows} keyOf={({ row }) => row} empty={null} columns={ROW_COLUMNS} />;
}

const ROW_COLUMNS: readonly Column<PreviewedRow>[] = [
  { header: 'Line', align: 'right', cell: ({ line }) => line },
  { header: 'Giver', cell: ({ giver }) => giver },
  { header: 'Day', cell: ({ day }) => <DayOrText text={day} /> },
  { header: 'Amount', align: 'right', cell: ({ amount }) => <AmountOrText text={amount} /> },
  { header: 'Fund', cell: ({ fund }) => (/^\d+$/.test(fund) ? `fund ${fund}` : fund === '' ? 'default' : fund) },
  { header: 'Method', cell: ({ method }) => method },
  { header: 'Status', cell: ({ result }) => <StatusInWords result={result} /> },
];

function DayOrText({ text }: { readonly text: string }): VNode {
  const { church } = usePage();
  return isDay(text) ? <time dateTime={text}>{displayDay(text, church)}</time> : <>{text}</>;
}

function AmountOrText({ text }: { readonly text: string }): VNode {
  return /^-?\d+(\.\d+)?$/.test(text) ? <Amount value={text} /> : <>{text}</>;
}

/** What becomes of a row, and of its giver. */
function StatusInWords({ result }: { readonly result: PreviewedRow['result'] }): VNode {
  const { status, error, contributionId, review } = result;
  if (status === 'refused') return <span class="status-refused">{error}</span>;
  const what = contributionId === null ? status : <Link to={`/console/gifts/${contributionId}`}>{status}</Link>;
  return (
    <>
      {what}
      <span class="aside">
        <GiverInWords result={result} />
        {review.length > 0 && ` To review: ${review.map((reason) => MEANING_OF_REASONS[reason]).join(' ')}`}
      </span>
    </>
  );
}

function GiverInWords({ result: { newPerson, peopleId } }: { readonly result: PreviewedRow['result'] }): VNode | null {
  if (peopleId !== null)
    return (
      <>
        {newPerson === true ? 'new ' : ''}
        <Link to={`/console/people/${peopleId}`}>person {peopleId}</Link>
      </>
    );
  if (newPerson === null) return null;
  return <>{newPerson ? 'new person' : 'person of an earlier row'}</>;
}
