import { Injectable } from '@nestjs/common';
import { AddContribution, ContributionAlreadyReversedError } from '../../gifts/index.js';
import { ReadRow } from '../files/read-row.js';
import type { EarlierRows } from '../identity/earlier-rows.js';
import { ImportError } from '../import-error.js';
import type { FileContext, RefundedGift, RowOfGift } from '../import-file-row.js';
import { type ImportContext, ImportRow, type NewRow } from '../import-row.js';
import type { RowResult } from '../results/result-file.js';
import { answerOf, EMPTY_OUTCOME, type Outcome, reviewOf } from '../results/row-outcome.js';
import { RecordRows } from './record-rows.js';
import { refusalBefore, refusalOf } from './row-refusals.js';

/** A row of a dry run. */
export interface RowToPreview {
  readonly row: RowOfGift | RefundedGift;
  /** Rows that share one of these keys can affect each other's outcome. */
  readonly keys: readonly string[];
  readonly earlierRows: EarlierRows;
}

/** Finds out what the import of a row would do, by the rules by which {@link RecordRows} records it. */
@Injectable()
export class PreviewRow {
  constructor(
    private readonly addContribution: AddContribution,
    private readonly importRow: ImportRow,
    private readonly readRow: ReadRow,
    private readonly recordRows: RecordRows,
  ) {}

  /** @throws ImportError if the database remains unavailable. All other errors are in the result. */
  async preview(context: FileContext, { row, ...toPreview }: RowToPreview): Promise<RowResult> {
    if (row.kind === 'refunded gift') {
      const result = await this.preview(context, { row: row.gift, ...toPreview });
      return context.paymentResults.keep(await row.takeBack(result));
    }
    if (row.kind !== 'new') return this.withoutPreview(context, row);
    return context.paymentResults.keep(await this.previewNew(context, row, toPreview));
  }

  private async previewNew(
    context: FileContext,
    row: NewRow,
    toPreview: Omit<RowToPreview, 'row'>,
  ): Promise<RowResult> {
    const identified = { ...row.position, transactionId: row.command.transactionId };
    const refusal = refusalBefore(context, row);
    if (refusal !== undefined) return { ...identified, ...refusal };
    try {
      const outcome = await context.retry.whileUnavailable(() => this.outcomeOf(context, row, toPreview));
      return { ...identified, ...outcome };
    } catch (error) {
      if (error instanceof ImportError) throw error;
      if (error instanceof ContributionAlreadyReversedError)
        return this.withoutPreview(context, {
          kind: 'recorded',
          position: row.position,
          contributionId: error.contributionId,
        });
      return { ...identified, ...refusalOf(context, row, error) };
    }
  }

  /** The result of a row of which nothing is recorded. */
  private async withoutPreview(context: FileContext, row: Exclude<RowOfGift, NewRow>): Promise<RowResult> {
    const [result] = await this.recordRows.record(context, [row]);
    if (result === undefined) throw new Error('A row has no result');
    return result;
  }

  private async outcomeOf(
    context: ImportContext,
    { position, cells, command, derived }: NewRow,
    { keys, earlierRows }: Omit<RowToPreview, 'row'>,
  ): Promise<Outcome> {
    const before = earlierRows.relatedTo(keys).map(({ cells, derivedId }) => {
      const request =
        derivedId === undefined
          ? this.readRow.read(context.columns, cells)
          : this.readRow.readWithId(context.columns, cells, derivedId);
      return this.importRow.commandOf(context, request, derivedId !== undefined);
    });
    const { found, earlier, createdBefore, ...review } = await this.addContribution.preview(command, before);
    if (earlier !== undefined) return { ...EMPTY_OUTCOME, ...answerOf(earlier), status: 'already recorded' };
    earlierRows.add({ row: position.row, cells, derivedId: derived?.transactionId, keys });
    const newPerson = found.by === 'created';
    const { reviewReasons, similarGift = 0 } = review;
    return {
      ...EMPTY_OUTCOME,
      status: 'would be recorded',
      // Persons and gifts that only this dry run created have no id yet.
      peopleId: newPerson || createdBefore.persons.has(found.peopleId) ? null : found.peopleId,
      newPerson,
      multipleMatches: found.otherMatches.length > 0,
      ...reviewOf({
        reviewReasons,
        similarGift: createdBefore.gifts.has(similarGift) ? undefined : review.similarGift,
      }),
    };
  }
}
