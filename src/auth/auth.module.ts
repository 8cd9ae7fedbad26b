import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import { Authenticate } from './authenticate.service.js';
import { AuthenticationGuard } from './authentication.guard.js';
import { BasicStrategy } from './basic.strategy.js';
import { FinanceContacts } from './users/finance-contacts.js';
import { LoginFailures } from './passwords/login-failures.js';
import { PasswordChecks } from './passwords/password-checks.js';
import { RolesGuard } from './roles.guard.js';
import { SharedVerifications } from './passwords/shared-verifications.js';
import { UserAccounts } from './users/user-accounts.service.js';
import { VerifiedCredentials } from './passwords/verified-credentials.js';

/** Who calls, and what they may. Its two guards stand before every route of every module. */
@Module({
  imports: [PassportModule],
  providers: [
    Authenticate,
    BasicStrategy,
    FinanceContacts,
    LoginFailures,
    PasswordChecks,
    SharedVerifications,
    UserAccounts,
    VerifiedCredentials,
    // In this order: first who, then what.
    { provide: APP_GUARD, useClass: AuthenticationGuard },
    { provide: APP_GUARD, useClass: RolesGuard },
  ],
  exports: [FinanceContacts, UserAccounts],
})
export class AuthModule {}
