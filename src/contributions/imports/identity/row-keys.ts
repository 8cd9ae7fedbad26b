import { Injectable } from '@nestjs/common';
import { Church } from '../../../config/index.js';
import { FindGiver, foldGiver } from '../../../people/index.js';
import type { AddContributionCommand } from '../../gifts/index.js';

/** What rows have in common that may change something for each other. */
@Injectable()
export class RowKeys {
  constructor(
    private readonly church: Church,
    private readonly findGiver: FindGiver,
  ) {}

  /**
   * Rows that share none of these can be recorded in any order: not what a giver is found by, not the id, and not what
   * equal gifts have in common, which are listed for review.
   * @param alike what rows alike have in common, of a row without an id.
   */
  of({ giver, amount, date, source, transactionId }: AddContributionCommand, alike: string | undefined): string[] {
    const { last } = foldGiver(giver, this.church.country);
    return [
      ...this.findGiver.lockKeysOf(giver),
      JSON.stringify(['id', source, alike ?? transactionId]),
      JSON.stringify(['gift', last ?? giver.last, amount, date]),
    ];
  }
}
