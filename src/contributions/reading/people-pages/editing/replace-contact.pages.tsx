import { Get, Param, Post } from '@nestjs/common';
import { actorOf, type Caller, CurrentCaller, Page } from '../../../../auth/index.js';
import { PathIdPipe, type Query as Sent } from '../../../../http/index.js';
import {
  Form,
  FormReader,
  goTo,
  Link,
  NEW_FORM,
  type PageAnswer,
  PagesUnder,
  SentForm,
  type ShownForm,
  showPage,
  SubmitButton,
  TextField,
} from '../../../../pages/index.js';
import {
  ContactNotFoundError,
  Contacts,
  type ContactView,
  PersonRecords,
  type PersonView,
  ReplaceContactRequest,
} from '../../../../people/index.js';

/** Replaces an e-mail address or phone number of a person by a new one. */
@PagesUnder('people')
@Page('Finance')
export class ReplaceContactPages {
  constructor(
    private readonly persons: PersonRecords,
    private readonly contacts: Contacts,
    private readonly forms: FormReader,
  ) {}

  @Get(':id/contacts/:contactId')
  async form(
    @Param('id', PathIdPipe) peopleId: number,
    @Param('contactId', PathIdPipe) contactId: number,
    @CurrentCaller() caller: Caller,
  ): Promise<PageAnswer> {
    return this.page({ peopleId, contactId, caller }, NEW_FORM);
  }

  @Post(':id/contacts/:contactId/replace')
  async replace(
    @Param('id', PathIdPipe) peopleId: number,
    @Param('contactId', PathIdPipe) contactId: number,
    @SentForm() sent: Sent,
    @CurrentCaller() caller: Caller,
  ): Promise<PageAnswer> {
    const of = { peopleId, contactId, caller };
    const reading = this.forms.read(ReplaceContactRequest, sent);
    if (!reading.isValid) return this.page(of, { ...reading.state, status: 400, code: 'invalid_request' });
    try {
      await this.contacts.replace({ peopleId, contactId, value: reading.value.Value, by: actorOf(caller) });
    } catch (error) {
      return this.page(of, this.forms.refused(reading.state, error));
    }
    return goTo(`/console/people/${peopleId}`, 'The contact was replaced. Gifts with the new one match this person.');
  }

  /** @throws ContactNotFoundError if the person has no such contact. */
  private async page(
    { peopleId, contactId, caller }: { readonly peopleId: number; readonly contactId: number; readonly caller: Caller },
    { status = 200, code, ...state }: ShownForm,
  ): Promise<PageAnswer> {
    const person = await this.persons.read(peopleId, actorOf(caller));
    const contact = person.contacts.find(({ id }) => id === contactId);
    if (contact === undefined) throw new ContactNotFoundError(contactId);
    return replacePage(person, contact, { ...state, status, ...(code !== undefined && { code }) });
  }
}

function replacePage(
  { peopleId, first, last }: PersonView,
  { id, kind, value }: ContactView,
  { status, code, ...state }: ShownForm & { readonly status: number },
): PageAnswer {
  const path = `/console/people/${peopleId}`;
  const name = kind === 'email' ? 'e-mail' : 'phone';
  return showPage({
    title: `Replace a contact of person ${peopleId}`,
    heading: `Replace the ${name} of ${first} ${last}`,
    status,
    ...(code !== undefined && { code }),
    content: (
      <Form to={`${path}/contacts/${id}/replace`} state={state}>
        <TextField
          name="Value"
          label={`New ${name}`}
          help={`In place of ${value}. Gifts with the new one match this person, and gifts with the old one no longer.`}
          type={kind === 'email' ? 'email' : 'tel'}
          required
          autofocus
        />
        <div class="buttons">
          <SubmitButton>Replace</SubmitButton>
          <Link to={path}>Cancel</Link>
        </div>
      </Form>
    ),
  });
}
