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
    const reading = this.forms.read(SearchPeopleRequest, query);
    const found = reading.isValid ? await this.search(reading.value) : undefined;
    const peopleIds = found?.people.map(({ peopleId }) => peopleId);
    const details = await this.readGift.of(contributionId, actorOf(caller), peopleIds);
    if (!reading.isValid) return choicePage({ details, search: reading.state, status: 400, code: 'invalid_request' });
    return choicePage({ details, search: reading.state, found });
  }

  @Post(':id/giver')
  async give(
    @Param('id', PathIdPipe) contributionId: number,
    @SentForm() sent: Sent,
    @CurrentCaller() caller: Caller,
  ): Promise<PageAnswer> {
    const { search, rest } = searchAndRest(sent);
    const reading = this.forms.read(ReassignRequest, rest);
    if (!reading.isValid) return this.refuse(contributionId, caller, search, invalid(reading.state));
    try {
      const { PeopleId: peopleId, FromPeopleId: fromPeopleId } = reading.value;
      const command = { contributionId, peopleId, fromPeopleId, by: actorOf(caller) };
      const given = await this.reassignContribution.reassign(command);
      const message = `Gift ${contributionId} belongs to person ${given.toPeopleId} now.`;
      return goTo(`/console/gifts/${contributionId}`, message);
    } catch (error) {
      const { status, code, ...state } = this.forms.refused(reading.state, error);
      return this.refuse(contributionId, caller, search, { state, status, code });
    }
  }

  /** Shows the search again in which a person was chosen. */
  private async refuse(
    contributionId: number,
    caller: Caller,
    query: Sent,
    { state, status, code }: Refusal,
  ): Promise<PageAnswer> {
    const reading = this.forms.read(SearchPeopleRequest, query);
    const found = reading.isValid ? await this.search(reading.value) : undefined;
    const peopleIds = found?.people.map(({ peopleId }) => peopleId);
    const details = await this.readGift.of(contributionId, actorOf(caller), peopleIds);
    return choicePage({ details, search: reading.state, found, refusal: state, status, code });
  }

  private async search(request: SearchPeopleRequest): Promise<PeoplePage | undefined> {
    return request.q === undefined ? undefined : this.searchGivers.find(request.q, toPersonPage(request));
  }
}

interface Refusal {
  readonly state: FormState;
  readonly status: number;
  readonly code: string;
}

const invalid = (state: FormState): Refusal => ({ state, status: 400, code: 'invalid_request' });

/** The search in which a person was chosen, which the form sends along, and the other fields. */
function searchAndRest({ q, after, ...rest }: Sent): { readonly search: Sent; readonly rest: Sent } {
  return { search: { ...(q !== undefined && { q }), ...(after !== undefined && { after }) }, rest };
}

interface ChoiceProps {
  readonly details: GiftDetails;
  /** What was searched for. */
  readonly search: FormState;
  readonly found?: PeoplePage | undefined;
  /** Why the gift was not given to the chosen person. */
  readonly refusal?: FormState;
  readonly status?: number;
  readonly code?: string;
}

const SEARCH_FIELDS = ['q', 'after'] as const;

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
              {SEARCH_FIELDS.map((name) => (
                <HiddenField key={name} name={name} value={search.typed[name] ?? ''} />
              ))}
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
