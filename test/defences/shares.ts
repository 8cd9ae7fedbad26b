import type { Defence } from './defence.js';

/** How much one caller can take. */
export const SHARES: readonly Defence[] = [
  {
    name: 'A call keeps its turn until its work has ended',
    file: 'src/auth/turns/call-turns.guard.ts',
    from: 'onceHandled(response, end);',
    to: "onceHandled(response, () => undefined);\n    response.once('close', () => end(true));",
    test: {
      file: 'test/e2e/turns.spec.ts',
      title: 'a caller that leaves gives its turn back only when the statements of its call have ended',
    },
  },
  {
    name: 'A caller that has left gets no turn',
    file: 'src/auth/turns/call-turns.guard.ts',
    from: 'if (isCallerGone(request, response)) {',
    to: 'if (isCallerGone(request, response) && request.user === undefined) {',
    test: {
      file: 'test/e2e/turns.spec.ts',
      title: 'a caller that leaves while its call waits for its turn has no call any more',
    },
  },
  {
    name: 'Pipelined calls end with their connection',
    file: 'src/http/observing/exchange-end.ts',
    from: 'for (const end of ofConnection) end();',
    to: '',
    test: {
      file: 'test/e2e/turns.spec.ts',
      title: 'pipelined calls on a connection that is closed give back their turns, and are logged once each',
    },
  },
  {
    name: 'A wait for a turn has an end',
    file: 'src/auth/turns/turns.ts',
    from: 'Math.min(Math.max(begin, this.succeededAt) + milliseconds, latest)',
    to: 'Math.max(begin, this.succeededAt) + milliseconds',
    test: {
      file: 'src/auth/turns/turns.spec.ts',
      title: 'a wait ends after ten seconds although other calls succeed',
    },
  },
  {
    name: 'An answer that nobody reads is cut off',
    file: 'src/app.setup.ts',
    from: 'server.timeout = 30_000;',
    to: '',
    test: {
      file: 'test/process/slow-requests.spec.ts',
      title: 'an answer of which a caller reads nothing for 30 seconds is cut off',
    },
  },
  {
    name: 'One user name gets half of the password checks at most',
    file: 'src/auth/passwords/check-lane.ts',
    from: 'return [`network ${network}`, `user ${username}`];',
    to: "return [`network ${network}`].concat(username === '' ? [username] : []);",
    test: {
      file: 'src/auth/passwords/password-checks.spec.ts',
      title: 'among many simultaneous passwords those for one user name leave half of the places to others',
    },
  },
  {
    name: 'A queue of logins has a length',
    file: 'src/auth/lane.ts',
    from: 'if (this.limit.pendingCount >= this.limits.waiting)',
    to: 'if (this.limit.pendingCount < 0)',
    test: { file: 'src/auth/lane.spec.ts', title: 'work is refused at once when too much waits' },
  },
  {
    name: 'A queue of logins has a deadline',
    file: 'src/auth/lane.ts',
    from: 'const timer = setTimeout(refuse, this.limits.milliseconds - MIN_STATEMENT_MS);',
    to: 'const timer = setTimeout(refuse, 10 * this.limits.milliseconds);',
    test: { file: 'src/auth/lane.spec.ts', title: 'work is refused as soon as there is not enough time left for it' },
  },
  {
    name: 'Counts of strangers do not delay users from known networks',
    file: 'src/auth/passwords/login-failures.ts',
    from: 'await this.writing[lane]\n      .run(',
    to: 'await this.writing.new\n      .run(',
    test: {
      file: 'test/e2e/login-lanes.spec.ts',
      title:
        'while the database does not answer logins a user from a known network does not wait for the counts of strangers',
    },
  },
  {
    name: 'Credentials that are no longer valid are forgotten',
    file: 'src/auth/passwords/verified-credentials.ts',
    from: 'else this.verified.delete(key);',
    to: '',
    test: {
      file: 'test/e2e/login-lanes.spec.ts',
      title: 'credentials that were verified and are no longer valid are forgotten at the next call',
    },
  },
  {
    name: 'An unknown token writes nothing',
    file: 'src/auth/tokens/access/token-logins.service.ts',
    from: 'this.failures.addUnknownToken(attempt, row.name_exists);',
    to: "await this.failures.add(attempt, { lane: 'new', known: row.name_exists });",
    test: { file: 'test/e2e/tokens.spec.ts', title: 'failed logins write nothing for an unknown token' },
  },
];
