import { Get, Param, Post } from '@nestjs/common';
import { actorOf, type Caller, CurrentCaller, Page } from '../../../../auth/index.js';
import { ExpectedError, filterId, OptionalField, PathIdPipe, type Query as Sent } from '../../../../http/index.js';
import { FormReader, goTo, type PageAnswer, PagesUnder, SentForm, showPage } from '../../../../pages/index.js';
import { isHolding, tickedIn } from '../../../bundles/index.js';
import { CloseDepositBundles } from '../../settling/close-deposit-bundles.service.js';
import { DEPOSITS } from '../shared/deposit-words.js';
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
    if (refused.length === 0) return goTo(back, closedInWords(ticked.map(({ bundleId }) => bundleId)));
    return showPage({
      title: 'Some bundles stay open',
      status: 409,
      code: refused[0]?.kind.code ?? 'conflict',
      content: <ClosedBundles ticked={ticked} results={results} open={await this.closeDepositBundles.open()} of={of} />,
    });
  }

  private async confirmation(of: number | undefined): Promise<PageAnswer> {
    return showPage({
      title: of === undefined ? 'Close the bundles of deposits' : `Close the bundles of deposit ${of}`,
      content: <OpenBundles open={await this.closeDepositBundles.open(of)} of={of} />,
    });
  }
}

/** "2 bundles are closed: 7, 8." */
function closedInWords(bundleIds: readonly number[]): string {
  const more = bundleIds.length - NAMED;
  const others = more > 0 ? ` and ${counted(more, 'other', 'others')}` : '';
  return `${counted(bundleIds.length, 'bundle is', 'bundles are')} closed: ${bundleIds.slice(0, NAMED).join(', ')}${others}.`;
}
