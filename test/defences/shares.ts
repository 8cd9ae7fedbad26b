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
      file: 'test/e2e/slow-requests.spec.ts',
      title: 'an answer of which a caller reads nothing for 30 seconds is cut off',
    },
  },
];
