import { CallHandler, ExecutionContext, Injectable, NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { map, type Observable } from 'rxjs';
import type { Caller } from '../../auth/index.js';
import { AddContributionRequest, giverAsSent, type NamesAsSent, type PaymentName } from '../../contributions/index.js';
import { Transactions } from '../../database/index.js';
import { ExpectedError, operationOf, RequestReader } from '../../http/index.js';
import { isFault, LONGEST, readPathId, readText } from '../../values/index.js';
import { GIFT_OPERATIONS, NO_ANSWER, ProvokedAnswers, REVERSAL_OPERATIONS } from './provoked-answers.service.js';

type Sent = Request & { readonly user: Caller };

/**
 * Answers calls about a gift whose giver's name asks for an error, and cuts the connection of those whose giver asks for no
 * answer. It runs after the guards and before anything is stored. What is not valid is left to the call itself.
 */
@Injectable()
export class ProvokeAnswers implements NestInterceptor {
  constructor(
    private readonly answers: ProvokedAnswers,
    private readonly reader: RequestReader,
    private readonly transactions: Transactions,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<Sent>();
    const response = context.switchToHttp().getResponse<Response>();
    const asked = await this.askedFor(operationOf(context.getHandler())?.id, request);
    if (asked === undefined) return next.handle();
    return next.handle().pipe(
      map((answer: unknown) => {
        // A repeated call gets its answer, so that a program which repeats comes to an end.
        if (response.getHeader('Idempotency-Replayed') === undefined) response.destroy();
        return answer;
      }),
    );
  }

  /** @throws ExpectedError which the giver's name asks for. */
  private async askedFor(operation: string | undefined, request: Sent): Promise<typeof NO_ANSWER | undefined> {
    const ofGift = GIFT_OPERATIONS.find((one) => one === operation);
    const ofReversal = REVERSAL_OPERATIONS.find((one) => one === operation);
    if (ofGift !== undefined) {
      const names = this.namesIn(request.body as Readonly<Record<string, unknown>>);
      return names && this.answers.toGift(ofGift, names);
    }
    if (ofReversal === undefined) return undefined;
    const payment = paymentIn(request.params);
    const names = payment && (await giverAsSent(this.transactions, payment, request.user.userId));
    return names && this.answers.toReversal(ofReversal, names);
  }

  private namesIn(body: Readonly<Record<string, unknown>>): NamesAsSent | undefined {
    try {
      const { First: first, Last: last } = this.reader.read(AddContributionRequest, body);
      return { first, last };
    } catch (error) {
      if (error instanceof ExpectedError) return undefined;
      throw error;
    }
  }
}

function paymentIn({ id, source, transactionId }: Request['params']): PaymentName | undefined {
  if (typeof id === 'string') {
    const contributionId = readPathId(id);
    return isFault(contributionId) ? undefined : { contributionId: contributionId.value };
  }
  const [from, own] = [readSegment(source), readSegment(transactionId)];
  return from === undefined || own === undefined ? undefined : { source: from, transactionId: own };
}

function readSegment(sent: unknown): string | undefined {
  const text = readText(sent, { max: LONGEST.ownId });
  return isFault(text) ? undefined : text.value;
}
