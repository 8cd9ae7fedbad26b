import { Get, Param, Post } from '@nestjs/common';
import { actorOf, type Caller, CurrentCaller, Page } from '../../../../auth/index.js';
import { ExpectedError, filterId, OptionalField, PathIdPipe, type Query as Sent } from '../../../../http/index.js';
import { FormReader, goTo, type PageAnswer, PagesUnder, SentForm, showPage } from '../../../../pages/index.js';
import { isHolding, tickedIn } from '../../../bundles/index.js';
import { Reviews } from '../../../reviews/index.js';
import { CloseDepositBundles } from '../../settling/close-deposit-bundles.service.js';
import { Deposits } from '../../showing/deposits.service.js';
import { DEPOSITS } from '../shared/deposit-words.js';
import { stillOpenInWords } from '../shared/still-open.js';
import { counted } from '../shared/each-by-itself.js';
import { ClosedBundles, OpenBundles } from './close-bundles-parts.js';

/** The most ids in a message. */
const NAMED = 20;

class ClosingForm {
  @OptionalField(filterId, { description: 'The deposit whose bundles they are.', examples: [7] })
  of?: number;
}

/** Closes the bundles of which everything is in reconciled deposits: of one deposit, or of all. */
@PagesUnder('deposits')
@Page('Finance')
export class CloseDepositBundlesPages {
  constructor(
    private readonly closeDepositBundles: CloseDepositBundles,
    private readonly deposits: Deposits,
    private readonly reviews: Reviews,
    private readonly forms: FormReader,
  ) {}

  @Get('close-bundles')
  async confirm(): Promise<PageAnswer> {
    return this.confirmation(undefined);
  }

  @Get(':id/close-bundles')
  async confirmOf(@Param('id', PathIdPipe) id: number): Promise<PageAnswer> {
    return this.confirmation(id);
  }

  @Post('close-bundles')
  async close(@SentForm() sent: Sent, @CurrentCaller() caller: Caller): Promise<PageAnswer> {
    const reading = this.forms.read(ClosingForm, { of: sent['of'] ?? '' });
    const of = reading.isValid ? reading.value.of : undefined;
    const back = of === undefined ? DEPOSITS : `${DEPOSITS}/${of}`;
    const ticked = tickedIn(sent);
    if (ticked.length === 0) return goTo(back, 'No bundle was ticked.');
    const seen = ticked.map(({ bundleId, holds }) => ({ bundleId, isExpected: isHolding(holds) }));
    const results = await this.closeDepositBundles.closeSeen(seen, actorOf(caller));
    const refused = results.filter((result) => result instanceof ExpectedError);
    if (refused.length === 0) {
      const closed = closedInWords(ticked.map(({ bundleId }) => bundleId));
      return goTo(back, closed + (await this.stillOpen(of)));
    }
    return showPage({
      title: 'Some bundles stay open',
      status: 409,
      code: refused[0]?.kind.code ?? 'conflict',
      content: <ClosedBundles ticked={ticked} results={results} open={await this.closeDepositBundles.open()} of={of} />,
    });
  }

  /** " Not finished yet: bundle 2, deposit 14.", of a deposit only its bundles; an empty text if nothing is. */
  private async stillOpen(of: number | undefined): Promise<string> {
    const bundles = await this.closeDepositBundles.open(of);
    const { deposits } = of === undefined ? await this.deposits.toCompare() : { deposits: [] };
    return stillOpenInWords({
      bundles: bundles.map(({ bundle }) => bundle.bundleId),
      deposits: deposits.map(({ id }) => id),
    });
  }

  private async confirmation(of: number | undefined): Promise<PageAnswer> {
    const open = await this.closeDepositBundles.open(of);
    const closable = open.filter(({ uncovered }) => uncovered === 0);
    const reviews = await this.reviews.countOpenIn(closable.map(({ bundle }) => bundle.bundleId));
    const openReviews = [...reviews.values()].reduce((sum, count) => sum + count, 0);
    return showPage({
      title: of === undefined ? 'Close the bundles of deposits' : `Close the bundles of deposit ${of}`,
      content: <OpenBundles open={open} of={of} openReviews={openReviews} />,
    });
  }
}

/** "2 bundles are closed: 7, 8." */
function closedInWords(bundleIds: readonly number[]): string {
  const more = bundleIds.length - NAMED;
  const others = more > 0 ? ` and ${counted(more, 'other', 'others')}` : '';
  return `${counted(bundleIds.length, 'bundle is', 'bundles are')} closed: ${bundleIds.slice(0, NAMED).join(', ')}${others}.`;
}
