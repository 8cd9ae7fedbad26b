import { randomUUID } from 'node:crypto';
import { Get, Post } from '@nestjs/common';
import type { VNode } from 'preact';
import { type Caller, CurrentCaller, Page } from '../../../../auth/index.js';
import type { Query as Sent } from '../../../../http/index.js';
import { IdempotencyKeyReusedError, keyAfter, keyAndRest, SentRequest } from '../../../../idempotency/index.js';
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
  TextField,
} from '../../../../pages/index.js';
import {
  type CreatedPerson,
  CreatePerson,
  CreatePersonRequest,
  detailsOf,
  type PersonView,
  SimilarPersonsError,
} from '../../../../people/index.js';
import { AddressFields, NameFields } from './person-fields.js';

const PEOPLE = '/console/people';

/** Adds a person. */
@PagesUnder('people')
@Page('Finance')
export class AddPersonPages {
  constructor(
    private readonly createPerson: CreatePerson,
    private readonly forms: FormReader,
  ) {}

  @Get('new')
  form(): PageAnswer {
    return addPage({ state: NEW_FORM });
  }

  @Post()
  async add(@SentForm() sent: Sent, @CurrentCaller() user: Caller): Promise<PageAnswer> {
    const { key, rest } = keyAndRest(sent);
    const reading = this.forms.read(CreatePersonRequest, rest);
    if (!reading.isValid) return addPage({ state: reading.state, key, status: 400, code: 'invalid_request' });
    const details = detailsOf(reading.value);
    const command = { ...details, confirm: reading.value.Confirm ?? false, user, key, sent: new SentRequest(details) };
    try {
      const { answer } = await this.createPerson.create(command);
      return goTo(`${PEOPLE}/${answer.peopleId}`, `Person ${answer.peopleId} was added.`);
    } catch (error) {
      const { status, code, ...state } = this.forms.refused(reading.state, error);
      if (error instanceof IdempotencyKeyReusedError) {
        const message = addedBefore(error.firstAnswer as CreatedPerson);
        return addPage({ state: { ...state, message }, key: keyAfter(code, key), status, code });
      }
      if (!(error instanceof SimilarPersonsError)) return addPage({ state, key, status, code });
      const message = 'This person may be in the books already. Nothing was added.';
      return addPage({ state: { ...state, message }, similar: error.current.persons, key, status, code });
    }
  }
}

/** The form was sent, left by going back, and is sent again with other details. */
function addedBefore({ peopleId }: CreatedPerson): string {
  return `This form has added person ${peopleId} before. Nothing was added now. To add this person as well, press the button again.`;
}

interface AddProps {
  readonly state: FormState;
  /** Others who may be the same person. */
  readonly similar?: readonly PersonView[];
  /** A form that is shown again has the same key. */
  readonly key?: string | undefined;
  readonly status?: number;
  readonly code?: string;
}

function addPage({ state, similar = [], key = randomUUID(), status = 200, code }: AddProps): PageAnswer {
  return showPage({
    title: 'Add a person',
    status,
    ...(code !== undefined && { code }),
    content: (
      <>
        {status === 200 && <p>Somebody who has given through a processor is in the books already. Search first.</p>}
        <Form to={PEOPLE} state={state}>
          <Similar persons={similar} />
          <HiddenField name="Key" value={key} />
          <NameFields autofocus={similar.length === 0} />
          <TextField name="Email" label="E-mail" type="email" help="Gifts with it match this person." />
          <TextField name="Phone" label="Phone" type="tel" help="Gifts with it match this person." />
          <AddressFields />
          <CheckboxField name="Deceased" label="Deceased" />
          {similar.length === 0 ? (
            <SubmitButton>Add the person</SubmitButton>
          ) : (
            <SubmitButton name="Confirm" value="true">
              No, add another person
            </SubmitButton>
          )}
        </Form>
        <p class="back">
          <Link to={PEOPLE}>Back to the people</Link>
        </p>
      </>
    ),
  });
}

function Similar({ persons }: { readonly persons: readonly PersonView[] }): VNode | null {
  if (persons.length === 0) return null;
  return (
    <section class="notice" aria-labelledby="similar">
      <h2 id="similar">Is it one of these?</h2>
      <ul>
        {persons.map(({ peopleId, first, last, contacts }) => (
          <li key={peopleId}>
            <Link to={`${PEOPLE}/${peopleId}`}>
              {first} {last}
            </Link>
            {contacts.length > 0 && `: ${contacts.map(({ value }) => value).join(', ')}`}
          </li>
        ))}
      </ul>
      <p>If so, open that person and add nothing. If not, use the button at the end of this form.</p>
    </section>
  );
}
