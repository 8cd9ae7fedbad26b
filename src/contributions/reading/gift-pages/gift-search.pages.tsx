import { Get, OnModuleInit, Query, StreamableFile } from '@nestjs/common';
import { actorOf, BOOK_READERS, type Caller, CurrentCaller, Page } from '../../../auth/index.js';
import type { Query as Sent } from '../../../http/index.js';
import {
  FormReader,
  type FormState,
  Link,
  Navigation,
  type PageAnswer,
  PagesUnder,
  queryOf,
  showPage,
  type ShownRows,
  shownRows,
} from '../../../pages/index.js';
import { Funds } from '../../funds/index.js';
import { Reviews } from '../../reviews/index.js';
import { SearchGiftsRequest, toGiftSearch } from '../searching/search-gifts.request.js';
import { type GiftSearch, type GiftsOnPage, SearchGifts } from '../searching/search-gifts.service.js';
import { giftFile } from './gift-file.js';
import { FoundGifts } from './found-gifts.js';
import { type FundOptions, SearchForm } from './gift-search-form.js';

const GIFTS = '/console/gifts';

/** Finds gifts by anything that somebody may know of them. */
@PagesUnder('gifts')
@Page(...BOOK_READERS)
export class GiftSearchPages implements OnModuleInit {
  constructor(
    private readonly searchGifts: SearchGifts,
    private readonly funds: Funds,
    private readonly reviews: Reviews,
    private readonly forms: FormReader,
    private readonly navigation: Navigation,
  ) {}

  onModuleInit(): void {
    this.navigation.add({ label: 'Gifts', to: GIFTS, letter: 'g', position: 10, roles: BOOK_READERS });
  }

  @Get()
  async search(@Query() query: Sent, @CurrentCaller() caller: Caller): Promise<PageAnswer> {
    return this.answer(query, async (search, state) => {
      const found = await this.searchGifts.searchForPage(search, actorOf(caller));
      const rows = shownRows(query, found.gifts.length);
      const open = await this.reviews.openOf(found.gifts.map(({ contributionId }) => contributionId));
      const reviews = new Map(open.map(({ contributionId, reviewId }) => [contributionId, reviewId]));
      return resultPage({ funds: await this.fundOptions(), state, found, rows, reviews });
    });
  }

  @Get('export')
  async export(@Query() query: Sent, @CurrentCaller() caller: Caller): Promise<StreamableFile | PageAnswer> {
    return this.answer(query, async (search) => {
      const gifts = await this.searchGifts.readAll(search, actorOf(caller));
      const disposition = 'attachment; filename="gifts.csv"';
      return new StreamableFile(giftFile(gifts), { type: 'text/csv; charset=utf-8', disposition });
    });
  }

  private async answer<T>(
    query: Sent,
    work: (search: GiftSearch, state: FormState) => Promise<T>,
  ): Promise<T | PageAnswer> {
    const reading = this.forms.read(SearchGiftsRequest, query, ['minAmount', 'maxAmount']);
    if (!reading.isValid) return resultPage({ funds: await this.fundOptions(), state: reading.state });
    try {
      return await work(toGiftSearch(reading.value), reading.state);
    } catch (error) {
      return resultPage({ funds: await this.fundOptions(), state: this.forms.refused(reading.state, error) });
    }
  }

  private async fundOptions(): Promise<FundOptions> {
    const funds = await this.funds.list();
    return funds.map(({ fundId, name, open }) => [String(fundId), open ? name : `${name} (closed)`]);
  }
}

/** What a page of the list begins after, and the parameters of a message: not what somebody searches for. */
const NO_FILTERS = ['after', 'row', 'flash', 'mac'];

function filtersIn({ typed }: FormState): FormState['typed'] {
  return Object.fromEntries(Object.entries(typed).filter(([name]) => !NO_FILTERS.includes(name)));
}

interface ResultProps {
  readonly funds: FundOptions;
  readonly state: FormState;
  /** Undefined if what was typed is not valid. */
  readonly found?: GiftsOnPage;
  readonly rows?: ShownRows;
  /** The open reviews of the gifts on the page, by ContributionId. */
  readonly reviews?: ReadonlyMap<number, number>;
}

function resultPage({
  funds,
  state,
  found,
  rows = { first: 1, shown: 0 },
  reviews = new Map(),
}: ResultProps): PageAnswer {
  const filters = filtersIn(state);
  const { after = '' } = state.typed;
  return showPage({
    title: 'Gifts',
    ...(found === undefined ? { status: 400, code: 'invalid_request' } : {}),
    actions: found !== undefined && found.gifts.length > 0 && (
      <Link to={`${GIFTS}/export${queryOf(filters)}`} button>
        CSV of these gifts
      </Link>
    ),
    content: (
      <>
        <SearchForm funds={funds} state={{ ...state, typed: filters }} />
        {found !== undefined && (
          <FoundGifts page={found} rows={rows} reviews={reviews} filters={filters} isLater={after !== ''} />
        )}
      </>
    ),
  });
}
