import { Get, Param, Post, Query } from '@nestjs/common';
import type { VNode } from 'preact';
import { actorOf, type Caller, CurrentCaller, Page } from '../../../../auth/index.js';
import { PathIdPipe, type Query as Sent } from '../../../../http/index.js';
import {
  Form,
  FormReader,
  type FormState,
  HiddenFields,
  Link,
  type PageAnswer,
  PagesUnder,
  SentForm,
  showPage,
  SubmitButton,
} from '../../../../pages/index.js';
import { ReassignContribution, ReassignRequest } from '../../../reviews/index.js';
import { PersonSearch } from '../../people-pages/person-search.js';
import { type PeopleOnPage, SearchGivers } from '../../giving/search-givers.service.js';
import { SearchPeopleRequest, toPersonPage } from '../../giving/search-people.request.js';
import { ReadGift } from '../read-gift.service.js';
import { giftInWords } from '../wording.js';
import { PresentGift } from './present-gift.js';
import { type GiftToCorrect, originAndRest, originFields, ReviewOrigin, wayBack } from './review-origin.service.js';

/** Gives a gift to the person who gave it. A review of the gift leads here, and from here to the next one. */
@PagesUnder('gifts')
@Page('Finance')
export class GiveGiftPages {
  constructor(
    private readonly readGift: ReadGift,
    private readonly searchGivers: SearchGivers,
    private readonly reassignContribution: ReassignContribution,
    private readonly origin: ReviewOrigin,
    private readonly forms: FormReader,
  ) {}

  @Get(':id/giver')
  async choose(
    @Param('id', PathIdPipe) contributionId: number,
    @Query() query: Sent,
    @CurrentCaller() caller: Caller,
  ): Promise<PageAnswer> {
    const { reviewId, rest } = originAndRest(query);
    const review = await this.origin.of(contributionId, reviewId);
    return this.choice(contributionId, caller, { query: rest, review });
  }

  @Post(':id/giver')
  async give(
    @Param('id', PathIdPipe) contributionId: number,
    @SentForm() sent: Sent,
    @CurrentCaller() caller: Caller,
  ): Promise<PageAnswer> {
    const { reviewId, rest: form } = originAndRest(sent);
    const { query, rest } = searchAndRest(form);
    const review = await this.origin.of(contributionId, reviewId);
    const reading = this.forms.read(ReassignRequest, rest);
    if (!reading.isValid) {
      const refusal = { state: reading.state, status: 400, code: 'invalid_request' };
      return this.choice(contributionId, caller, { query, review, refusal });
    }
    try {
      const { PeopleId: peopleId, FromPeopleId: fromPeopleId } = reading.value;
      const command = { contributionId, peopleId, fromPeopleId, by: actorOf(caller) };
      await this.reassignContribution.reassign(command);
      // A message names no person. The page of the gift does.
      const message = `Gift ${contributionId} has another giver now.`;
      return await this.origin.goOn(contributionId, review, message);
    } catch (error) {
      const { status, code, ...state } = this.forms.refused(reading.state, error);
      return this.choice(contributionId, caller, { query, review, refusal: { state, status, code } });
    }
  }

  private async choice(
    contributionId: number,
    caller: Caller,
    { query, review, refusal }: Pick<ChoiceProps, 'review' | 'refusal'> & { readonly query: Sent },
  ): Promise<PageAnswer> {
    const reading = this.forms.read(SearchPeopleRequest, query);
    const found = reading.isValid ? await this.search(reading.value) : undefined;
    const peopleIds = [...(found?.people ?? []), ...(found?.similar ?? [])].map(({ peopleId }) => peopleId);
    const details = await this.readGift.of(contributionId, actorOf(caller), peopleIds);
    const isInvalid = !reading.isValid && refusal === undefined;
    return choicePage({ details, review, search: reading.state, found, refusal }, isInvalid);
  }

  private async search(request: SearchPeopleRequest): Promise<PeopleOnPage | undefined> {
    return request.q === undefined ? undefined : this.searchGivers.findForPage(request.q, toPersonPage(request));
  }
}

interface Refusal {
  readonly state: FormState;
  readonly status: number;
  readonly code: string;
}

/** The search in which a person was chosen, which the form sends along, and the other fields. */
function searchAndRest({ q, after, ...rest }: Sent): { readonly query: Sent; readonly rest: Sent } {
  return { query: { ...(q !== undefined && { q }), ...(after !== undefined && { after }) }, rest };
}

interface ChoiceProps extends GiftToCorrect {
  /** What was searched for. */
  readonly search: FormState;
  readonly found?: PeopleOnPage | undefined;
  /** Why the gift was not given to the chosen person. */
  readonly refusal?: Refusal | undefined;
}

/** @param isInvalid whether the search is not valid. */
function choicePage({ details, review, search, found, refusal }: ChoiceProps, isInvalid: boolean): PageAnswer {
  const { gift, gifts, giver } = details;
  const path = `/console/gifts/${gift.contributionId}/giver`;
  const [back, label] = wayBack({ details, review });
  return showPage({
    title: `Change the giver of gift ${gift.contributionId}`,
    heading: <>Change the giver of {giftInWords(details)}</>,
    ...(isInvalid && { status: 400, code: 'invalid_request' }),
    ...(refusal !== undefined && { status: refusal.status, code: refusal.code }),
    content: (
      <>
        {refusal?.state.message !== undefined && (
          <div class="refusal" role="alert">
            {refusal.state.message} The gift is shown as it is now.
          </div>
        )}
        <PresentGift {...details} />
        <PersonSearch
          to={path}
          fields={originFields(review)}
          state={search}
          found={found}
          isChosen={({ peopleId }) => peopleId !== gift.peopleId}
          choose={(person) => <GiveTo person={person} path={path} details={details} review={review} search={search} />}
        />
        <p class="help">
          {gifts.length > 1 && `This is for all ${gifts.length} gifts of the payment. `}
          Amounts, funds and bundles stay as they are. You can change the giver back to {giver.first} {giver.last}{' '}
          later.
        </p>
        <p class="back">
          <Link to={back}>{label}</Link>
        </p>
      </>
    ),
  });
}

interface GiveToProps extends Pick<ChoiceProps, 'details' | 'review' | 'search'> {
  readonly person: PeopleOnPage['people'][number];
  readonly path: string;
}

/** The button beside a person. It sends the search along, to show it again if the gift cannot be given. */
function GiveTo({ person: { peopleId, first, last }, path, details, review, search }: GiveToProps): VNode {
  return (
    <Form to={path}>
      <HiddenFields
        values={{
          ...{ PeopleId: String(peopleId), FromPeopleId: String(details.gift.peopleId) },
          ...{ q: search.typed['q'] ?? '', after: search.typed['after'] ?? '' },
          ...originFields(review),
        }}
      />
      <SubmitButton>
        It is from {first} {last}
      </SubmitButton>
    </Form>
  );
}
