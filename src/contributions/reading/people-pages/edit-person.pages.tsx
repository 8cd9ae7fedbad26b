import { Get, Param, Post } from '@nestjs/common';
import { actorOf, type Caller, CurrentCaller, Page } from '../../../auth/index.js';
import { PathIdPipe, type Query as Sent } from '../../../http/index.js';
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
} from '../../../pages/index.js';
import { changesOf, CLEARABLE, EditPersonRequest, PersonRecords, type PersonView } from '../../../people/index.js';
import { AddressFields, NameFields } from './person-fields.js';

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
    const reading = this.forms.read(EditPersonRequest, withEmptied(sent));
    const missing = NAMES.filter((name) => isEmpty(sent[name])).map((field) => ({ field, message: 'is required' }));
    if (!reading.isValid || missing.length > 0) {
      const person = await this.persons.read(peopleId, by);
      const state = { ...reading.state, faults: [...missing, ...reading.state.faults] };
      return editPage({ person, state, status: 400, code: 'invalid_request' });
    }
    try {
      await this.persons.edit({ ...changesOf(reading.value), peopleId, version: reading.value.Version, by });
    } catch (error) {
      const { status, code, ...state } = this.forms.refused(reading.state, error);
      const person = await this.persons.read(peopleId, by);
      return editPage({ person, state, status, code, isChanged: code === 'person_changed' });
    }
    return goTo(`/console/people/${peopleId}`, `Person ${peopleId} was changed.`);
  }
}

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
  readonly person: PersonView;
  readonly state: FormState;
  readonly status?: number;
  readonly code?: string;
  /** Whether somebody else has changed the person since the form was opened. */
  readonly isChanged?: boolean;
}

/** The state of a box that is not ticked says nothing of it. */
function withoutUnticked({ typed: { Deceased: deceased, ...typed }, ...state }: FormState): FormState {
  return { ...state, typed: { ...typed, ...(deceased === 'true' && { Deceased: deceased }) } };
}

function editPage({ person, state, status = 200, code, isChanged = false }: EditProps): PageAnswer {
  const path = `/console/people/${person.peopleId}`;
  const now = isChanged ? person : undefined;
  const message =
    'Somebody else has changed this person meanwhile. What you typed is kept; each field says how it is now.';
  return showPage({
    title: `Edit person ${person.peopleId}`,
    heading: `Edit ${person.first} ${person.last}`,
    status,
    ...(code !== undefined && { code }),
    content: (
      <>
        <Form to={`${path}/edit`} state={withoutUnticked(isChanged ? { ...state, message } : state)}>
          <HiddenField name="Version" value={person.version} />
          <NameFields person={person} now={now} autofocus />
          <AddressFields person={person} now={now} />
          <CheckboxField
            name="Deceased"
            label="Deceased"
            help="Gifts are then listed for review."
            checked={person.deceased && state === NEW_FORM}
          />
          <SubmitButton>Save</SubmitButton>
        </Form>
        <p>
          E-mail addresses and phone numbers are changed <Link to={path}>on the page of the person</Link>.
        </p>
      </>
    ),
  });
}
