import { Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { failuresByOperation } from '../../api-document/index.js';
import type { NamesAsSent } from '../../contributions/index.js';
import { type ErrorKind, type ExpectedError, INVALID_REQUEST } from '../../http/index.js';
import { notInBatch, provokedError, unknownCode } from './provoked-error.js';

/** The first name of a giver whose last name is the code of an error: the gift gets this error. */
const OF_GIFT = 'Error';
/** The same for a gift that is recorded, and whose reversal gets the error. */
const OF_REVERSAL = 'ReverseError';

/** In place of a code: the call does its work, and then the connection is cut without an answer. */
export const NO_ANSWER = 'no_answer';

/** The calls that record or check one gift. */
export const GIFT_OPERATIONS = ['AddContribution', 'PreviewContribution'] as const;
export type GiftOperation = (typeof GIFT_OPERATIONS)[number];

/** The calls that reverse a gift. */
export const REVERSAL_OPERATIONS = ['ReverseContribution', 'ReverseTransaction'] as const;
export type ReversalOperation = (typeof REVERSAL_OPERATIONS)[number];

/** Decides which answer the name of a giver asks for. Codes are those that the API's document names for the operation. */
@Injectable()
export class ProvokedAnswers {
  private known: ReadonlyMap<string, readonly ErrorKind[]> | undefined;

  constructor(private readonly modules: ModulesContainer) {}

  /**
   * Returns {@link NO_ANSWER}, or undefined for the usual answer.
   * @throws ExpectedError which the giver's name asks for.
   */
  toGift(operation: GiftOperation, { first, last }: NamesAsSent): typeof NO_ANSWER | undefined {
    const refusal = this.unknownReversal({ first, last });
    if (refusal !== undefined) throw refusal;
    return first === OF_GIFT ? this.answer(operation, { first, last }) : undefined;
  }

  /**
   * The error of one gift of a batch, or undefined if it is recorded as usual.
   * @throws ExpectedError for an error that a batch gets as a whole, such as database_unavailable.
   */
  toGiftOfBatch({ first, last }: NamesAsSent): ExpectedError | undefined {
    if (first !== OF_GIFT) return this.unknownReversal({ first, last });
    if (last === NO_ANSWER) return notInBatch(last);
    // In place of those of AddContribution, because a gift of a batch has no Idempotency-Key.
    const ofGift = this.kindsOf('PreviewContribution');
    const whole = this.kindsOf('AddContributions').get(last);
    if (whole !== undefined && whole !== INVALID_REQUEST) throw provokedError(whole);
    const kind = ofGift.get(last);
    return kind === undefined ? unknownCode(first, [...ofGift.keys()]) : provokedError(kind);
  }

  /** As {@link toGift}, for the reversal of a gift of this giver. */
  toReversal(operation: ReversalOperation, { first, last }: NamesAsSent): typeof NO_ANSWER | undefined {
    return first === OF_REVERSAL ? this.answer(operation, { first, last }) : undefined;
  }

  private answer(operation: string, { first, last }: NamesAsSent): typeof NO_ANSWER {
    if (last === NO_ANSWER) return NO_ANSWER;
    const kinds = this.kindsOf(operation);
    const kind = kinds.get(last);
    if (kind !== undefined) throw provokedError(kind);
    throw unknownCode(first, [...kinds.keys(), NO_ANSWER]);
  }

  /** The error for a gift whose reversal would ask for something that no reversal can answer. */
  private unknownReversal({ first, last }: NamesAsSent): ExpectedError | undefined {
    if (first !== OF_REVERSAL || last === NO_ANSWER) return undefined;
    const codes = new Set(REVERSAL_OPERATIONS.flatMap((operation) => [...this.kindsOf(operation).keys()]));
    return codes.has(last) ? undefined : unknownCode(first, [...codes, NO_ANSWER]);
  }

  private kindsOf(operation: string): ReadonlyMap<string, ErrorKind> {
    this.known ??= failuresByOperation(this.modules);
    const kinds = this.known.get(operation);
    if (kinds === undefined) throw new Error(`The API's document has no operation ${operation}`);
    return new Map(kinds.map((kind) => [kind.code, kind]));
  }
}
