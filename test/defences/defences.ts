import type { Defence } from './defence.js';
import { RECORDS } from './records.js';
import { SESSIONS } from './sessions.js';
import { SHARES } from './shares.js';
import { TAKEOVER } from './takeover.js';
import { TEST_MODE } from './test-mode.js';
import { WEBHOOKS } from './webhooks.js';

/** Who may log in, and what may be called. */
const ACCESS: readonly Defence[] = [
  {
    name: 'A route needs its roles',
    file: 'src/auth/roles.guard.ts',
    from: 'missing.some((set) => set.length === 0)',
    to: 'missing.length > 0',
    test: {
      file: 'test/e2e/authentication.spec.ts',
      title: 'roles AddContribution and ReverseContribution require the role',
    },
    short: true,
  },
  {
    name: 'Unknown and disabled users cost the same password check',
    file: 'src/auth/authenticate.service.ts',
    from: 'const hash = user.password_hash ?? DUMMY_HASH;',
    to: 'if (caller === undefined) return undefined;\n    const hash = user.password_hash ?? DUMMY_HASH;',
    test: {
      file: 'test/e2e/authentication.spec.ts',
      title: 'a refusal costs the same for unknown, disabled and mistaken users',
    },
  },
  {
    name: 'Common passwords are refused',
    file: 'src/auth/passwords/common-passwords.ts',
    from: 'return (await common).has(password.toLowerCase());',
    to: 'return (await common).has(`${password} `);',
    test: { file: 'src/auth/passwords/password.spec.ts', title: 'a new password "password" is refused' },
  },
  {
    name: 'Failed logins are limited',
    file: 'src/auth/passwords/login-failures.ts',
    from: 'if (points <= this.limit) return;',
    to: 'return;',
    test: {
      file: 'test/e2e/login-failures.spec.ts',
      title: 'after too many wrong passwords, the service answers 429 with a truthful Retry-After',
    },
    short: true,
  },
  {
    name: 'The address of a caller is not taken from a proxy that is not trusted',
    file: 'src/app.setup.ts',
    from: "if (settings.trustProxy !== undefined) app.set('trust proxy', settings.trustProxy);",
    to: "app.set('trust proxy', true);",
    test: {
      file: 'test/e2e/login-failures.spec.ts',
      title: 'the address that is counted is the connection’s if no proxy is trusted',
    },
  },
  {
    name: 'Password checks of strangers are bounded',
    file: 'src/auth/passwords/check-lane.ts',
    from: 'const MAX_WAIT_MS = 2_000;',
    to: 'const MAX_WAIT_MS = 2_000_000;',
    test: {
      file: 'test/e2e/stranger-flood.spec.ts',
      title: 'a flood of wrong passwords from many addresses is answered within seconds',
    },
  },
  {
    name: 'A token needs the scope of the route',
    file: 'src/auth/tokens/access/scope.guard.ts',
    from: 'if (scope === undefined || !scopes.has(scope)) throw new MissingScopeError(scope);',
    to: '',
    test: { file: 'test/e2e/tokens.spec.ts', title: 'the scopes of a token read opens its own calls and no other' },
    short: true,
  },
  {
    name: 'A revoked token is refused',
    file: 'src/auth/tokens/access/token-logins.service.ts',
    from: "WHEN t.revoked_at IS NOT NULL THEN 'it is revoked'",
    to: '',
    test: { file: 'test/e2e/tokens.spec.ts', title: 'a token is refused from the call after its revocation on' },
  },
  {
    name: 'An expired token is refused',
    file: 'src/auth/tokens/access/token-logins.service.ts',
    from: "WHEN t.expires_at <= now() THEN 'it has expired'",
    to: '',
    test: { file: 'test/e2e/tokens.spec.ts', title: 'a token is refused once it has expired' },
  },
  {
    name: 'A token is refused from other networks',
    file: 'src/auth/tokens/access/token-logins.service.ts',
    from: 'AND t.networks IS NOT NULL',
    to: 'AND t.networks IS NULL',
    test: {
      file: 'test/e2e/tokens.spec.ts',
      title: 'the networks of a token ["203.0.113.0/24"] take a call from 203.0.114.0 with 401',
    },
  },
  {
    name: 'A look-alike user name is refused',
    file: 'src/auth/users/user-accounts.service.ts',
    from: 'await assertDistinct(tx, name);',
    to: '',
    test: { file: 'test/e2e/audit.spec.ts', title: 'the audit trail refuses a username that looks like another one' },
  },
];

/** What a processor learns about the gifts of others. */
const VISIBILITY: readonly Defence[] = [
  {
    name: 'A processor reads only its own gifts',
    file: 'src/contributions/reading/read-contribution.service.ts',
    from: '($2::integer IS NULL OR c.added_by = $2)',
    to: '($2::integer IS NULL OR true)',
    test: {
      file: 'test/contract/reading-back.spec.ts',
      title: 'visibility other API users, including the one who reversed the gift, get 404',
    },
    short: true,
  },
  {
    name: 'A processor lists only its own gifts',
    file: 'src/contributions/reading/listing/list-contributions.service.ts',
    from: 'const seen = { ...filter, peopleId };',
    to: 'const seen = { ...filter, peopleId, addedBy: undefined };',
    test: {
      file: 'test/contract/list-contributions.spec.ts',
      title: 'visibility a processor sees its own gifts and all their reversing entries',
    },
  },
  {
    name: 'The end of a list does not tell how many gifts others add',
    file: 'src/contributions/reading/listing/books-state.ts',
    from: "stateStatement('c.added_by = $1')",
    to: "stateStatement('$1::integer IS NOT NULL')",
    test: {
      file: 'test/database/books-epochs.spec.ts',
      title: 'the end of a page does not reveal to a processor how many gifts others add',
    },
  },
  {
    name: 'A dry run does not identify persons of other processors',
    file: 'src/contributions/gifts/previews/preview-gift.service.ts',
    from: 'if (userId === undefined) return new Set(persons);',
    to: 'return new Set(persons);',
    test: {
      file: 'test/contract/dry-run.spec.ts',
      title: 'a dry run of another processor does not identify a person without a gift of that processor',
    },
  },
];

/** Requests: what is read, and for how long. */
const REQUESTS: readonly Defence[] = [
  {
    name: 'A page of another origin changes nothing',
    file: 'src/http/cross-site-header.ts',
    from: "return 'Origin';",
    to: 'return undefined;',
    test: { file: 'test/e2e/cross-site.spec.ts', title: 'the header Origin that names another host is refused' },
    short: true,
  },
  {
    name: 'A request that a browser marks as cross-site changes nothing',
    file: 'src/http/cross-site-header.ts',
    from: "return site === 'same-origin' || site === 'none' ? undefined : 'Sec-Fetch-Site';",
    to: 'return undefined;',
    test: {
      file: 'test/e2e/cross-site.spec.ts',
      title: 'a page of another site cannot make a browser reverse a gift',
    },
  },
  {
    name: 'A gift needs a content type for which browsers first ask permission',
    file: 'src/http/requests/json-body.guard.ts',
    from: "assertJson(request.headers['content-type']);",
    to: '',
    test: { file: 'test/e2e/cross-site.spec.ts', title: 'a page of another site cannot send a gift as text/plain' },
  },
  {
    name: 'The body of a caller without credentials is not parsed',
    file: 'src/app.setup.ts',
    from: 'bodyParser: false',
    to: 'bodyParser: true',
    test: { file: 'test/contract/body.spec.ts', title: 'a caller without credentials gets 401 for any body' },
  },
  {
    name: 'The body of a caller without credentials is not read without end',
    file: 'src/http/early-answer.ts',
    from: 'setTimeout(() => socket.destroy(), LINGER_MS).unref();',
    to: 'return;',
    test: {
      file: 'test/e2e/raw-http.spec.ts',
      title: 'the body of a caller without valid credentials without an end is cut off after the answer',
    },
  },
  {
    name: 'A connection with an unread body is not used for another call',
    file: 'src/http/early-answer.ts',
    from: "response.setHeader('Connection', 'close');",
    to: '',
    test: {
      file: 'test/e2e/raw-http.spec.ts',
      title:
        'the body of a caller without valid credentials that has not arrived closes the connection after the answer',
    },
  },
  {
    name: 'A caller is asked for its body only after its credentials are accepted',
    file: 'src/http/problems/answer-unreadable-requests.ts',
    from: 'continueWhenRead(request, response);',
    to: 'response.writeContinue();',
    test: { file: 'test/e2e/raw-http.spec.ts', title: 'Expect: 100-continue gets no 100 before' },
  },
  {
    name: 'A body has at most 64 KB, or 1 MB for a batch',
    file: 'src/http/requests/read-body.ts',
    from: 'limit: maxKilobytes * 1024',
    to: 'limit: 1_000 * maxKilobytes * 1024',
    test: { file: 'test/contract/body.spec.ts', title: 'the size is limited without a Content-Length as well' },
  },
  {
    name: 'A body that is announced as too large is refused before it is sent',
    file: 'src/http/requests/read-body.ts',
    from: "assertSize(request.headers['content-length'], maxKilobytes);",
    to: '',
    test: {
      file: 'test/e2e/raw-http.spec.ts',
      title: 'unusual HTTP a body with a too large Content-Length is refused before it is sent',
    },
  },
  {
    name: 'A body has at most 16 levels',
    file: 'src/http/requests/read-json.ts',
    from: 'if (depth > MAX_NESTING) throw',
    to: 'if (depth > 1_000_000) throw',
    test: { file: 'test/contract/body.spec.ts', title: 'nesting may not be 17 levels of alternating objects' },
  },
  {
    name: 'A field that is sent twice is refused',
    file: 'src/http/requests/read-json.ts',
    from: 'if (members > countNames(value, levels))',
    to: 'if (members < 0)',
    test: { file: 'test/contract/body.spec.ts', title: 'a duplicate field name' },
  },
  {
    name: 'An unknown query parameter is refused',
    file: 'src/http/requests/declared-input.guard.ts',
    from: 'if (faults.length > 0) throw',
    to: 'if (faults.length < 0) throw',
    test: { file: 'test/contract/dry-run.spec.ts', title: 'dryRun ?other=true is refused' },
  },
  {
    name: 'An id in a path has only digits',
    file: 'src/values/id.ts',
    from: 'const id = PATH_ID.test(text) ? Number(text) : 0;',
    to: 'const id = Number(text);',
    test: { file: 'test/contract/reading-back.spec.ts', title: 'the id 1e1 is malformed' },
    short: true,
  },
  {
    name: 'The header of a request has a time limit',
    file: 'src/app.setup.ts',
    from: 'server.headersTimeout = 20_000;',
    to: '',
    test: {
      file: 'test/process/slow-requests.spec.ts',
      title: 'the header of a request must arrive within 20 seconds, even if it grows',
    },
  },
  {
    name: 'A whole request has a time limit',
    file: 'src/app.setup.ts',
    from: 'server.requestTimeout = 30_000;',
    to: '',
    test: {
      file: 'test/process/slow-requests.spec.ts',
      title: 'a whole request must arrive within 30 seconds, even from a caller with valid credentials',
    },
  },
];

/** What leaves the service: answers, mails, files, metrics and the log. */
const OUTPUT: readonly Defence[] = [
  {
    name: 'Every answer has the security headers',
    file: 'src/http/security-headers.ts',
    from: 'for (const [name, value] of HEADERS) response.setHeader(name, value);',
    to: 'void response;',
    test: {
      file: 'test/contract/answers.spec.ts',
      title: 'every answer has a request id and the security headers, and does not name the software',
    },
  },
  {
    name: 'A text adds no line or header to a mail',
    file: 'src/notifications/transport/one-line.ts',
    from: "return text.replace(/[\\s\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]+/gu, ' ').trim();",
    to: 'return text;',
    test: {
      file: 'src/notifications/notices/compose-notice.spec.ts',
      title: 'composing a notice prevents texts of callers from adding a header, a recipient or a line',
    },
    short: true,
  },
  {
    name: 'Texts are escaped in the HTML of a mail',
    file: 'src/notifications/notices/notice-templates.ts',
    from: "'reversal.html.hbs', { noEscape: false }",
    to: "'reversal.html.hbs', { noEscape: true }",
    test: {
      file: 'src/notifications/notices/compose-notice.spec.ts',
      title: 'composing a notice escapes texts of callers in HTML, so that they add no tags',
    },
  },
  {
    name: 'A text adds no link to a mail',
    file: 'src/notifications/notices/notice-facts.ts',
    from: 'return withoutLinks(oneLine(text));',
    to: 'return oneLine(text);',
    test: {
      file: 'src/notifications/notices/compose-notice.spec.ts',
      title: 'composing a notice contains no link when a text of a caller is',
    },
  },
  {
    name: 'No host that a shell or a browser would interpret gets into a guide',
    file: 'src/guides/example-values.ts',
    from: 'address === undefined || !SAFE_ADDRESS.test(address)',
    to: 'address === undefined',
    test: {
      file: 'test/e2e/guides.spec.ts',
      title: 'the examples have no part of the host "$(reboot)", which a shell or a browser would interpret',
    },
  },
  {
    name: 'A text is never a formula in a spreadsheet',
    file: 'src/values/texts/spreadsheet.ts',
    from: 'return text.replace(FORMULA, "$1$2\'$3").replace(/^(?=[\\t\\r])/, "\'");',
    to: 'return text;',
    test: {
      file: 'src/values/texts/spreadsheet.spec.ts',
      title: 'a text in a spreadsheet is not a formula with any list separator',
    },
  },
  {
    name: 'The metrics are served only under the service’s own names',
    file: 'src/metrics/metrics-server.ts',
    from: 'if (!isOwn(headers.host, ownNames))',
    to: 'if (headers.host === undefined)',
    test: {
      file: 'test/process/metrics.spec.ts',
      title: 'the service refuses a request for /metrics under a name that is not its own',
    },
  },
  {
    name: 'The log has the pattern of a route and not the path',
    file: 'src/http/observing/request-outcome.ts',
    from: "route: route?.path ?? 'unmatched',",
    to: 'route: request.originalUrl,',
    test: {
      file: 'test/e2e/access-log.spec.ts',
      title: 'the access log logs the route pattern and never the path',
    },
  },
  {
    name: 'The log contains only the name, message and place of an error',
    file: 'src/logger.ts',
    from: ': describeError(error);',
    to: ': `${describeError(error)} ${JSON.stringify(error)}`;',
    test: {
      file: 'src/logger.spec.ts',
      title: 'an entry in json contains only the name, message and place of an error',
    },
  },
];

/** All defences that are tested by switching them off. */
export const DEFENCES: readonly Defence[] = [
  ...ACCESS,
  ...SESSIONS,
  ...VISIBILITY,
  ...REQUESTS,
  ...SHARES,
  ...OUTPUT,
  ...RECORDS,
  ...TAKEOVER,
  ...WEBHOOKS,
  ...TEST_MODE,
];
