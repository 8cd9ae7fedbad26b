import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { type Caller, CurrentCaller, ForTokens, NotForTokens, ReadsBooks, Roles } from '../../auth/index.js';
import { listOf, Operation, PathIdPipe, Property, QueryPipe } from '../../http/index.js';
import { PLAIN_ID_SCHEMA } from '../../values/index.js';
import { PEOPLE } from '../api-group.js';
import { CONTACT_NOT_FOUND, GIVER_NOT_FOUND, PERSON_MERGED } from '../errors.js';
import { ContactView } from '../person-view.js';
import { AddContactRequest, ListContactsRequest } from './contacts.requests.js';
import { Contacts, CONTACTS_PER_PAGE } from './contacts.service.js';

const CONTACT = { id: 'The id of the contact.' };

/** A page of unconfirmed contacts. */
class ContactList {
  @Property(listOf(ContactView, CONTACTS_PER_PAGE), { description: `Ordered by id, ${CONTACTS_PER_PAGE} at most.` })
  readonly contacts!: readonly ContactView[];

  @Property(PLAIN_ID_SCHEMA, {
    description: 'For the next page, send it as `after`; null if this is the last one.',
    examples: [231],
    nullable: true,
  })
  readonly next!: number | null;
}

/** The HTTP routes of contacts, for Finance. */
@Controller('Api')
@Roles('Finance')
export class ContactsController {
  constructor(private readonly contacts: Contacts) {}

  @Get('Contacts')
  @ReadsBooks()
  @ForTokens('read')
  @Operation({
    group: PEOPLE,
    id: 'ListContacts',
    summary: 'List the contacts that nobody has confirmed yet',
    description: 'ReadPerson shows all contacts of a person.',
    answer: ContactList,
  })
  async list(
    @Query(QueryPipe) { after = 0 }: ListContactsRequest,
    @CurrentCaller() { username: by }: Caller,
  ): Promise<ContactList> {
    const contacts = await this.contacts.readUnconfirmed({ after, by });
    const last = contacts.length === CONTACTS_PER_PAGE ? contacts.at(-1) : undefined;
    return { contacts, next: last?.id ?? null };
  }

  @Post('People/:id/contacts')
  @HttpCode(200)
  @NotForTokens()
  @Operation({
    group: PEOPLE,
    id: 'AddContact',
    summary: 'Add a confirmed contact to a person',
    description:
      'From now on, gifts with it match the person. A contact that the person has is confirmed. To repeat the call is safe.',
    answer: ContactView,
    failures: [GIVER_NOT_FOUND, PERSON_MERGED],
    parts: { id: 'The PeopleId.' },
  })
  async add(
    @Param('id', PathIdPipe) peopleId: number,
    @Body() { Kind: kind, Value: value }: AddContactRequest,
    @CurrentCaller() { username: by }: Caller,
  ): Promise<ContactView> {
    return this.contacts.add({ peopleId, kind, value, by });
  }

  @Post('Contacts/:id/confirm')
  @HttpCode(200)
  @NotForTokens()
  @Operation({
    group: PEOPLE,
    id: 'ConfirmContact',
    summary: 'Confirm a contact: from now on, gifts with it match the person',
    answer: ContactView,
    failures: [CONTACT_NOT_FOUND],
    parts: CONTACT,
  })
  async confirm(
    @Param('id', PathIdPipe) contactId: number,
    @CurrentCaller() { username: by }: Caller,
  ): Promise<ContactView> {
    return this.contacts.confirm(contactId, by);
  }

  @Post('Contacts/:id/remove')
  @HttpCode(200)
  @NotForTokens()
  @Operation({
    group: PEOPLE,
    id: 'RemoveContact',
    summary: 'Delete a contact, and answer with it',
    answer: ContactView,
    failures: [CONTACT_NOT_FOUND],
    parts: CONTACT,
  })
  async remove(
    @Param('id', PathIdPipe) contactId: number,
    @CurrentCaller() { username: by }: Caller,
  ): Promise<ContactView> {
    return this.contacts.remove(contactId, by);
  }
}
