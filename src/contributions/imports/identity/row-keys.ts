import { Injectable } from '@nestjs/common';
import { Church } from '../../../config/index.js';
import { FindGiver, foldGiver } from '../../../people/index.js';
import type { AddContributionCommand } from '../../gifts/index.js';

/** The keys of rows. Rows that share a key can affect each other's outcome. */
@Injectable()
export class RowKeys {
  constructor(
    private readonly church: Church,
    private readonly findGiver: FindGiver,
  ) {}

  /**
   * Rows that share none of these keys can be recorded in any order. Keys are the values that find a giver, the id, and
   * the values that equal gifts share, because equal gifts are listed for review.
   * @param alikeKey of a row without an id
   */
  of({ giver, amount, date, source, transactionId }: AddContributionCommand, alikeKey: string | undefined): string[] {
    const { last } = foldGiver(giver, this.church.country);
    return [
      ...this.findGiver.lockKeysOf(giver),
      idKeyOf(source, alikeKey ?? transactionId),
      JSON.stringify(['gift', last ?? giver.last, amount, date]),
    ];
  }
}

/** The key of the rows with this id. */
export function idKeyOf(source: string | null, id: string | null): string {
  return JSON.stringify(['id', source, id]);
}
