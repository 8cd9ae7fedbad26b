import { Get, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { VNode } from 'preact';
import { type Query as Sent, RetryLaterError } from '../../../http/index.js';
import {
  Form,
  type FormState,
  goTo,
  HiddenField,
  NEW_FORM,
  type PageAnswer,
  pagePathOf,
  PagesUnder,
  SentForm,
  showPage,
  SubmitButton,
  TextField,
} from '../../../pages/index.js';
import { type Caller, CurrentCaller } from '../../caller.js';
import { UNAUTHENTICATED } from '../../errors.js';
import { Page, Public } from '../../route-access.js';
import { CONSOLE_ROLES } from '../../users/role-name.js';
import { SessionCookie } from '../reading/session-cookie.js';
import { SessionLogins } from '../reading/session-logins.service.js';
import { Sessions } from '../sessions.service.js';
import { LogIn } from './log-in.service.js';

const HOME = '/console';

/** The way into the console, and out of it. */
@PagesUnder('')
export class LoginPages {
  constructor(
    private readonly logIn: LogIn,
    private readonly logins: SessionLogins,
    private readonly sessions: Sessions,
    private readonly cookie: SessionCookie,
  ) {}

  @Get('login')
  @Public()
  async show(@Req() request: Request, @Query() query: Sent): Promise<PageAnswer> {
    if (!this.cookie.isPossible(request)) return unencrypted();
    if ((await this.logins.callerOf(request)) !== undefined) return goTo(pagePathOf(query['next']) ?? HOME);
    return loginPage(NEW_FORM, { next: query['next'], note: this.noteFor(request, query) });
  }

  /** Why somebody sees the login again. The cookie of a session stays in the browser until its user logs out. */
  private noteFor(request: Request, query: Sent): string | undefined {
    if (query['loggedOut'] !== undefined) return 'You are logged out.';
    return this.cookie.read(request) === undefined ? undefined : 'Your session has ended. Log in again.';
  }

  @Post('login')
  @Public()
  async begin(
    @SentForm() { username, password, next }: Sent,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PageAnswer> {
    if (!this.cookie.isPossible(request)) return unencrypted();
    const previous = await this.logins.callerOf(request);
    try {
      const token = await this.logIn.run({
        username: typeof username === 'string' ? username.trim() : '',
        password: typeof password === 'string' ? password : '',
        ipAddress: request.ip ?? '',
        userAgent: request.headers['user-agent'],
      });
      if (token === undefined) return refused('The user name or the password is wrong.', username, next);
      this.cookie.set(request, response, token);
    } catch (error) {
      if (!(error instanceof RetryLaterError)) throw error;
      response.setHeaders(new Map(Object.entries(error.headers)));
      return refused(error.message, username, next, error.kind);
    }
    if (previous?.session !== undefined) await this.sessions.end(previous, previous.session.id);
    return goTo(pagePathOf(next) ?? HOME);
  }

  @Post('logout')
  @Page(...CONSOLE_ROLES)
  async end(
    @CurrentCaller() caller: Caller,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PageAnswer> {
    if (caller.session !== undefined) await this.sessions.end(caller, caller.session.id);
    this.cookie.clear(request, response);
    return goTo('/console/login?loggedOut=1');
  }
}

/** The same for an unknown user, a wrong password, a disabled user and one who may not use the console. */
function refused(
  message: string,
  username: Sent[string] | undefined,
  next: unknown,
  { status, code } = { ...UNAUTHENTICATED, status: 403 },
): PageAnswer {
  const typed: Record<string, string> = typeof username === 'string' ? { username } : {};
  return loginPage({ typed, faults: [], message }, { next, status, code });
}

interface LoginOptions {
  readonly next: unknown;
  /** Why the login is shown. */
  readonly note?: string | undefined;
  readonly status?: number;
  readonly code?: string;
}

function loginPage(state: FormState, { next, note, ...answer }: LoginOptions): PageAnswer {
  const path = pagePathOf(next);
  const content = (
    <>
      {note !== undefined && (
        <p class="message" role="status">
          {note}
        </p>
      )}
      <Form to="/console/login" state={state}>
        {path !== undefined && <HiddenField name="next" value={path} />}
        <TextField name="username" label="User name" autocomplete="username" required autofocus maxLength={100} />
        <TextField
          name="password"
          label="Password"
          type="password"
          autocomplete="current-password"
          required
          maxLength={1_000}
        />
        <SubmitButton>Log in</SubmitButton>
      </Form>
    </>
  );
  return showPage({ title: 'Log in', content, ...answer });
}

function unencrypted(): PageAnswer {
  return showPage({ title: 'Log in', status: 403, code: 'unencrypted', content: <Unencrypted /> });
}

function Unencrypted(): VNode {
  return (
    <>
      <p>
        You cannot log in here, because this page was not encrypted on its way: everybody on the network between you and
        this service could read your password.
      </p>
      <p>
        Open the console by its address that begins with <code>https://</code>. If there is none, ask the person who
        installed Offertory: the page “Installing” explains how to set up HTTPS. If this page did come by HTTPS, the
        setting <code>PUBLIC_URL</code> or <code>TRUST_PROXY</code> is missing, or <code>PUBLIC_URL</code> names another
        host than the one that the proxy passes on.
      </p>
    </>
  );
}
