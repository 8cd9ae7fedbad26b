import { Get, Param, Post, Query } from '@nestjs/common';
import { AuditTrail } from '../../../audit/index.js';
import { actorOf, type Caller, CurrentCaller, Page } from '../../../auth/index.js';
import { PathIdPipe, type Query as Sent } from '../../../http/index.js';
import {
  FormReader,
  type FormState,
  goTo,
  NEW_FORM,
  type PageAnswer,
  PagesUnder,
  SentForm,
  showPage,
} from '../../../pages/index.js';
import {
  MergePersons,
  MergePersonsRequest,
  PERSON_ACTIONS,
  PersonRecords,
  SimilarPersons,
} from '../../../people/index.js';
import { type PeopleOnPage, SearchGivers } from '../giving/search-givers.service.js';
import { SearchPeopleRequest, toPersonPage } from '../giving/search-people.request.js';
import { PreviewMerge } from '../merging/preview-merge.service.js';
import { MergeChoice, type MergeChoiceProps } from './merge-choice.js';
import { MergeComparison, mergeInWords } from './merge-comparison.js';

/** Merges two records of the same person. */
@PagesUnder('people')
@Page('Finance')
export class MergePages {
  constructor(
    private readonly persons: PersonRecords,
    private readonly similarPersons: SimilarPersons,
    private readonly searchGivers: SearchGivers,
    private readonly previewMerge: PreviewMerge,
    private readonly mergePersons: MergePersons,
    private readonly audit: AuditTrail,
    private readonly forms: FormReader,
  ) {}

  @Get(':id/merge')
  async choose(
    @Param('id', PathIdPipe) peopleId: number,
    @Query() query: Sent,
    @CurrentCaller() caller: Caller,
  ): Promise<PageAnswer> {
    const by = actorOf(caller);
    const reading = this.forms.read(SearchPeopleRequest, query);
    const person = await this.persons.show(peopleId);
    const similar = await this.similarPersons.of(person);
    const found = reading.isValid ? await this.search(reading.value) : undefined;
    const peopleIds = [person, ...similar, ...(found?.people ?? []), ...(found?.similar ?? [])].map(
      (one) => one.peopleId,
    );
    await this.audit.recordReading({ action: PERSON_ACTIONS.read, subject: `person ${peopleId}`, peopleIds, by });
    const choice = { person, similar, state: reading.state, found };
    return reading.isValid ? choicePage(choice) : choicePage(choice, 400, 'invalid_request');
  }

  private async search(request: SearchPeopleRequest): Promise<PeopleOnPage | undefined> {
    return request.q === undefined ? undefined : this.searchGivers.findForPage(request.q, toPersonPage(request));
  }

  /** Both persons side by side, and what moves. */
  @Get(':id/merge/:into')
  async confirm(
    @Param('id', PathIdPipe) from: number,
    @Param('into', PathIdPipe) into: number,
    @CurrentCaller() caller: Caller,
  ): Promise<PageAnswer> {
    return this.comparison({ from, into }, caller, NEW_FORM);
  }

  @Post(':id/merge/:into')
  async merge(
    @Param('id', PathIdPipe) from: number,
    @Param('into', PathIdPipe) into: number,
    @SentForm() sent: Sent,
    @CurrentCaller() caller: Caller,
  ): Promise<PageAnswer> {
    const reading = this.forms.read(MergePersonsRequest, { ...sent, Into: String(into) });
    if (!reading.isValid) return this.comparison({ from, into }, caller, reading.state, 400, 'invalid_request');
    const versions = { from: reading.value.Version, into: reading.value.IntoVersion };
    try {
      await this.mergePersons.merge({ from, into, versions, by: actorOf(caller), isShownNext: true });
    } catch (error) {
      const { status, code, ...state } = this.forms.refused(reading.state, error);
      return this.comparison({ from, into }, caller, state, status, code);
    }
    return goTo(`/console/people/${into}`, `Person ${from} was merged into person ${into}.`);
  }

  private async comparison(
    peopleIds: { readonly from: number; readonly into: number },
    caller: Caller,
    state: FormState,
    status = 200,
    code?: string,
  ): Promise<PageAnswer> {
    const preview = await this.previewMerge.of(peopleIds, actorOf(caller));
    const { from, into } = peopleIds;
    return showPage({
      title: `Merge person ${from} into person ${into}?`,
      heading: mergeInWords(preview),
      status,
      ...(code !== undefined && { code }),
      content: (
        <MergeComparison
          preview={preview}
          state={state}
          to={`/console/people/${from}/merge/${into}`}
          swap={`/console/people/${into}/merge/${from}`}
          back={`/console/people/${from}`}
        />
      ),
    });
  }
}

function choicePage(props: MergeChoiceProps, status = 200, code?: string): PageAnswer {
  return showPage({
    title: `Merge person ${props.person.peopleId} with another person`,
    heading: `Merge ${props.person.first} ${props.person.last} with another person`,
    status,
    ...(code !== undefined && { code }),
    content: <MergeChoice {...props} />,
  });
}
