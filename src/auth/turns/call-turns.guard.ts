import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Query } from '../../http/index.js';
import type { Caller } from '../caller.js';
import { scopeFor } from '../route-access.js';
import { type CallKind, CallTurns } from './call-turns.service.js';

/**
 * Lets a call of a user go on when it is its turn ({@link CallTurns}). The turn ends when the answer has been sent or
 * the caller has disconnected. Runs after the body has been read, so that slow uploads keep no turn.
 */
@Injectable()
export class CallTurnsGuard implements CanActivate {
  constructor(private readonly turns: CallTurns) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request & { user?: Caller }>();
    if (request.user === undefined) return true;
    const end = await this.turns.take(request.user.username, kindOf(request, context.getHandler()));
    const response = http.getResponse<Response>();
    if (response.closed) end(false);
    else {
      response.once('close', () => {
        end(response.statusCode < 500);
      });
    }
    return true;
  }
}

function kindOf(request: Request, handler: object): CallKind {
  if (request.method !== 'POST') return 'reading';
  return scopeFor(handler, () => request.query as Query) === 'preview' ? 'reading' : 'writing';
}
