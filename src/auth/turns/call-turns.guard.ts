import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { InvalidRequestError, isCallerGone, onceHandled, type Query } from '../../http/index.js';
import type { Caller } from '../caller.js';
import { scopeFor } from '../route-access.js';
import { type CallKind, CallTurns } from './call-turns.service.js';

/**
 * Lets a call of a user go on when it is its turn ({@link CallTurns}). The turn ends when the
 * work on the call has ended: a caller that leaves does not end the statements of its call. Runs after the body has been read, so that slow uploads keep no turn.
 */
@Injectable()
export class CallTurnsGuard implements CanActivate {
  constructor(private readonly turns: CallTurns) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request & { user?: Caller }>();
    if (request.user === undefined) return true;
    const response = http.getResponse<Response>();
    const end = await this.turns.take(request.user.username, kindOf(request, context.getHandler()));
    if (isCallerGone(request, response)) {
      end(false);
      throw new InvalidRequestError('The caller has disconnected.');
    }
    onceHandled(response, end);
    return true;
  }
}

function kindOf(request: Request, handler: object): CallKind {
  if (request.method !== 'POST') return 'reading';
  return scopeFor(handler, () => request.query as Query) === 'preview' ? 'reading' : 'writing';
}
