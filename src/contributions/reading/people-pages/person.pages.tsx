import { Get, Param, Post } from '@nestjs/common';
import { actorOf, BOOK_READERS, type Caller, CurrentCaller, Page } from '../../../auth/index.js';
import { PathIdPipe, type Query as Sent } from '../../../http/index.js';
import {
  FormReader,
  type FormState,
  goTo,
  Link,
  NEW_FORM,
  type PageAnswer,
  PagesUnder,
  SentForm,
  showPage,
} from '../../../pages/index.js';
import { AddContactRequest, Contacts } from '../../../people/index.js';
import { PersonContent } from './person-content.js';
import { type PersonOnPage, ReadPerson } from './read-person.service.js';

/** A person, and its contacts. */
@PagesUnder('people')
export class PersonPages {
  constructor(
    private readonly readPerson: ReadPerson,
    private readonly contacts: Contacts,
    private readonly forms: FormReader,
  ) {}

  @Get(':id')
  @Page(...BOOK_READERS)
  async show(@Param('id', PathIdPipe) peopleId: number, @CurrentCaller() caller: Caller): Promise<PageAnswer> {
    const read = await this.readPerson.of(peopleId, actorOf(caller));
    return personPage({ read, mayChange: caller.roles.has('Finance'), state: NEW_FORM });
  }

  @Post(':id/contacts')
  @Page('Finance')
  async addContact(
    @Param('id', PathIdPipe) peopleId: number,
    @SentForm() sent: Sent,
    @CurrentCaller() caller: Caller,
  ): Promise<PageAnswer> {
    const by = actorOf(caller);
    const reading = this.forms.read(AddContactRequest, sent);
    if (!reading.isValid) {
      const read = await this.readPerson.of(peopleId, by);
      return personPage({ read, mayChange: true, state: reading.state, status: 400, code: 'invalid_request' });
    }
    try {
      await this.contacts.add({ peopleId, kind: reading.value.Kind, value: reading.value.Value, by });
    } catch (error) {
      const { status, code, ...state } = this.forms.refused(reading.state, error);
      return personPage({ read: await this.readPerson.of(peopleId, by), mayChange: true, state, status, code });
    }
    return goTo(`/console/people/${peopleId}`, 'The contact was added. Gifts with it match this person from now on.');
  }

  @Post(':id/contacts/:contactId/confirm')
  @Page('Finance')
  async confirmContact(
    @Param('contactId', PathIdPipe) contactId: number,
    @CurrentCaller() caller: Caller,
  ): Promise<PageAnswer> {
    const { peopleId } = await this.contacts.confirm(contactId, actorOf(caller));
    return goTo(
      `/console/people/${peopleId}`,
      'The contact is confirmed. Gifts with it match this person from now on.',
    );
  }

  @Post(':id/contacts/:contactId/remove')
  @Page('Finance')
  async removeContact(
    @Param('contactId', PathIdPipe) contactId: number,
    @CurrentCaller() caller: Caller,
  ): Promise<PageAnswer> {
    const { peopleId } = await this.contacts.remove(contactId, actorOf(caller));
    return goTo(`/console/people/${peopleId}`, 'The contact was removed. Gifts with it no longer match this person.');
  }
}

interface PersonPageProps {
  readonly read: PersonOnPage;
  readonly mayChange: boolean;
  /** Of the form for a new contact. */
  readonly state: FormState;
  readonly status?: number;
  readonly code?: string;
}

function personPage({ read, mayChange, state, status = 200, code }: PersonPageProps): PageAnswer {
  const { person } = read;
  const path = `/console/people/${person.peopleId}`;
  const canChange = mayChange && person.mergedInto === null;
  return showPage({
    title: `Person ${person.peopleId}`,
    heading: `${person.first} ${person.last}`,
    status,
    ...(code !== undefined && { code }),
    actions: canChange ? (
      <>
        <Link to={`${path}/edit`} button hotkey="e">
          Edit
        </Link>
        <Link to={`${path}/merge`} button hotkey="m">
          Merge with another person
        </Link>
      </>
    ) : undefined,
    content: <PersonContent read={read} mayChange={canChange} state={state} />,
  });
}
