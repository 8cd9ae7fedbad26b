import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import passport from 'passport';
import { TokenLogins } from '../tokens/index.js';
import { parseBearerToken } from './bearer-token.js';
import { settle } from './settle.js';

/** Logs in by a token of the header `Authorization: Bearer`. */
@Injectable()
export class BearerStrategy extends PassportStrategy(passport.Strategy, 'bearer') {
  constructor(private readonly tokens: TokenLogins) {
    super();
  }

  override authenticate(request: Request): void {
    const token = parseBearerToken(request.headers.authorization);
    settle(this, token === undefined ? Promise.resolve(undefined) : this.tokens.byToken(token, request.ip ?? ''));
  }

  /** Required by PassportStrategy, but never called because `authenticate` is overridden. */
  validate(): never {
    throw new Error('BearerStrategy.authenticate decides');
  }
}
