import { Body, Controller, Get, HttpCode, Param, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { AuditEntryView, ENTRIES_PER_PAGE } from '../audit/index.js';
import { type Caller, CurrentCaller, ForTokens, NotForTokens, ReadsBooks, Roles } from '../auth/index.js';
import { listOf, Operation, PathIdPipe, Property } from '../http/index.js';
import { answerOf, IdempotencyKey, SentRequest } from '../idempotency/index.js';
import { PLAIN_ID_SCHEMA } from '../values/index.js';
import { PEOPLE } from './api-group.js';
import { GIVER_NOT_FOUND, PERSON_CHANGED, PERSON_MERGED, PERSON_NOT_FOUND, SIMILAR_PERSONS } from './errors.js';
import { MergePersons } from './merging/merge-persons.service.js';
import { PersonRecords } from './person-records.service.js';
import { PersonView } from './person-view.js';
import { type CreatedPerson, CreatePerson } from './records/create-person.service.js';
import {
  changesOf,
  CreatePersonRequest,
  detailsOf,
  EditPersonRequest,
  MergePersonsRequest,
} from './records/people.requests.js';
import { PersonHistory } from './records/person-history.service.js';

const PERSON = { id: 'The PeopleId.' };

/** A person who was added. */
class CreatedPersonAnswer implements CreatedPerson {
  @Property(PLAIN_ID_SCHEMA, { description: 'Id of the person.', examples: [152] })
  readonly peopleId!: number;
}

/** What was done to a person. */
class PersonHistoryAnswer {
  @Property(listOf(AuditEntryView, ENTRIES_PER_PAGE), { description: `The newest first, ${ENTRIES_PER_PAGE} at most.` })
  readonly entries!: readonly AuditEntryView[];
}

/** The HTTP routes by which Finance changes persons. */
@Controller('Api')
@Roles('Finance')
export class PeopleController {
  constructor(
    private readonly createPerson: CreatePerson,
    private readonly persons: PersonRecords,
    private readonly history: PersonHistory,
    private readonly mergePersons: MergePersons,
  ) {}

  @Post('People')
  @HttpCode(200)
  @NotForTokens()
  @Operation({
    group: PEOPLE,
    id: 'CreatePerson',
    summary: 'Add a person',
    description:
      'If others may be the same person, they are named and nothing is stored, unless `Confirm` is true. The e-mail address ' +
      'and the phone number may be missing; then only the PeopleId leads gifts to the person, until a contact is added.',
    answer: CreatedPersonAnswer,
    failures: [SIMILAR_PERSONS],
  })
  async create(
    @Body() request: CreatePersonRequest,
    @IdempotencyKey() key: string | undefined,
    @CurrentCaller() user: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CreatedPerson> {
    const details = detailsOf(request);
    const sent = new SentRequest({ ...details });
    const command = { ...details, confirm: request.Confirm ?? false, user, key, sent };
    return answerOf(await this.createPerson.create(command), response);
  }

  @Post('People/:id/edit')
  @HttpCode(200)
  @NotForTokens()
  @Operation({
    group: PEOPLE,
    id: 'EditPerson',
    summary: 'Edit a person',
    description:
      'Gifts match by the new name, and no longer by the old one, which was wrong. Where it was right before, for example ' +
      'before a marriage, send it as `FormerLast`, or as `Nickname`: gifts that still have it match, too. A new e-mail ' +
      'address or phone number becomes a confirmed contact. The old one stays one until it is removed.',
    answer: PersonView,
    failures: [GIVER_NOT_FOUND, PERSON_MERGED, PERSON_CHANGED],
    parts: PERSON,
  })
  async edit(
    @Param('id', PathIdPipe) peopleId: number,
    @Body() request: EditPersonRequest,
    @CurrentCaller() { username: by }: Caller,
  ): Promise<PersonView> {
    return this.persons.edit({ ...changesOf(request), peopleId, version: request.Version, by });
  }

  @Get('People/:id/history')
  @ReadsBooks()
  @ForTokens('read')
  @Operation({
    group: PEOPLE,
    id: 'ReadPersonHistory',
    summary: 'Show what was done to a person, its contacts, and those who were merged into it',
    answer: PersonHistoryAnswer,
    failures: [GIVER_NOT_FOUND],
    parts: PERSON,
  })
  async readHistory(@Param('id', PathIdPipe) peopleId: number): Promise<PersonHistoryAnswer> {
    return { entries: await this.history.of(peopleId) };
  }

  @Post('People/:id/merge')
  @HttpCode(200)
  @NotForTokens()
  @Operation({
    group: PEOPLE,
    id: 'MergePersons',
    summary: 'Merge a person into another one permanently',
    description:
      'The gifts and contacts of the person in the path move to the other one, and its PeopleId leads there from now on. ' +
      'PreviewMerge shows what moves. Amounts, funds, days and bundles do not change. The answer is the person who is kept.',
    answer: PersonView,
    failures: [GIVER_NOT_FOUND, PERSON_NOT_FOUND, PERSON_MERGED, PERSON_CHANGED],
    parts: { id: 'The PeopleId of the person who is merged into the other one.' },
  })
  async merge(
    @Param('id', PathIdPipe) from: number,
    @Body() { Into: into, Version, IntoVersion }: MergePersonsRequest,
    @CurrentCaller() { username: by }: Caller,
  ): Promise<PersonView> {
    return this.mergePersons.merge({ from, into, versions: { from: Version, into: IntoVersion }, by });
  }
}
