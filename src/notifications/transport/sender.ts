import { oneLine } from './one-line.js';

/** The sender of MAIL_FROM, `address` or `Name <address>`, in the church's name where it has none of its own. */
export function senderOf(from: string, churchName: string): { name: string; address: string } {
  const [, name = '', address = from] = /^(.*?)<([^<>]+)>$/.exec(from.trim()) ?? [];
  const own = name.trim().replace(/^"(.*)"$/, '$1');
  return { name: own === '' ? oneLine(churchName) : own, address: address.trim() };
}
