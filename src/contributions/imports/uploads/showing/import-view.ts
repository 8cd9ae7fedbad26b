import { listOf, Property } from '../../../../http/index.js';
import { INSTANT, listUpTo, PLAIN_ID_SCHEMA, TEXTS, textUpTo } from '../../../../values/index.js';
import { COUNT, MONEY } from '../../../ledger/index.js';
import { REVIEW_REASONS, type ReviewReason } from '../../../reviews/index.js';
import { MAX_ROW_LENGTH } from '../../files/csv-rows.js';
import type { MappingObject } from '../../files/mapping.js';
import { type ImportFile, IMPORT_STATES, type ImportState, MAX_FILE_NAME } from '../files/import-file.entity.js';
import { FIRST_ROWS, MAX_REFUSED, type PreviewedRow } from '../running/run-outcome.js';

/** The most imports in one answer. `before` continues the list. */
export const IMPORTS_PER_LIST = 50;

/** A text of a file, or several of one row. A row has at most so many characters. */
const FILE_TEXT = textUpTo(MAX_ROW_LENGTH);

/** The outcome of a dry run, or of an import that was done. */
class ImportOutcomeView {
  @Property(COUNT, { description: 'Rows that were recorded, or would be.', examples: [118] })
  readonly recorded!: number;

  @Property(COUNT, { description: 'Rows that were recorded before.', examples: [0] })
  readonly alreadyRecorded!: number;

  @Property(COUNT, { description: 'Rows that are refused.', examples: [2] })
  readonly refused!: number;

  @Property(COUNT, { description: 'Rows that took a gift back, or would.', examples: [1] })
  readonly reversed!: number;

  @Property(COUNT, { description: 'Rows that the mapping leaves out.', examples: [4] })
  readonly leftOut!: number;

  @Property(MONEY, { description: 'The sum of the rows that were recorded, or would be.', examples: ['4280.50'] })
  readonly total!: string;

  @Property(COUNT, { description: 'Persons who were created, or would be.', examples: [7] })
  readonly newPeople!: number;

  @Property(COUNT, { description: 'Gifts that are listed for review, or would be.', examples: [3] })
  readonly toReview!: number;
}

/** An import of an uploaded file. */
export class ImportView {
  @Property(PLAIN_ID_SCHEMA, { description: 'Id of the import.', examples: [7] })
  readonly importId!: number;

  @Property(
    { type: 'string', enum: [...IMPORT_STATES] },
    {
      description:
        'new: not tried yet, or it could not be tried (`problem`). checking: being tried. checked: tried. booking: being ' +
        'booked. stopped: booked in part (`problem`); book it again to continue. booked: done.',
      examples: ['checked'],
    },
  )
  readonly state!: ImportState;

  @Property(textUpTo(MAX_FILE_NAME), {
    nullable: true,
    description: 'The name of the file; null after its content was deleted.',
    examples: ['july.csv'],
  })
  readonly name!: string | null;

  @Property(
    { type: 'string', minLength: 64, maxLength: 64, pattern: '^[0-9a-f]{64}$' },
    {
      description: 'SHA-256 of the file, in hexadecimal digits.',
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    },
  )
  readonly sha256!: string;

  @Property(TEXTS.actor, { description: 'Who uploaded it.', examples: ['treasurer'] })
  readonly uploadedBy!: string;

  @Property(INSTANT, { description: 'When it was uploaded.', examples: ['2026-07-28T09:00:00.000Z'] })
  readonly uploadedAt!: string;

  @Property(TEXTS.actor, { description: 'The user who adds the gifts.', examples: ['txt2give'] })
  readonly user!: string;

  @Property(TEXTS.ownId, { nullable: true, description: 'Source of rows without one.', examples: ['txt2give'] })
  readonly source!: string | null;

  @Property(TEXTS.word, { nullable: true, description: 'The built-in format.', examples: ['stripe'] })
  readonly format!: string | null;

  @Property({ type: 'boolean' }, { description: 'Whether rows may lack e-mail and phone.', examples: [false] })
  readonly withoutContacts!: boolean;

  @Property(COUNT, { description: 'The number of dry runs. Send it to book what the last one showed.', examples: [1] })
  readonly revision!: number;

  @Property(COUNT, { nullable: true, description: 'The number of rows; null before the first run.', examples: [125] })
  readonly rows!: number | null;

  @Property(COUNT, { description: 'Rows that the current run has done.', examples: [125] })
  readonly rowsDone!: number;

  @Property(TEXTS.sentences, { nullable: true, description: 'Why the last run stopped.', examples: [null] })
  readonly problem!: string | null;

  @Property(ImportOutcomeView, { description: 'The outcome of the last run that was done.', nullable: true })
  readonly outcome!: ImportOutcomeView | null;

  @Property(TEXTS.actor, { nullable: true, description: 'Who started the last run.', examples: ['treasurer'] })
  readonly startedBy!: string | null;

  @Property(INSTANT, { nullable: true, description: 'When.', examples: ['2026-07-28T09:02:00.000Z'] })
  readonly startedAt!: string | null;

  @Property(INSTANT, { nullable: true, description: 'When it ended.', examples: ['2026-07-28T09:02:04.000Z'] })
  readonly endedAt!: string | null;

  @Property(INSTANT, {
    nullable: true,
    description: 'When the content was deleted: the file, its result, and all that names persons.',
    examples: [null],
  })
  readonly contentDeletedAt!: string | null;
}

export class ImportList {
  @Property(listOf(ImportView, IMPORTS_PER_LIST), { description: 'Imports, the latest first.' })
  readonly imports!: readonly ImportView[];
}

/** A column of the file. */
class ImportColumnView {
  @Property(FILE_TEXT, { description: 'Its name.', examples: ['Donor Email'] })
  readonly name!: string;

  @Property(listUpTo(FILE_TEXT), { description: 'Its first values.', examples: [['ann@example.org']] })
  readonly examples!: readonly string[];
}

/** A row as it would be recorded. */
class ImportRowView {
  @Property(COUNT, { description: 'From 1, not counting the line with the names of the columns.', examples: [1] })
  readonly row!: number;

  @Property(COUNT, { description: 'The line of the file on which it begins.', examples: [2] })
  readonly line!: number;

  @Property(FILE_TEXT, { description: 'The giver.', examples: ['Ann Lee'] })
  readonly giver!: string;

  @Property(FILE_TEXT, { description: 'The day (YYYY-MM-DD), or the text of the file.', examples: ['2026-07-26'] })
  readonly day!: string;

  @Property(FILE_TEXT, { description: 'The amount, or the text of the file.', examples: ['25.00'] })
  readonly amount!: string;

  @Property(FILE_TEXT, { description: 'The fund; empty for the default one.', examples: ['Missions'] })
  readonly fund!: string;

  @Property(FILE_TEXT, { description: 'The payment method.', examples: ['card'] })
  readonly method!: string;

  @Property(TEXTS.sentences, { description: 'As in the result file.', examples: ['would be recorded'] })
  readonly status!: string;

  @Property(PLAIN_ID_SCHEMA, { nullable: true, description: 'The gift, if it is recorded.', examples: [null] })
  readonly contributionId!: number | null;

  @Property(PLAIN_ID_SCHEMA, { nullable: true, description: 'The person, if it exists.', examples: [12] })
  readonly peopleId!: number | null;

  @Property(
    { type: 'boolean' },
    { nullable: true, description: 'Whether the giver becomes a new person.', examples: [false] },
  )
  readonly newPerson!: boolean | null;

  @Property(listUpTo({ type: 'string', enum: [...REVIEW_REASONS] }, REVIEW_REASONS.length), {
    description: 'Why the gift would be listed for review.',
    examples: [[]],
  })
  readonly review!: readonly ReviewReason[];

  @Property(TEXTS.sentences, { nullable: true, description: 'Why it is refused.', examples: [null] })
  readonly error!: string | null;
}

/** An import with what its file holds. */
export class ImportDetails extends ImportView {
  @Property(
    { type: 'object' },
    { description: 'The mapping. With a format, what differs from it.', examples: [{ Donor: { name: 'First Last' } }] },
  )
  readonly mapping!: MappingObject;

  @Property(listOf(ImportColumnView), { description: 'The columns of the file; none after its content was deleted.' })
  readonly columns!: readonly ImportColumnView[];

  @Property(listUpTo(TEXTS.sentences), { description: 'What was found in the file.', examples: [[]] })
  readonly remarks!: readonly string[];

  @Property(listOf(ImportRowView, FIRST_ROWS + MAX_REFUSED), {
    description: 'Rows of the last run: the first ones, and those that are refused.',
  })
  readonly someRows!: readonly ImportRowView[];
}

const instant = (moment: Date | null): string | null => moment?.toISOString() ?? null;

export function importView(file: ImportFile): ImportView {
  return viewOf(file);
}

export function importDetails(file: ImportFile): ImportDetails {
  const { found, preview, options } = file;
  return {
    ...viewOf(file),
    mapping: options.mapping,
    columns: (found?.columns ?? []).map(({ name, examples }) => ({ name, examples })),
    remarks: found?.remarks ?? [],
    someRows: (preview ?? []).map(rowView),
  };
}

/** A plain object, which can be spread. */
function viewOf(file: ImportFile): Pick<ImportView, keyof ImportView> {
  const { id, state, name, sha256, uploadedBy, uploadedAt, options, revision, rows, rowsDone, problem, outcome } = file;
  const { username: user, source, format, withoutContacts } = options;
  return {
    ...{ importId: id, state, name, sha256, uploadedBy, uploadedAt: uploadedAt.toISOString() },
    ...{ user, source, format, withoutContacts, revision, rows, rowsDone, problem },
    outcome: outcome && outcomeView(outcome),
    startedBy: file.startedBy,
    startedAt: instant(file.startedAt),
    endedAt: instant(file.endedAt),
    contentDeletedAt: instant(file.forgottenAt),
  };
}

function outcomeView(outcome: ImportOutcomeView): ImportOutcomeView {
  const { recorded, alreadyRecorded, refused, reversed, leftOut, total, newPeople, toReview } = outcome;
  return { recorded, alreadyRecorded, refused, reversed, leftOut, total, newPeople, toReview };
}

function rowView({ result, ...row }: PreviewedRow): ImportRowView {
  const { status, contributionId, peopleId, newPerson, review, error } = result;
  return { ...row, status, contributionId, peopleId, newPerson, review, error };
}
