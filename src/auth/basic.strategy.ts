import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { BasicStrategy as PassportHttpStrategy } from 'passport-http';
import { Authenticate } from './authenticate.service.js';
import type { Caller } from './caller.js';
import { parseBasicCredentials } from './basic-credentials.js';

/** The methods that passport adds to a strategy during a request. */
interface PassportActions {
  success(caller: Caller): void;
  fail(): void;
  error(error: unknown): void;
}

/**
 * passport-http's Basic strategy with another parser of the header. The original parser cuts passwords at their second
 * colon, accepts any scheme that contains "Basic", and ignores text after the token.
 */
@Injectable()
export class BasicStrategy extends PassportStrategy(PassportHttpStrategy, 'basic') {
  constructor(private readonly users: Authenticate) {
    super();
  }

  override authenticate(request: Request): void {
    const passport = this as unknown as PassportActions;
    const credentials = parseBasicCredentials(request.headers.authorization);
    if (credentials === undefined) {
      passport.fail();
      return;
    }
    this.users.byPassword(credentials, request.ip ?? '').then(
      (caller) => {
        if (caller === undefined) passport.fail();
        else passport.success(caller);
      },
      (error: unknown) => {
        passport.error(error);
      },
    );
  }

  /** Required by PassportStrategy, but never called because `authenticate` is overridden. */
  validate(): never {
    throw new Error('BasicStrategy.authenticate decides');
  }
}
