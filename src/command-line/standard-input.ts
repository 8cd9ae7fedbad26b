import { text } from 'node:stream/consumers';

/** Reads all of standard input, without the last line break, which `echo` and a keyboard add. */
export async function readStandardInput(): Promise<string> {
  return (await text(process.stdin)).replace(/\r?\n$/, '');
}
