export { AuthModule } from './auth.module.js';
export { type Caller, CurrentCaller } from './caller.js';
export { FinanceContacts } from './finance-contacts.js';
export { accessOf, AnyRoles, Public, Roles } from './route-access.js';
export { generatePassword } from './password.js';
export { userCommand } from './user.command.js';
export { UserAccounts } from './user-accounts.service.js';
