export { AuthModule } from './auth.module.js';
export { type Caller, CurrentCaller } from './caller.js';
export { FinanceContacts } from './users/finance-contacts.js';
export { accessOf, AnyRoles, Public, Roles } from './route-access.js';
export { generatePassword } from './passwords/password.js';
export { userCommand } from './users/user.command.js';
export { UserAccounts } from './users/user-accounts.service.js';
export { TOO_MANY_REQUESTS, UNAUTHENTICATED } from './errors.js';
export { USER_ACTIONS } from './users/audit-actions.js';
