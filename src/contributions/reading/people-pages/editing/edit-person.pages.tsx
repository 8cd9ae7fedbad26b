import { Get, Param, Post } from '@nestjs/common';
import { actorOf, type Caller, CurrentCaller, Page } from '../../../../auth/index.js';
import { PathIdPipe, type Query as Sent } from '../../../../http/index.js';
import {
  CheckboxField,
  Form,
  FormReader,
  type FormState,
  goTo,
  HiddenField,
  Link,
  NEW_FORM,
  type PageAnswer,
  PagesUnder,
  SentForm,
  showPage,
  SubmitButton,
} from '../../../../pages/index.js';
import {
  changesOf,
  CLEARABLE,
  EditPersonRequest,
  PERSON_CHANGED,
  PersonRecords,
  type PersonView,
} from '../../../../people/index.js';
import { AddressFields, type FieldNotes, NameFields } from './person-fields.js';
import { conflictOf, seenAndRest, seenFieldsOf } from './seen-person.js';

/** Edits a person. */
@PagesUnder('people')
@Page('Finance')
export class EditPersonPages {
  constructor(
    private readonly persons: PersonRecords,
    private readonly forms: FormReader,
  ) {}

  @Get(':id/edit')
  async form(@Param('id', PathIdPipe) peopleId: number, @CurrentCaller() caller: Caller): Promise<PageAnswer> {
    return editPage({ person: await this.persons.read(peopleId, actorOf(caller)), state: NEW_FORM });
  }

  @Post(':id/edit')
  async edit(
    @Param('id', PathIdPipe) peopleId: number,
    @SentForm() sent: Sent,
    @CurrentCaller() caller: Caller,
  ): Promise<PageAnswer> {
    const by = actorOf(caller);
    const { seen, rest } = seenAndRest(sent);
    const reading = this.forms.read(EditPersonRequest, withEmptied(rest));
    const missing = NAMES.filter((name) => isEmpty(rest[name])).map((field) => ({ field, message: 'is required' }));
    if (!reading.isValid || missing.length > 0) {
      const person = await this.persons.read(peopleId, by);
      const state = { ...reading.state, faults: [...missing, ...reading.state.faults] };
      return editPage({ person, seen, state, status: 400, code: 'invalid_request' });
    }
    try {
      const command = { ...changesOf(reading.value), peopleId, version: reading.value.Version, by };
      await this.persons.edit({ ...command, isShownNext: true });
    } catch (error) {
      const { status, code, ...state } = this.forms.refused(reading.state, error);
      const person = await this.persons.read(peopleId, by);
      if (code !== PERSON_CHANGED.code) return editPage({ person, seen, state, status, code });
      const conflict = conflictOf(state, seen, person);
      return editPage({
        person,
        state: { ...conflict.state, message: SOMEBODY_FASTER },
        notes: conflict.notes,
        status,
        code,
      });
    }
    return goTo(`/console/people/${peopleId}`, `Person ${peopleId} was changed.`);
  }
}

const SOMEBODY_FASTER =
  'Somebody else has changed this person meanwhile. What you typed is kept; look at the fields that say more.';

/** A detail that is left out stays as it is, but a form that has no name is not meant so. */
const NAMES = ['First', 'Last'] as const;

function isEmpty(value: Sent[string] | undefined): boolean {
  return typeof value === 'string' && value.trim() === '';
}

/** A form sends all fields: an empty one removes the detail, and a box that is not ticked is not sent at all. */
function withEmptied(sent: Sent): Sent {
  const emptied = CLEARABLE.filter((name) => isEmpty(sent[name]));
  const filled = Object.entries(sent).filter(([name]) => !emptied.some((one) => one === name));
  return {
    ...Object.fromEntries(filled),
    Deceased: sent['Deceased'] ?? 'false',
    ...(emptied.length > 0 && { Clear: emptied }),
  };
}

interface EditProps {
  /** As it is now. */
  readonly person: PersonView;
  readonly state: FormState;
  /** What the form began with, if it is shown again with that. Default: the person as it is now. */
  readonly seen?: Readonly<Record<string, string>>;
  /** What to say beside fields. */
  readonly notes?: FieldNotes;
  readonly status?: number;
  readonly code?: string;
}

function editPage({ person, state, seen, notes = {}, status = 200, code }: EditProps): PageAnswer {
  const path = `/console/people/${person.peopleId}`;
  // A form that is shown again is compared with what it began with, not with what others have saved meanwhile.
  const version = seen === undefined ? person.version : (state.typed['Version'] ?? '');
  const isDeceased = state === NEW_FORM ? person.deceased : state.typed['Deceased'] === 'true';
  return showPage({
    title: `Edit person ${person.peopleId}`,
    heading: `Edit ${person.first} ${person.last}`,
    status,
    ...(code !== undefined && { code }),
    content: (
      <Form to={`${path}/edit`} state={withoutUnticked(state)}>
        <HiddenField name="Version" value={version} />
        {Object.entries(seen ?? seenFieldsOf(person)).map(([name, value]) => (
          <HiddenField key={name} name={name} value={value} />
        ))}
        <NameFields person={person} notes={notes} autofocus />
        <p class="help">
          E-mail and phone are replaced <Link to={path}>on the page of the person</Link>, below Contacts.
        </p>
        <AddressFields person={person} notes={notes} />
        <CheckboxField
          name="Deceased"
          label="Deceased"
          help={notes['Deceased'] ?? 'Gifts are then listed for review.'}
          checked={isDeceased}
        />
        <div class="buttons">
          <SubmitButton>Save</SubmitButton>
          <Link to={path}>Cancel</Link>
        </div>
      </Form>
    ),
  });
}

/** The state of a box that is not ticked says nothing of it. */
function withoutUnticked({ typed: { Deceased: deceased, ...typed }, ...state }: FormState): FormState {
  return { ...state, typed: { ...typed, ...(deceased === 'true' && { Deceased: deceased }) } };
}
