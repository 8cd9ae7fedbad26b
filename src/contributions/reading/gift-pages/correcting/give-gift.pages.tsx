import { Get, Param, Post, Query } from '@nestjs/common';
import type { VNode } from 'preact';
import { actorOf, type Caller, CurrentCaller, Page } from '../../../../auth/index.js';
import { PathIdPipe, type Query as Sent } from '../../../../http/index.js';
import {
  Amount,
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
import { ReassignContribution, ReassignRequest } from '../../../reviews/index.js';
import type { PeoplePage } from '../../giving/people-page.js';
import { PersonSearch } from '../../people-pages/person-search.js';
import { SearchGivers } from '../../giving/search-givers.service.js';
import { SearchPeopleRequest, toPersonPage } from '../../giving/search-people.request.js';
import { type GiftDetails, ReadGift } from '../read-gift.service.js';

/** Gives a gift to the person who gave it. */
@PagesUnder('gifts')
@Page('Finance')
export class GiveGiftPages {
  constructor(
    private readonly readGift: ReadGift,
    private readonly searchGivers: SearchGivers,
    private readonly reassignContribution: ReassignContribution,
    private readonly forms: FormReader,
  ) {}

  @Get(':id/giver')
  async choose(
    @Param('id', PathIdPipe) contributionId: number,
    @Query() query: Sent,
    @CurrentCaller() caller: Caller,
  ): Promise<PageAnswer> {
    const details = await this.readGift.of(contributionId, actorOf(caller));
    const reading = this.forms.read(SearchPeopleRequest, query);
    if (!reading.isValid) return choicePage({ details, search: reading.state, status: 400, code: 'invalid_request' });
    const { q } = reading.value;
    if (q === undefined) return choicePage({ details, search: reading.state });
    const found = await this.searchGivers.search(q, toPersonPage(reading.value), actorOf(caller));
    return choicePage({ details, search: reading.state, found });
  }

  @Post(':id/giver')
  async give(
    @Param('id', PathIdPipe) contributionId: number,
    @SentForm() sent: Sent,
    @CurrentCaller() caller: Caller,
  ): Promise<PageAnswer> {
    const reading = this.forms.read(ReassignRequest, sent);
    const by = actorOf(caller);
    if (!reading.isValid) {
      const details = await this.readGift.of(contributionId, by);
      return choicePage({ details, search: NEW_FORM, refusal: reading.state, status: 400, code: 'invalid_request' });
    }
    try {
      const { PeopleId: peopleId, FromPeopleId: fromPeopleId } = reading.value;
      const given = await this.reassignContribution.reassign({ contributionId, peopleId, fromPeopleId, by });
      return goTo(`/console/gifts/${contributionId}`, `The gift belongs to person ${given.toPeopleId} now.`);
    } catch (error) {
      const { status, code, ...refusal } = this.forms.refused(reading.state, error);
      const details = await this.readGift.of(contributionId, by);
      return choicePage({ details, search: NEW_FORM, refusal, status, code });
    }
  }
}

interface ChoiceProps {
  readonly details: GiftDetails;
  /** What was searched for. */
  readonly search: FormState;
  readonly found?: PeoplePage;
  /** Why the gift was not given to the chosen person. */
  readonly refusal?: FormState;
  readonly status?: number;
  readonly code?: string;
}

function choicePage({ details, search, found, refusal, status = 200, code }: ChoiceProps): PageAnswer {
  const { gift } = details;
  const path = `/console/gifts/${gift.contributionId}/giver`;
  return showPage({
    title: `Give gift ${gift.contributionId} to another person`,
    status,
    ...(code !== undefined && { code }),
    content: (
      <>
        {refusal?.message !== undefined && (
          <div class="refusal" role="alert">
            {refusal.message} The gift is shown as it is now.
          </div>
        )}
        <PresentGiver {...details} />
        <PersonSearch
          to={path}
          state={search}
          found={found}
          isChosen={({ peopleId }) => peopleId !== gift.peopleId}
          choose={({ peopleId, first, last }) => (
            <Form to={path}>
              <HiddenField name="PeopleId" value={String(peopleId)} />
              <HiddenField name="FromPeopleId" value={String(gift.peopleId)} />
              <SubmitButton>
                Give to {first} {last}
              </SubmitButton>
            </Form>
          )}
        />
        <p class="back">
          <Link to={`/console/gifts/${gift.contributionId}`}>Back to the gift</Link>
        </p>
      </>
    ),
  });
}

function PresentGiver({ gift, giver, gifts }: GiftDetails): VNode {
  const { payment, currency, giver: sent } = gift;
  const isOther = sent !== null && (sent.first !== giver.first || sent.last !== giver.last);
  return (
    <p>
      The gift of <Amount value={payment.amount} currency={currency} /> belongs to{' '}
      <strong>
        {giver.first} {giver.last}
      </strong>
      {isOther && `, and was sent in the name of ${sent.first} ${sent.last}`}.
      {gifts.length > 1 && ` All ${gifts.length} gifts of the payment are given together.`} Amounts, funds and bundles
      stay as they are, and it can be given back.
    </p>
  );
}
