import { LoginFailure } from './passwords/login-failure.entity.js';
import { VerifiedLogin } from './passwords/verified-login.entity.js';
import { AppUser } from './users/app-user.entity.js';
import { Role } from './users/role.entity.js';

/** The tables of users and their logins. */
export const AUTH_ENTITIES = [Role, AppUser, LoginFailure, VerifiedLogin];
