export { AuthModule } from './auth.module.js';
export { actorOf, type Caller, CurrentCaller } from './caller.js';
export { FinanceContacts } from './users/finance-contacts.js';
export {
  accessOf,
  AnyRoles,
  authenticationOf,
  ForTokens,
  NotForTokens,
  Page,
  Public,
  Roles,
  scopeFor,
  scopesOf,
} from './route-access.js';
export { BOOK_READERS, CONSOLE_ROLES } from './users/role-name.js';
export { generatePassword } from './passwords/password.js';
export { userCommand } from './users/user.command.js';
export { UserAccounts } from './users/user-accounts.service.js';
export { TOO_MANY_REQUESTS, UNAUTHENTICATED, UnauthenticatedError } from './errors.js';
export { TOKEN_ACTIONS, tokenCommand, Tokens } from './tokens/index.js';
export { FormTokenGuard, SESSION_ACTIONS } from './sessions/index.js';
export { CallTurnsGuard } from './turns/index.js';
export { USER_ACTIONS } from './users/audit-actions.js';
export { AUTH_ENTITIES } from './entities.js';
export { ReadsBooks, ReadsGifts, visibleGiftsOf } from './gift-visibility.js';
