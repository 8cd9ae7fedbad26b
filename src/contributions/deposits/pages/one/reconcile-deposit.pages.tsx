import { Get, Param, Post } from '@nestjs/common';
import { actorOf, type Caller, CurrentCaller, Page } from '../../../../auth/index.js';
import { PathIdPipe, type Query as Sent } from '../../../../http/index.js';
import {
  Amount,
  amountInWords,
  Confirmation,
  Facts,
  FormReader,
  goTo,
  NEW_FORM,
  type PageAnswer,
  PagesUnder,
  SentForm,
  type ShownForm,
  showPage,
} from '../../../../pages/index.js';
import type { DepositView } from '../../deposit-view.js';
import { ReconcileDeposit } from '../../settling/reconcile-deposit.service.js';
import { OpenReviews } from '../../../reviews/index.js';
import { Deposits } from '../../showing/deposits.service.js';
import { Unsettled } from '../../showing/unsettled.service.js';
import { AtBank, DEPOSITS } from '../shared/deposit-words.js';
import { textIn } from '../shared/named-fields.js';
import { readSeen, seenText } from '../shared/seen-deposit.js';

/** Reconciles one deposit, after a question with its figures. */
@PagesUnder('deposits')
@Page('Finance')
export class ReconcileDepositPages {
  constructor(
    private readonly deposits: Deposits,
    private readonly reconcileDeposit: ReconcileDeposit,
    private readonly unsettled: Unsettled,
    private readonly forms: FormReader,
  ) {}

  @Get(':id/reconcile')
  async confirm(@Param('id', PathIdPipe) id: number): Promise<PageAnswer> {
    return this.confirmation(id, NEW_FORM);
  }

  @Post(':id/reconcile')
  async reconcile(
    @Param('id', PathIdPipe) id: number,
    @SentForm() sent: Sent,
    @CurrentCaller() caller: Caller,
  ): Promise<PageAnswer> {
    const seen = readSeen(textIn(sent, 'seen'));
    if (seen === undefined) return this.confirmation(id, NEW_FORM);
    try {
      const { currency, expected } = await this.reconcileDeposit.reconcile({ id, by: actorOf(caller), ...seen });
      return goTo(`${DEPOSITS}/${id}`, `Deposit ${id} is reconciled with ${amountInWords(expected, currency)}.`);
    } catch (error) {
      return this.confirmation(id, this.forms.refused(NEW_FORM, error));
    }
  }

  private async confirmation(id: number, { status = 200, code, ...state }: ShownForm): Promise<PageAnswer> {
    const deposit = await this.deposits.read(id);
    const path = `${DEPOSITS}/${id}`;
    if (deposit.status === 'Reconciled') return goTo(path, `Deposit ${id} is reconciled already.`);
    if (deposit.status !== 'Matches') return goTo(path, `Deposit ${id} does not match, so it cannot be reconciled.`);
    const openReviews = await this.unsettled.countOpenReviews([id]);
    return showPage({
      title: `Reconcile deposit ${id}`,
      status,
      ...(code !== undefined && { code }),
      content: (
        <Confirmation
          to={`${path}/reconcile`}
          fields={{ seen: seenText(deposit) }}
          button={`Reconcile deposit ${id} permanently`}
          back={path}
          state={state}
        >
          <Facts facts={figuresOf(deposit)} />
          <p>
            It is final then: nothing can be added to it or removed from it. What is taken back later belongs to another
            deposit. If it changes before you confirm, it is not reconciled.
          </p>
          {openReviews > 0 && (
            <p>
              <OpenReviews count={openReviews} of="this deposit" />
            </p>
          )}
        </Confirmation>
      ),
    });
  }
}

function figuresOf(deposit: DepositView): Parameters<typeof Facts>[0]['facts'] {
  const { depositId, source, itemCount, currency } = deposit;
  const shown = (amount: string): ReturnType<typeof Amount> => <Amount value={amount} currency={currency} />;
  return [
    ['Payout', `${depositId} of ${source}`],
    ['Items', itemCount],
    ['Gross', shown(deposit.gross)],
    ['Fees', shown(deposit.fees)],
    ['Taken back', shown(deposit.reversed)],
    ['Adjusted', shown(deposit.adjusted)],
    ['Expected', shown(deposit.expected)],
    ['At the bank', <AtBank deposit={deposit} />],
  ];
}
