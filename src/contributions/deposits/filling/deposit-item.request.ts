import { type FieldFault, id, IgnoresNothing, InvalidRequestError, OptionalField, text } from '../../../http/index.js';
import { fee } from '../fields.js';
import type { SentItem } from './named-item.js';

/** One item of a deposit, in a body. It names a payment, or a reversal. */
@IgnoresNothing()
export class DepositItemRequest {
  @OptionalField(id, {
    description: 'A payment in the deposit, by its ContributionId. Any part of a split payment stands for all of it.',
    examples: [1],
  })
  ContributionId?: number;

  @OptionalField(text(100), {
    description:
      'A payment in the deposit, by your own id of it. If it is not in the books yet, it is found when it arrives.',
    examples: ['T-20260726-0042'],
  })
  TransactionId?: string;

  @OptionalField(id, {
    description: 'A reversal that the deposit pays: the ContributionId of the gift, or of the reversing entry.',
    examples: [2],
  })
  ReversalOf?: number;

  @OptionalField(text(100), {
    description: 'A reversal that the deposit pays: your own id of the gift.',
    examples: ['T-20260725-0011'],
  })
  ReversalOfTransaction?: string;

  @OptionalField(text(100), {
    description: 'Which reversal, if the gift has several: the `refundId` that was sent with it.',
    examples: ['re_1001'],
  })
  RefundId?: string;

  @OptionalField(text(100), {
    description: 'The Source of the gift with this id of yours. The default is that of the deposit.',
    examples: ['txt2give'],
  })
  Source?: string;

  @OptionalField(fee, {
    description:
      'What the processor keeps for this item. The default is the `Fee` of the gift; a reversal has none by default.',
    examples: ['0.59'],
  })
  Fee?: string;
}

/** One item of a deposit, in a body of Finance, which may name the gifts of all users. */
@IgnoresNothing()
export class AnyonesItemRequest extends DepositItemRequest {
  @OptionalField(text(100), {
    description:
      'The user who has sent the gift with this id, or will send it. By default it is the gift of any user; if several have ' +
      'sent one, that of the deposit’s own processor.',
    examples: ['txt2give'],
  })
  User?: string;
}

const NAMES = ['ContributionId', 'TransactionId', 'ReversalOf', 'ReversalOfTransaction'] as const;

/** The items that a body names. @throws InvalidRequestError if an item does not name exactly one thing. */
export function namedItems(items: readonly (DepositItemRequest | AnyonesItemRequest)[]): SentItem[] {
  const faults = items.flatMap((item, index) =>
    faultsOf(item).map((message): FieldFault => ({ field: 'Items', message: `number ${index + 1}: ${message}` })),
  );
  if (faults.length > 0) throw InvalidRequestError.ofFields(faults);
  return items.map((item) => ({
    isReversal: (item.ReversalOf ?? item.ReversalOfTransaction) !== undefined,
    contributionId: item.ContributionId ?? item.ReversalOf ?? null,
    source: item.Source ?? null,
    transactionId: item.TransactionId ?? item.ReversalOfTransaction ?? null,
    user: userOf(item) ?? null,
    refundId: item.RefundId ?? null,
    fee: item.Fee ?? null,
  }));
}

function userOf(item: DepositItemRequest | AnyonesItemRequest): string | undefined {
  return 'User' in item ? item.User : undefined;
}

function faultsOf(item: DepositItemRequest | AnyonesItemRequest): string[] {
  const named = NAMES.filter((name) => item[name] !== undefined);
  const isTransaction = (item.TransactionId ?? item.ReversalOfTransaction) !== undefined;
  const isReversal = (item.ReversalOf ?? item.ReversalOfTransaction) !== undefined;
  return [
    ...(named.length === 1 ? [] : [`must have exactly one of ${NAMES.join(', ')}`]),
    ...(item.Source !== undefined && !isTransaction
      ? ['Source belongs to TransactionId or ReversalOfTransaction']
      : []),
    ...(userOf(item) !== undefined && !isTransaction ? ['User belongs to TransactionId or ReversalOfTransaction'] : []),
    ...(item.RefundId !== undefined && !isReversal ? ['RefundId belongs to a reversal'] : []),
  ];
}
