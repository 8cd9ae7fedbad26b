import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import { JobsModule } from '../jobs/index.js';
import { PagesModule } from '../pages/index.js';
import { AccountLookups } from './account-lookups.js';
import { Authenticate } from './authenticate.service.js';
import { AuthenticationGuard } from './authentication.guard.js';
import { BasicStrategy } from './schemes/basic.strategy.js';
import { BearerStrategy } from './schemes/bearer.strategy.js';
import { FinanceContacts } from './users/finance-contacts.js';
import { KnownNetworks } from './networks/known-networks.service.js';
import { LoginFailures } from './passwords/login-failures.js';
import { PasswordChecks } from './passwords/password-checks.js';
import { RolesGuard } from './roles.guard.js';
import { AccountPages } from './sessions/account/account.pages.js';
import { LoginPages } from './sessions/login/login.pages.js';
import {
  ChangePassword,
  FormTokenGuard,
  LogIn,
  PurgeSessionsWorker,
  RefusedLogins,
  SessionCookie,
  SessionLogins,
  Sessions,
  SessionUses,
} from './sessions/index.js';
import { SharedVerifications } from './passwords/shared-verifications.js';
import { RouteScopes, ScopeGuard, TokenLogins, Tokens, TokenUses } from './tokens/index.js';
import { CallTurns, CallTurnsGuard } from './turns/index.js';
import { UserAccounts } from './users/user-accounts.service.js';
import { VerifiedCredentials } from './passwords/verified-credentials.js';

/** Authentication and roles. Its guards run before every route of every module. */
@Module({
  imports: [JobsModule, PagesModule, PassportModule],
  controllers: [AccountPages, LoginPages],
  providers: [
    AccountLookups,
    Authenticate,
    BasicStrategy,
    BearerStrategy,
    CallTurns,
    CallTurnsGuard,
    ChangePassword,
    FinanceContacts,
    FormTokenGuard,
    KnownNetworks,
    LogIn,
    LoginFailures,
    PasswordChecks,
    PurgeSessionsWorker,
    RefusedLogins,
    RouteScopes,
    SessionCookie,
    SessionLogins,
    Sessions,
    SessionUses,
    SharedVerifications,
    TokenLogins,
    Tokens,
    TokenUses,
    UserAccounts,
    VerifiedCredentials,
    // The order matters: roles and scopes are those of the authenticated caller.
    { provide: APP_GUARD, useClass: AuthenticationGuard },
    { provide: APP_GUARD, useClass: RolesGuard },
    { provide: APP_GUARD, useClass: ScopeGuard },
  ],
  exports: [FinanceContacts, Tokens, UserAccounts],
})
export class AuthModule {}
