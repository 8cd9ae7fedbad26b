import type { Defence } from './defence.js';

/** Who may use the console, and what a page of another site cannot do with it. */
export const SESSIONS: readonly Defence[] = [
  {
    name: 'A session ends with its user’s access',
    file: 'src/auth/sessions/reading/session-logins.service.ts',
    from: 'CASE WHEN ${IS_UNEXPIRED} AND ${IS_OF_USER} THEN',
    to: 'CASE WHEN ${IS_UNEXPIRED} THEN',
    test: { file: 'test/e2e/session-ends.spec.ts', title: 'a session ends on the next click after user disable' },
    short: true,
  },
  {
    name: 'A session ends when nobody uses it',
    file: 'src/auth/sessions/reading/session-validity.ts',
    from: "s.last_used_at > now() - interval '${IDLE_MINUTES} minutes'",
    to: 's.last_used_at IS NOT NULL',
    test: {
      file: 'test/e2e/session-ends.spec.ts',
      title: 'a session ends on the next click after 30 minutes without a click',
    },
  },
  {
    name: 'A page needs a session',
    file: 'src/auth/authentication.guard.ts',
    from: 'return this.bySession(context);',
    to: 'return (await super.canActivate(context)) as boolean;',
    test: {
      file: 'test/architecture/routes.spec.ts',
      title: 'a way to log in opens nothing of the other kind: a password does not open GET /console',
    },
  },
  {
    name: 'Only users with a role of the console log in there',
    file: 'src/auth/sessions/login/log-in.service.ts',
    from: 'verified === undefined || !CONSOLE_ROLES.some((role) => verified.caller.roles.has(role))',
    to: 'verified === undefined',
    test: { file: 'test/e2e/sessions.spec.ts', title: 'a login is refused with the same answer for an unknown user' },
  },
  {
    name: 'No password is asked for over plain HTTP',
    file: 'src/auth/sessions/reading/session-cookie.ts',
    from: 'if (hostname === undefined || !LOOPBACK.test(hostname)) return undefined;',
    to: '',
    test: {
      file: 'test/e2e/console-forms.spec.ts',
      title: 'the cookie is not offered over plain HTTP from another machine',
    },
  },
  {
    name: 'A form needs the form token of its session',
    file: 'src/auth/sessions/reading/form-token.guard.ts',
    from: "if (typeof sent !== 'string' || !isEqual(sent, session.formToken)) throw new FormTokenError();",
    to: '',
    test: { file: 'test/e2e/console-forms.spec.ts', title: 'a form is refused without the form token' },
    short: true,
  },
  {
    name: 'A form with a file needs the form token before the file is read',
    file: 'src/auth/sessions/reading/form-token.guard.ts',
    from: 'takesFile(context.getHandler()) ? request.query : request.body',
    to: 'takesFile(context.getHandler()) ? { [FORM_TOKEN_FIELD]: session.formToken } : request.body',
    test: {
      file: 'test/e2e/import-pages.spec.ts',
      title: 'the form with the file is refused before the file is read without the form token',
    },
  },
  {
    name: 'A form needs an origin',
    file: 'src/http/cross-site-header.ts',
    from: "return 'no Origin';",
    to: 'return undefined;',
    test: {
      file: 'test/e2e/console-forms.spec.ts',
      title: 'a form is refused without an origin, although it has the cookie and the form token',
    },
  },
  {
    name: 'A login leads to no other site',
    file: 'src/pages/frame/addresses.ts',
    from: 'text.length > 2_000 || !PAGE_PATH.test(text)',
    to: 'text.length > 2_000',
    test: {
      file: 'src/pages/frame/addresses.spec.ts',
      title: 'the page after the login is not "https://evil.example/console"',
    },
  },
];
