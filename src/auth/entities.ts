import { KnownNetwork } from './networks/known-network.entity.js';
import { LoginFailure } from './passwords/login-failure.entity.js';
import { VerifiedLogin } from './passwords/verified-login.entity.js';
import { Session } from './sessions/index.js';
import { ApiToken } from './tokens/index.js';
import { AppUser } from './users/app-user.entity.js';
import { Role } from './users/role.entity.js';

/** The tables of users, their logins, sessions and tokens. */
export const AUTH_ENTITIES = [Role, AppUser, LoginFailure, VerifiedLogin, KnownNetwork, ApiToken, Session];
