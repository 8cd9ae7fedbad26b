import { Get, Param, Post, Query } from '@nestjs/common';
import { actorOf, type Caller, CurrentCaller, Page } from '../../../../auth/index.js';
import {
  anyCaseOf,
  ChurchDay,
  id as anId,
  OptionalField,
  PathIdPipe,
  type Query as Sent,
  text,
} from '../../../../http/index.js';
import {
  FormReader,
  goTo,
  NEW_FORM,
  type PageAnswer,
  PagesUnder,
  SentForm,
  type ShownForm,
  showPage,
  typedIn,
} from '../../../../pages/index.js';
import type { DepositView } from '../../deposit-view.js';
import type { SentItem } from '../../filling/named-item.js';
import { SendDeposit } from '../../filling/send-deposit.service.js';
import { Deposits } from '../../showing/deposits.service.js';
import type { UndepositedPage } from '../../showing/payout-view.js';
import { ListUndepositedRequest } from '../../showing/showing.requests.js';
import { daysBefore, Undeposited } from '../../showing/undeposited.service.js';
import { DEPOSITS } from '../shared/deposit-words.js';
import { readNamed } from '../shared/named-fields.js';
import { AddItems } from './add-items-parts.js';
import { namedItem, tickedItems } from './ticked-items.js';

class NamedForm {
  @OptionalField(anId, { description: 'The number of a gift.', examples: [1] })
  Gift?: number;

  @OptionalField(text(100), { description: 'The processor’s own id of a gift.', examples: ['T-20260726-0042'] })
  Transaction?: string;

  @OptionalField(text(100), { description: 'The user who has sent it, or will.', examples: ['txt2give'] })
  User?: string;

  @OptionalField(anyCaseOf(['Payment', 'Reversal'] as const), { description: 'What it is.', examples: ['Payment'] })
  Kind?: 'Payment' | 'Reversal';
}

const NAMED_FIELDS = { Gift: 'Gift', Transaction: 'Transaction', User: 'User', Kind: 'Kind' } as const;

/** How many days before a payout its gifts are looked for: those that were recorded then, or at any time since. */
const DAYS_BEFORE = 31;

/** Adds payments and reversals to a deposit: those that no deposit has, or any that is named. */
@PagesUnder('deposits')
@Page('Finance')
export class AddItemsPages {
  constructor(
    private readonly deposits: Deposits,
    private readonly undeposited: Undeposited,
    private readonly sendDeposit: SendDeposit,
    private readonly day: ChurchDay,
    private readonly forms: FormReader,
  ) {}

  @Get(':id/add')
  async choose(
    @Param('id', PathIdPipe) id: number,
    @Query() query: Sent,
    @CurrentCaller() caller: Caller,
  ): Promise<PageAnswer> {
    return this.page(id, query, NEW_FORM, caller);
  }

  @Post(':id/items')
  async add(
    @Param('id', PathIdPipe) id: number,
    @SentForm() sent: Sent,
    @CurrentCaller() caller: Caller,
  ): Promise<PageAnswer> {
    const reading = readNamed(this.forms, NamedForm, sent, NAMED_FIELDS);
    const state = { ...reading.state, typed: typedIn(sent) };
    if (!reading.isValid) return this.page(id, {}, { ...state, status: 400, code: 'invalid_request' }, caller);
    const items = [...tickedItems(sent), ...namedIn(reading.value)];
    if (items.length === 0) return goTo(`${DEPOSITS}/${id}/add`, 'Nothing was ticked or named.');
    try {
      const { replayed } = await this.sendDeposit.addItems(id, items, actorOf(caller));
      const what = items.length === 1 ? '1 item is' : `${items.length} items are`;
      return goTo(`${DEPOSITS}/${id}`, `${what} in the deposit${replayed ? ' already' : ''}.`);
    } catch (error) {
      return this.page(id, {}, this.forms.refused(state, error), caller);
    }
  }

  private async page(
    id: number,
    query: Sent,
    { status = 200, code, ...state }: ShownForm,
    caller: Caller,
  ): Promise<PageAnswer> {
    const deposit = await this.deposits.read(id);
    if (deposit.status === 'Reconciled' && status === 200) {
      return goTo(`${DEPOSITS}/${id}`, `Deposit ${id} is reconciled, and never changes.`);
    }
    const { source, from, to, after = '' } = query;
    const filter = {
      source: source ?? deposit.source,
      from: from ?? daysBefore(deposit.date, DAYS_BEFORE),
      to: to ?? this.day.today(),
    };
    const reading = this.forms.read(ListUndepositedRequest, { ...filter, after });
    const found = reading.isValid ? await this.inCurrencyOf(deposit, reading.value, caller) : undefined;
    return showPage({
      title: `Add items to deposit ${id}`,
      status: reading.isValid ? status : 400,
      ...(code !== undefined && { code }),
      content: (
        <AddItems
          deposit={deposit}
          found={found}
          filter={{ ...reading.state, typed: typedIn(filter) }}
          state={state}
          isLater={after !== ''}
        />
      ),
    });
  }

  private async inCurrencyOf(
    { currency }: DepositView,
    { source, from, to, after }: ListUndepositedRequest,
    caller: Caller,
  ): Promise<UndepositedPage> {
    return this.undeposited.page({ source, from, to, after, currency }, actorOf(caller));
  }
}

function namedIn({ Gift: contributionId, Transaction: transactionId, User: user, Kind }: NamedForm): SentItem[] {
  const isReversal = Kind === 'Reversal';
  return [
    ...(contributionId === undefined ? [] : [namedItem(isReversal, { contributionId })]),
    ...(transactionId === undefined ? [] : [namedItem(isReversal, { transactionId, user: user ?? null })]),
  ];
}
