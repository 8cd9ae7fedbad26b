import { type NewToken, Tokens } from '../../src/auth/tokens/tokens.service.js';
import { type Login, ROLES, type TestApp } from './test-app.js';

/** A token of a user, and the login that uses it as the password. */
export interface TestToken {
  readonly id: number;
  readonly token: string;
  readonly login: Login;
}

/** Users and their tokens in a test. */
export class TokenUsers {
  private count = 0;

  constructor(private readonly service: TestApp) {}

  /** Creates a user with a new name. @returns the name; the password is "some long password". */
  async newUser(roles: readonly string[] = ROLES): Promise<string> {
    const [username] = await this.service.createUser(`processor ${++this.count}`, 'some long password', roles);
    return username;
  }

  async newToken(username: string, settings: NewToken = {}): Promise<TestToken> {
    const { id, token } = await this.service.app.get(Tokens).create(username, settings);
    return { id, token, login: [username, token] };
  }
}
