import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { BasicStrategy as PassportHttpStrategy } from 'passport-http';
import { Authenticate } from '../authenticate.service.js';
import type { Caller } from '../caller.js';
import { isTokenText, TokenLogins } from '../tokens/index.js';
import { type Credentials, parseBasicCredentials } from './basic-credentials.js';
import { settle } from './settle.js';

/**
 * passport-http's Basic strategy with another parser of the header. The original parser cuts passwords at their second
 * colon, accepts any scheme that contains "Basic", and ignores text after the token.
 */
@Injectable()
export class BasicStrategy extends PassportStrategy(PassportHttpStrategy, 'basic') {
  constructor(
    private readonly users: Authenticate,
    private readonly tokens: TokenLogins,
  ) {
    super();
  }

  override authenticate(request: Request): void {
    const credentials = parseBasicCredentials(request.headers.authorization);
    settle(this, credentials === undefined ? Promise.resolve(undefined) : this.login(credentials, request.ip ?? ''));
  }

  /** A token never reaches the check of passwords, which is slow and limited. */
  private login(credentials: Credentials, ipAddress: string): Promise<Caller | undefined> {
    const { username, password } = credentials;
    return isTokenText(password)
      ? this.tokens.byToken(password, ipAddress, username)
      : this.users.byPassword(credentials, ipAddress);
  }

  /** Required by PassportStrategy, but never called because `authenticate` is overridden. */
  validate(): never {
    throw new Error('BasicStrategy.authenticate decides');
  }
}
