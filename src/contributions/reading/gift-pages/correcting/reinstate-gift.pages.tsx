import { randomUUID } from 'node:crypto';
import { Get, Param, Post } from '@nestjs/common';
import type { VNode } from 'preact';
import { actorOf, type Caller, CurrentCaller, Page } from '../../../../auth/index.js';
import { PathIdPipe, type Query as Sent } from '../../../../http/index.js';
import { keyAndRest, SentRequest } from '../../../../idempotency/index.js';
import {
  Amount,
  amountInWords,
  type Column,
  Confirmation,
  EmptyState,
  Facts,
  FormReader,
  type FormState,
  goTo,
  Link,
  Moment,
  NEW_FORM,
  type PageAnswer,
  PagesUnder,
  SentForm,
  showPage,
  Table,
} from '../../../../pages/index.js';
import { displayAmount, storedAmount, sumOfAmounts } from '../../../../values/index.js';
import { ContributionNotFoundError } from '../../../ledger/index.js';
import { ReinstateContribution } from '../../../reversals/index.js';
import type { ContributionView } from '../../contribution-view.js';
import { openEntriesOf, takenBy } from '../gift-reversals.js';
import { type GiftDetails, ReadGift } from '../read-gift.service.js';
import { reasonInWords } from '../wording.js';

/** Undoes a reversal. It is asked first. */
@PagesUnder('gifts')
@Page('Finance')
export class ReinstateGiftPages {
  constructor(
    private readonly readGift: ReadGift,
    private readonly reinstateContribution: ReinstateContribution,
    private readonly forms: FormReader,
  ) {}

  @Get(':id/reinstate/:entryId')
  async confirm(
    @Param('id', PathIdPipe) contributionId: number,
    @Param('entryId', PathIdPipe) entryId: number,
    @CurrentCaller() caller: Caller,
  ): Promise<PageAnswer> {
    return reinstatePage(await this.readGift.of(contributionId, actorOf(caller)), entryId, { state: NEW_FORM });
  }

  @Post(':id/reinstate/:entryId')
  async reinstate(
    @Param('id', PathIdPipe) contributionId: number,
    @Param('entryId', PathIdPipe) entryId: number,
    @SentForm() sent: Sent,
    @CurrentCaller() user: Caller,
  ): Promise<PageAnswer> {
    const { key } = keyAndRest(sent);
    const request = new SentRequest({ contributionId: entryId, notes: undefined });
    const command = { contributionId: entryId, notes: undefined, user, key, sent: request };
    try {
      const { contributionIds } = (await this.reinstateContribution.reinstate(command)).answer;
      const sum = await this.readGift.sumInWords(contributionIds);
      const gifts = `${contributionIds.length === 1 ? 'gift' : 'gifts'} ${contributionIds.join(', ')}`;
      return goTo(
        `/console/gifts/${contributionId}`,
        `The reversal was undone: ${sum} ${contributionIds.length === 1 ? 'is' : 'are'} in the books again as ${gifts}.`,
      );
    } catch (error) {
      const { status, code, ...state } = this.forms.refused(NEW_FORM, error);
      const details = await this.readGift.of(contributionId, actorOf(user));
      return reinstatePage(details, entryId, { state, status, code });
    }
  }
}

interface Refusal {
  readonly state: FormState;
  readonly status?: number;
  readonly code?: string;
}

/** @param entryId any entry of the reversal. */
function reinstatePage(details: GiftDetails, entryId: number, { state, status = 200, code }: Refusal): PageAnswer {
  const reversal = details.reversals.find(({ entries }) => entries.some((entry) => entry.contributionId === entryId));
  if (reversal === undefined) throw new ContributionNotFoundError(entryId);
  const entries = openEntriesOf(reversal);
  const path = `/console/gifts/${details.gift.contributionId}`;
  return showPage({
    title: `Undo the reversal by entry ${entryId}?`,
    heading: headingOf(details, entries),
    status,
    ...(code !== undefined && { code }),
    content:
      entries.length === 0 ? (
        <>
          <EmptyState>{state.message ?? 'This reversal is undone already.'}</EmptyState>
          <p class="back">
            <Link to={path}>Back to the gift</Link>
          </p>
        </>
      ) : (
        <Question {...details} first={reversal.first} entries={entries} state={state} />
      ),
  });
}

/** "Undo this reversal of USD 5.00 from John Appleseed?" */
function headingOf(
  { gift: { currency }, giver: { first, last } }: GiftDetails,
  entries: readonly ContributionView[],
): string {
  const what = entries.length === 0 ? '' : ` of ${amountInWords(takenBy(entries, currency), currency)}`;
  return `Undo this reversal${what} from ${first} ${last}?`;
}

interface QuestionProps extends GiftDetails {
  readonly first: ContributionView;
  /** What is undone: all of them together. */
  readonly entries: readonly ContributionView[];
  readonly state: FormState;
}

function Question(props: QuestionProps): VNode {
  const { gift, giver, left, first, entries, state } = props;
  const path = `/console/gifts/${gift.contributionId}`;
  const { currency } = gift;
  const amount = takenBy(entries, currency);
  const after = displayAmount(sumOfAmounts([storedAmount(left), storedAmount(amount)]), currency);
  return (
    <Confirmation
      to={`${path}/reinstate/${first.contributionId}`}
      fields={{ Key: randomUUID() }}
      button={`Undo the reversal of ${amountInWords(amount, currency)}`}
      back={path}
      state={state}
    >
      <Facts
        facts={[
          ['Giver', `${giver.first} ${giver.last}`],
          ['Was taken back', <Moment key="when" value={new Date(first.createdAt)} />],
          ['Added again', <Amount key="added" value={amount} currency={currency} />],
          ['Left now', <Amount key="left" value={left} currency={currency} />],
          ['Left afterwards', <Amount key="after" value={after} currency={currency} />],
          ['It was taken back as', first.reason === null ? 'No reason was sent' : reasonInWords(first.reason)],
        ]}
      />
      <EntriesToUndo {...props} />
      <p>
        Undo it if the money is at the church after all, such as after a dispute that was won. No money goes back to the
        giver. A new gift of the same payment is added for each line, on the day of the first one and in your bundle of
        today.
      </p>
    </Confirmation>
  );
}

function EntriesToUndo({ gift: { currency }, funds, entries }: QuestionProps): VNode {
  const amountOf = (some: readonly ContributionView[]): VNode => (
    <Amount value={takenBy(some, currency)} currency={currency} />
  );
  const columns: readonly Column<ContributionView>[] = [
    { header: 'Of gift', cell: ({ reverses }) => reverses },
    { header: 'Fund', cell: ({ fundId }) => funds.find((fund) => fund.fundId === fundId)?.name },
    { header: 'Added again', align: 'right', cell: (entry) => amountOf([entry]) },
  ];
  return (
    <Table
      caption="What is added again"
      rows={entries}
      keyOf={({ contributionId }) => contributionId}
      columns={columns}
      empty=""
      totals={{ Fund: 'In total', 'Added again': amountOf(entries) }}
    />
  );
}
