import type { ComponentChildren, VNode } from 'preact';
import { Amount, type Column, displayDay, Facts, Link, Table, usePage } from '../../../../pages/index.js';
import { isDay } from '../../../../values/index.js';
import { MEANING_OF_REASONS } from '../../../reviews/index.js';
import type { ImportFile } from '../files/import-file.entity.js';
import type { PreviewedRow, RunOutcome } from '../running/run-outcome.js';

/** "1,234" */
export function grouped(count: number): string {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',');
}

/** "1 person is", "1,234 persons are" */
export function counted(count: number, one: string, several: string): string {
  return `${grouped(count)} ${count === 1 ? one : several}`;
}

/** "12 rows of 480.50" */
export function RowsAndTotal({ outcome: { recorded, total } }: { readonly outcome: RunOutcome }): VNode {
  return (
    <strong>
      {grouped(recorded)} {recorded === 1 ? 'row' : 'rows'} of <Amount value={total} />
    </strong>
  );
}

/** "5 gifts were recorded, 1 row was refused." */
export function OutcomeInWords({ outcome: { recorded, refused } }: { readonly outcome: RunOutcome }): VNode {
  return (
    <>
      {counted(recorded, 'gift was', 'gifts were')} recorded, {counted(refused, 'row was', 'rows were')} refused.
    </>
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
        [isBooked ? 'Recorded' : 'Will be recorded', <RowsAndTotal outcome={outcome} />],
        ['Refused', <span class={refused > 0 ? 'negative' : undefined}>{grouped(refused)}</span>],
        ...unlessZero('Recorded before', alreadyRecorded),
        ...unlessZero(isBooked ? 'Taken back' : 'Will be taken back', reversed),
        ...unlessZero('Left out', leftOut),
        ...unlessZero('New persons', newPeople),
        ...unlessZero('To review', toReview),
      ]}
    />
  );
}

/** Why rows may have been recorded before. */
export function AboutEarlierRows({ outcome }: { readonly outcome: RunOutcome }): VNode | null {
  if (outcome.alreadyRecorded === 0) return null;
  return (
    <p>
      Rows that were recorded before stay as they are: by an earlier import, by the processor itself, or by this import
      before it was interrupted.
    </p>
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
  if (status === 'refused') return <span class="negative">{error}</span>;
  const words = status.replace(/^would be/, 'will be');
  const what = contributionId === null ? words : <Link to={`/console/gifts/${contributionId}`}>{words}</Link>;
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

function GiverInWords({
  result: { status, newPerson, peopleId },
}: {
  readonly result: PreviewedRow['result'];
}): VNode | null {
  // Of a row that was recorded before, the answer of that time is repeated.
  const isNew = newPerson === true && !status.startsWith('already');
  if (peopleId !== null)
    return (
      <>
        {isNew ? 'new ' : ''}
        <Link to={`/console/people/${peopleId}`}>person {peopleId}</Link>
      </>
    );
  if (newPerson === null) return null;
  return <>{isNew ? 'new person' : 'person of an earlier row'}</>;
}
