import { Injectable, OnModuleInit } from '@nestjs/common';
import { Tokens } from '../auth/index.js';
import { DoctorChecks, type Finding } from '../health/index.js';

/** Checks that no program is about to be refused because its token expires. Here, because auth does not import health. */
@Injectable()
export class TokenDoctorChecks implements OnModuleInit {
  constructor(
    private readonly checks: DoctorChecks,
    private readonly tokens: Tokens,
  ) {}

  onModuleInit(): void {
    this.checks.add('tokens', () => this.expiring(), { watched: true });
  }

  private async expiring(): Promise<Finding> {
    const check = 'tokens';
    const expiring = await this.tokens.expiring();
    if (expiring.length === 0) return { check, result: 'ok', found: 'none that is in use expires in the next 14 days' };
    const found = expiring
      .map(({ id, username, expiresAt }) => `token ${id} of ${username} expires at ${expiresAt.toISOString()}`)
      .join(', ');
    const advice =
      'Its calls are refused from then on. Create another token (offertory token create <username>), give it to the program, ' +
      'and revoke this one.';
    return { check, result: 'warning', found, advice };
  }
}
