import { Injectable } from '@nestjs/common';
import { COMMAND_LINE } from '../../../audit/index.js';
import { type ExpectedError, RequestReader } from '../../../http/index.js';
import type { BundleDetails } from '../../bundles/index.js';
import type { DepositView } from '../deposit-view.js';
import { namedItems } from '../filling/deposit-item.request.js';
import { DepositPayout } from '../filling/deposit-payout.service.js';
import {
  AddItemsRequest,
  DepositPayoutRequest,
  EnterDepositRequest,
  RemoveItemsRequest,
} from '../filling/filling.requests.js';
import { RemoveItems } from '../filling/remove-items.service.js';
import { SendDeposit } from '../filling/send-deposit.service.js';
import { AdjustDeposit } from '../settling/adjust-deposit.service.js';
import { CloseDepositBundles } from '../settling/close-deposit-bundles.service.js';
import { EnterBank } from '../settling/enter-bank.service.js';
import { ReconcileDeposit } from '../settling/reconcile-deposit.service.js';
import { AdjustRequest, BankRequest } from '../settling/settling.requests.js';

/** The arguments of a command, by the names of the fields of the call. Undefined ones count as missing. */
type Arguments = Readonly<Record<string, unknown>>;

/** What became of a bundle: closed, or why it stays open. */
export interface BundleOutcome {
  readonly bundleId: number;
  readonly result: BundleDetails | ExpectedError;
}

/** Reads the arguments of commands as the API reads the fields of its calls, and calls the same use cases. */
@Injectable()
export class DepositDesk {
  constructor(
    private readonly reader: RequestReader,
    private readonly sendDeposit: SendDeposit,
    private readonly depositPayout: DepositPayout,
    private readonly removeItems: RemoveItems,
    private readonly enterBank: EnterBank,
    private readonly adjustDeposit: AdjustDeposit,
    private readonly reconcileDeposit: ReconcileDeposit,
    private readonly closeDepositBundles: CloseDepositBundles,
  ) {}

  async create(sent: Arguments): Promise<DepositView> {
    const request = this.read(EnterDepositRequest, sent);
    const { DepositId: depositId, Source: source, Date: date, Amount: amount = null, Currency: currency } = request;
    const deposit = { userId: null, source, depositId, date, amount, currency, items: [], by: COMMAND_LINE };
    return (await this.sendDeposit.enter(deposit)).answer;
  }

  async createFromPayout(sent: Arguments): Promise<DepositView> {
    const request = this.read(DepositPayoutRequest, sent);
    const { Source: source, PayoutId: payoutId, Date: date, Currency: currency } = request;
    return (await this.depositPayout.make({ source, payoutId, date, currency, by: COMMAND_LINE })).answer;
  }

  async add(id: number, sent: Arguments): Promise<DepositView> {
    const { Items: items } = this.read(AddItemsRequest, sent);
    return (await this.sendDeposit.addItems(id, namedItems(items), COMMAND_LINE)).answer;
  }

  async remove(id: number, sent: Arguments): Promise<DepositView> {
    const { ItemIds: itemIds, Reason: reason } = this.read(RemoveItemsRequest, sent);
    return this.removeItems.remove({ id, itemIds, reason, by: COMMAND_LINE });
  }

  async bank(id: number, sent: Arguments): Promise<DepositView> {
    const { Date: date, Amount: amount, Reference: reference = null } = this.read(BankRequest, sent);
    return this.enterBank.enter({ id, date, amount, reference, by: COMMAND_LINE });
  }

  async withdrawBank(id: number): Promise<DepositView> {
    return this.enterBank.withdraw({ id, by: COMMAND_LINE });
  }

  async adjust(id: number, sent: Arguments): Promise<DepositView> {
    const { Amount: amount, Reason: reason } = this.read(AdjustRequest, sent);
    return (await this.adjustDeposit.adjust({ id, amount, reason, by: COMMAND_LINE })).answer;
  }

  /** @param seen the deposit that was shown to the operator. */
  async reconcile({ id, itemCount, expected }: DepositView): Promise<DepositView> {
    return this.reconcileDeposit.reconcile({ id, itemCount, expected, by: COMMAND_LINE });
  }

  async closeBundles(id: number): Promise<readonly BundleOutcome[]> {
    const { bundleIds, results } = await this.closeDepositBundles.close(id, COMMAND_LINE);
    return results.map((result, index) => ({ bundleId: bundleIds[index] ?? 0, result }));
  }

  private read<T extends object>(request: new () => T, sent: Arguments): T {
    return this.reader.read(
      request,
      Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)),
    );
  }
}
