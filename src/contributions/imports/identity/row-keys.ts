import { Injectable } from '@nestjs/common';
import { FindGiver, foldName } from '../../../people/index.js';
import type { AddContributionCommand } from '../../gifts/index.js';

/** The keys of rows. Rows that share a key can affect each other's outcome. */
@Injectable()
export class RowKeys {
  constructor(private readonly findGiver: FindGiver) {}

  /**
   * Rows that share none of these keys cannot affect each other's outcome. Keys are the values that find a giver, the id, and
   * the values that equal gifts share, because equal gifts are listed for review.
   * @param alikeKey of a row without an id
   */
  of(command: AddContributionCommand, alikeKey: string | undefined): string[] {
    const { giver, source, transactionId } = command;
    return [...this.findGiver.seek(giver).lockKeys, idKeyOf(source, alikeKey ?? transactionId), equalGiftKey(command)];
  }
}

/** Equal for gifts that may be equal, or that differ only in the contacts of the giver. */
export function equalGiftKey({ giver, amount, date }: AddContributionCommand): string {
  return JSON.stringify(['gift', foldName(giver.last) ?? giver.last, amount, date]);
}

/** The key of the rows with this id. */
export function idKeyOf(source: string | null, id: string | null): string {
  return JSON.stringify(['id', source, id]);
}
