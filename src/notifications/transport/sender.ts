import { oneLine } from './one-line.js';

/** The sender of MAIL_FROM, which is `address` or `Name <address>`. The church's name is the default name. */
export function senderOf(from: string, churchName: string): { name: string; address: string } {
  const [, name = '', address = from] = /^(.*?)<([^<>]+)>$/.exec(from.trim()) ?? [];
  const own = name.trim().replace(/^"(.*)"$/, '$1');
  return { name: own === '' ? oneLine(churchName) : own, address: address.trim() };
}
