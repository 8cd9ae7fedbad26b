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

/** Authentication and roles. Its two guards run before every route of every module. */
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
    // The order matters: the roles are those of the authenticated user.
    { provide: APP_GUARD, useClass: AuthenticationGuard },
    { provide: APP_GUARD, useClass: RolesGuard },
  ],
  exports: [FinanceContacts, UserAccounts],
})
export class AuthModule {}
