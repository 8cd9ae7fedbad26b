import { Get, Param, Post, Query } from '@nestjs/common';
import { actorOf, BOOK_READERS, type Caller, CurrentCaller, Page } from '../../../../auth/index.js';
import { lines, PathIdPipe, type Query as Sent, RequiredField } from '../../../../http/index.js';
import { keyAfter, keyAndRest } from '../../../../idempotency/index.js';
import {
  amountInWords,
  FormReader,
  type FormState,
  goTo,
  NEW_FORM,
  type PageAnswer,
  PagesUnder,
  SentForm,
  typedIn,
} from '../../../../pages/index.js';
import { RemoveItems } from '../../filling/remove-items.service.js';
import { AdjustDeposit } from '../../settling/adjust-deposit.service.js';
import { EnterBank } from '../../settling/enter-bank.service.js';
import { AdjustRequest, BankRequest } from '../../settling/settling.requests.js';
import { Deposits } from '../../showing/deposits.service.js';
import { ReadDepositRequest } from '../../showing/showing.requests.js';
import { readWas } from '../month/statement-rows.js';
import { DEPOSITS } from '../shared/deposit-words.js';
import { readNamed, rowsIn, textIn, withNames } from '../shared/named-fields.js';
import { ADJUST_FIELDS, BANK_FIELDS, REMOVE_FIELDS } from './deposit-forms.js';
import { depositPage } from './deposit-page.js';
import { ITEM } from './ticked-items.js';

class RemoveForm {
  @RequiredField(lines(1000), { description: 'Why.', examples: ['Paid out with the next deposit'] })
  Reason!: string;
}

type Refusal = FormState & { readonly status: number; readonly code: string };

const INVALID = { status: 400, code: 'invalid_request' } as const;

/** A deposit, and the forms on its page. */
@PagesUnder('deposits')
export class DepositPages {
  constructor(
    private readonly deposits: Deposits,
    private readonly enterBank: EnterBank,
    private readonly adjustDeposit: AdjustDeposit,
    private readonly removeItems: RemoveItems,
    private readonly forms: FormReader,
  ) {}

  /** The reading of the items is recorded. */
  @Get(':id')
  @Page(...BOOK_READERS)
  async show(
    @Param('id', PathIdPipe) id: number,
    @Query() { after = '' }: Sent,
    @CurrentCaller() caller: Caller,
  ): Promise<PageAnswer> {
    const reading = this.forms.read(ReadDepositRequest, { after });
    const page = reading.isValid ? reading.value : {};
    const deposit = await this.deposits.show(id, page, actorOf(caller));
    return depositPage({ deposit, mayChange: caller.roles.has('Finance'), isLater: page.after !== undefined });
  }

  @Post(':id/bank')
  @Page('Finance')
  async bank(
    @Param('id', PathIdPipe) id: number,
    @SentForm() sent: Sent,
    @CurrentCaller() caller: Caller,
  ): Promise<PageAnswer> {
    const reading = readNamed(this.forms, BankRequest, sent, BANK_FIELDS);
    if (!reading.isValid) return this.refused(id, 'bank', { ...reading.state, ...INVALID }, caller);
    const { Date: date, Amount: amount, Reference: reference = null } = reading.value;
    const seen = readWas(textIn(sent, 'Was'));
    try {
      const { status } = await this.enterBank.enter({ id, date, amount, reference, seen, by: actorOf(caller) });
      const next = status === 'Matches' ? 'It matches.' : 'It differs.';
      return goTo(`${DEPOSITS}/${id}`, `The bank’s amount is saved. ${next}`);
    } catch (error) {
      return this.refused(id, 'bank', withNames(this.forms.refused(reading.state, error), BANK_FIELDS), caller);
    }
  }

  @Post(':id/bank/withdraw')
  @Page('Finance')
  async withdrawBank(
    @Param('id', PathIdPipe) id: number,
    @SentForm() sent: Sent,
    @CurrentCaller() caller: Caller,
  ): Promise<PageAnswer> {
    try {
      await this.enterBank.withdraw({ id, seen: readWas(textIn(sent, 'Was')), by: actorOf(caller) });
      return goTo(`${DEPOSITS}/${id}`, 'The bank’s amount is removed from this deposit.');
    } catch (error) {
      return this.refused(id, 'bank', this.forms.refused(NEW_FORM, error), caller);
    }
  }

  @Post(':id/adjust')
  @Page('Finance')
  async adjust(
    @Param('id', PathIdPipe) id: number,
    @SentForm() sent: Sent,
    @CurrentCaller() caller: Caller,
  ): Promise<PageAnswer> {
    const { key, rest } = keyAndRest(sent);
    const reading = readNamed(this.forms, AdjustRequest, rest, ADJUST_FIELDS);
    const state = { ...reading.state, typed: { ...reading.state.typed, ...(key !== undefined && { Key: key }) } };
    if (!reading.isValid) return this.refused(id, 'adjust', { ...state, ...INVALID }, caller);
    const { Amount: amount, Reason: reason } = reading.value;
    const call = { userId: caller.userId, key };
    try {
      const { answer } = await this.adjustDeposit.adjust({ id, amount, reason, by: actorOf(caller), call });
      return goTo(`${DEPOSITS}/${id}`, `Deposit ${id} expects ${amountInWords(answer.expected, answer.currency)} now.`);
    } catch (error) {
      const refusal = withNames(this.forms.refused(state, error), ADJUST_FIELDS);
      const typed = { ...refusal.typed, Key: keyAfter(refusal.code, key) };
      return this.refused(id, 'adjust', { ...refusal, typed }, caller);
    }
  }

  @Post(':id/items/remove')
  @Page('Finance')
  async remove(
    @Param('id', PathIdPipe) id: number,
    @SentForm() sent: Sent,
    @CurrentCaller() caller: Caller,
  ): Promise<PageAnswer> {
    const itemIds = rowsIn(sent, ITEM).map((item) => item.id);
    if (itemIds.length === 0) return goTo(`${DEPOSITS}/${id}`, 'No item was ticked.');
    const reading = readNamed(this.forms, RemoveForm, sent, REMOVE_FIELDS);
    const state = { ...reading.state, typed: typedIn(sent) };
    if (!reading.isValid) return this.refused(id, 'remove', { ...state, ...INVALID }, caller);
    try {
      await this.removeItems.remove({ id, itemIds, reason: reading.value.Reason, by: actorOf(caller) });
      return goTo(
        `${DEPOSITS}/${id}`,
        itemIds.length === 1 ? '1 item is removed.' : `${itemIds.length} items are removed.`,
      );
    } catch (error) {
      return this.refused(id, 'remove', this.forms.refused(state, error), caller);
    }
  }

  /** The deposit as it is now, with the form that was refused. */
  private async refused(
    id: number,
    refused: 'bank' | 'adjust' | 'remove',
    state: Refusal,
    caller: Caller,
  ): Promise<PageAnswer> {
    const deposit = await this.deposits.show(id, {}, actorOf(caller));
    return depositPage({ deposit, mayChange: true, refused, state });
  }
}
