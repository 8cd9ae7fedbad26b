import { expect, it } from '@jest/globals';
import { faultInWords } from './fault-in-words.js';

it.each([
  ['connect ECONNREFUSED 192.0.2.1:587', 'did not answer'],
  ['Greeting never received', 'did not answer'],
  ['The operation was aborted: The operation was aborted due to timeout', 'did not answer'],
  ['getaddrinfo ENOTFOUND mail.example.org', 'was not found'],
  ['Invalid login: 535 5.7.8 Authentication credentials invalid', 'user name or the password'],
  ["Can't send mail - all recipients were rejected: 550 5.1.1 no such user", 'The address does not exist'],
  ["Can't send mail - all recipients were rejected: 552 5.2.2 mailbox full", 'is full'],
  ['Mail command failed: 550 5.7.1 SPF check failed', 'of this sender'],
  ['Message failed: 554 5.7.1 looks like spam', 'unwanted'],
  ['451 4.3.0 Mail server temporarily rejected message', 'try again later'],
  ['certificate has expired', 'is not safe'],
  ['The mail server does not offer STARTTLS, so it got neither a password nor a mail.', 'is not safe'],
  ['The mail could not be written to /data/mail: ENOSPC', 'to a file on the server'],
  ['something else', 'did not take the mail'],
])('%s', (error, meaning) => {
  expect(faultInWords(error)).toContain(meaning);
});
