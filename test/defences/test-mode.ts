import type { Defence } from './defence.js';

/** What keeps a test system and the books apart. */
export const TEST_MODE: readonly Defence[] = [
  {
    name: 'A reset needs a database that is recorded as a test system',
    file: 'src/database/reset/reset-test-database.ts',
    from: " || rows[0]?.mode !== 'test'",
    to: '',
    test: {
      file: 'test/e2e/test-reset.spec.ts',
      title: 'is refused, and changes nothing of live books, whatever the setting',
    },
    short: true,
  },
  {
    name: 'A reset needs the setting of a test system',
    file: 'src/database/reset/reset-test-database.ts',
    from: "mode !== 'test' || ",
    to: '',
    test: {
      file: 'test/e2e/test-reset.spec.ts',
      title: 'is refused, and changes nothing of a test system by a live program',
    },
  },
  {
    name: 'A program of one mode refuses the database of the other',
    file: 'src/database/mode/database-mode.ts',
    from: 'if (found !== undefined && found !== mode)',
    to: 'if (found === undefined)',
    test: {
      file: 'test/e2e/database-mode.spec.ts',
      title: 'a database with a user and without a record is live',
    },
  },
  {
    name: 'The recorded mode of a database never changes',
    file: 'migrations/0046-database-mode.ts',
    from: 'BEFORE UPDATE OR DELETE OR TRUNCATE ON database_mode',
    to: 'BEFORE TRUNCATE ON database_mode',
    test: {
      file: 'test/e2e/database-mode.spec.ts',
      title: 'the record never changes: UPDATE database_mode',
    },
  },
  {
    name: 'A token of the other mode is refused without a look-up',
    file: 'src/auth/tokens/access/token-logins.service.ts',
    from: 'if (modeOfToken(token) !== this.mode) {',
    to: "if (token === '') {",
    test: {
      file: 'test/process/test-mode.spec.ts',
      title: 'credentials of one system are refused by the other one: a token, at once',
    },
  },
  {
    name: 'A test system sends mails to Finance only',
    file: 'src/notifications/transport/test-system-transport.ts',
    from: 'if (!allowed.includes(mail.to.toLowerCase())) {',
    to: "if (allowed.includes('')) {",
    test: {
      file: 'test/e2e/test-system-mails.spec.ts',
      title: 'a test system sends no mail to an address that is none of Finance',
    },
  },
];
