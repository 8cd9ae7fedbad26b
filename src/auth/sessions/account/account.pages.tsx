import { Get, HttpStatus, OnModuleInit, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { VNode } from 'preact';
import { PathIdPipe, type Query, RetryLaterError } from '../../../http/index.js';
import {
  Facts,
  Form,
  type FormState,
  goTo,
  Moment,
  Navigation,
  NEW_FORM,
  type PageAnswer,
  PagesUnder,
  SentForm,
  showPage,
  SubmitButton,
  Table,
  TextField,
} from '../../../pages/index.js';
import { type Caller, CurrentCaller } from '../../caller.js';
import { PasswordRefusedError } from '../../errors.js';
import { MIN_PASSWORD_LENGTH } from '../../passwords/password.js';
import { Page } from '../../route-access.js';
import { CONSOLE_ROLES } from '../../users/role-name.js';
import type { Session } from '../session.entity.js';
import { Sessions } from '../sessions.service.js';
import { ChangePassword } from './change-password.service.js';

const ACCOUNT = '/console/account';

/** The account of the person who has logged in: the password, and where else this person has logged in. */
@PagesUnder('account')
@Page(...CONSOLE_ROLES)
export class AccountPages implements OnModuleInit {
  constructor(
    private readonly sessions: Sessions,
    private readonly passwords: ChangePassword,
    private readonly navigation: Navigation,
  ) {}

  onModuleInit(): void {
    this.navigation.add({ label: 'Account', to: ACCOUNT, letter: 'a', position: 90, roles: CONSOLE_ROLES });
  }

  @Get()
  async show(@CurrentCaller() caller: Caller): Promise<PageAnswer> {
    return this.page(caller, NEW_FORM);
  }

  @Post('password')
  async changePassword(
    @SentForm() form: Query,
    @CurrentCaller() caller: Caller,
    @Req() request: Request,
  ): Promise<PageAnswer> {
    const { currentPassword, newPassword, repeatedPassword } = form;
    if (typeof currentPassword !== 'string' || typeof newPassword !== 'string')
      return this.page(caller, fault('newPassword', 'is required'));
    if (newPassword !== repeatedPassword)
      return this.page(caller, fault('repeatedPassword', 'is not the same as the new password'));
    try {
      const ipAddress = request.ip ?? '';
      const changed = await this.passwords.run({ caller, currentPassword, newPassword, ipAddress });
      if (!changed) return await this.page(caller, fault('currentPassword', 'is wrong'));
    } catch (error) {
      if (error instanceof PasswordRefusedError) return this.page(caller, fault('newPassword', error.fault));
      if (!(error instanceof RetryLaterError)) throw error;
      return this.page(caller, { ...NEW_FORM, message: error.message });
    }
    return goTo(ACCOUNT, 'Your password was changed. Your other sessions have ended.');
  }

  @Post('sessions/end-others')
  async endOtherSessions(@CurrentCaller() caller: Caller): Promise<PageAnswer> {
    const ended = await this.sessions.endOthers(caller);
    const which = ended === 1 ? 'Your other session was' : `Your ${ended} other sessions were`;
    return goTo(ACCOUNT, ended === 0 ? 'You had no other session.' : `${which} ended.`);
  }

  @Post('sessions/:id/end')
  async endSession(@Param('id', PathIdPipe) sessionId: number, @CurrentCaller() caller: Caller): Promise<PageAnswer> {
    await this.sessions.end(caller, sessionId);
    return goTo(ACCOUNT, 'The session was ended.');
  }

  private async page(caller: Caller, state: FormState): Promise<PageAnswer> {
    const isNew = state === NEW_FORM;
    const sessions = await this.sessions.list(caller.userId);
    return showPage({
      title: 'Account',
      ...(isNew ? {} : { status: HttpStatus.BAD_REQUEST, code: 'invalid_request' }),
      content: (
        <>
          <Facts
            facts={[
              ['User name', caller.username],
              ['Roles', [...caller.roles].join(', ')],
            ]}
          />
          <PasswordForm state={state} />
          <h2>Sessions</h2>
          <p>
            A session ends 30 minutes after the last click, and after 12 hours at the latest. If you do not know one of
            these, end it and change your password.
          </p>
          <SessionTable sessions={sessions} ownId={caller.session?.id} />
          {sessions.length > 1 && (
            <Form to={`${ACCOUNT}/sessions/end-others`}>
              <SubmitButton kind="quiet">End all other sessions</SubmitButton>
            </Form>
          )}
        </>
      ),
    });
  }
}

function fault(field: string, message: string): FormState {
  return { typed: {}, faults: [{ field, message }] };
}

function PasswordForm({ state }: { readonly state: FormState }): VNode {
  return (
    <>
      <h2>Change the password</h2>
      <Form to={`${ACCOUNT}/password`} state={state}>
        <TextField
          name="currentPassword"
          label="Current password"
          type="password"
          autocomplete="current-password"
          required
        />
        <TextField
          name="newPassword"
          label="New password"
          type="password"
          autocomplete="new-password"
          help={`At least ${MIN_PASSWORD_LENGTH} characters, but not your user name, and no password that many people use. Three or four words are easy to remember and hard to guess.`}
          required
        />
        <TextField
          name="repeatedPassword"
          label="New password again"
          type="password"
          autocomplete="new-password"
          required
        />
        <SubmitButton>Change the password</SubmitButton>
      </Form>
    </>
  );
}

function SessionTable({
  sessions,
  ownId,
}: {
  readonly sessions: readonly Session[];
  readonly ownId: number | undefined;
}): VNode {
  return (
    <Table
      caption="Your sessions"
      rows={sessions}
      keyOf={({ id }) => id}
      empty="There is no session."
      columns={[
        { header: 'Begun', cell: ({ createdAt }) => <Moment value={createdAt} /> },
        { header: 'Last used', cell: ({ lastUsedAt }) => <Moment value={lastUsedAt} /> },
        { header: 'Browser', cell: ({ browser }) => browser ?? 'Unknown' },
        { header: 'Address', cell: ({ address }) => address ?? 'Unknown' },
        {
          header: 'End it',
          cell: ({ id }) =>
            id === ownId ? (
              'This session'
            ) : (
              <Form to={`${ACCOUNT}/sessions/${id}/end`}>
                <SubmitButton kind="quiet">End</SubmitButton>
              </Form>
            ),
        },
      ]}
    />
  );
}
