import { text } from 'node:stream/consumers';

/** Standard input to its end, without the line break that `echo` and a keyboard put there. */
export async function readStandardInput(): Promise<string> {
  return (await text(process.stdin)).replace(/\r?\n$/, '');
}
