// With the schemas that orval makes for zod: each request and each answer passes through them.
import type { ZodType } from 'zod';
import {
  addContributionBody,
  addContributionResponse,
  readContributionResponse,
  reverseContributionParams,
  reverseContributionResponse,
} from './client/client';

const [, , baseUrl = '', authorization = ''] = process.argv;

async function call(method: string, path: string, body?: object): Promise<Response> {
  return fetch(`${baseUrl}/Api/${path}`, {
    method,
    headers: { Authorization: authorization, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
}

async function answerOf<T>(schema: ZodType<T>, response: Response): Promise<T> {
  if (!response.ok) throw new Error(await response.text());
  return schema.parse(await response.json());
}

const gift = {
  First: 'John',
  Last: 'Appleseed',
  Email: 'john@example.org',
  Phone: '901-489-0611',
  Amount: '10.00',
  Source: 'client',
};
const added = await answerOf(
  addContributionResponse,
  await call('POST', 'AddContribution', addContributionBody.parse(gift)),
);
const id: number = added.ContributionId;

const { source } = reverseContributionParams.parse({ id, source: 'client' });
const reversed = await answerOf(reverseContributionResponse, await call('POST', `ReverseContribution/${id}/${source}`));
const operation: 'Reversal' = reversed.operation;
const again = await call('POST', `ReverseContribution/${id}/${source}`);
const { code: refusal } = (await again.json()) as { code: string };

const read = await answerOf(readContributionResponse, await call('GET', `Contributions/${id}`));
const amount: string = read.amount;
const by: string | undefined = read.reversal?.by;
console.log(JSON.stringify({ id, operation, refusal, amount, by, status: read.status }));

const wrong = [
  { ...gift, Amount: undefined },
  { ...gift, Amount: 10 },
  { ...gift, Amount: '10.005' },
  { ...gift, Amount: '$10' },
  { ...gift, First: '' },
  { ...gift, Phone: '0'.repeat(51) },
  { ...gift, FundId: '1' },
  // orval takes an integer for any number.
  { ...gift, FundId: 0 },
  { ...gift, FundId: 2_147_483_648 },
  { ...gift, Method: 'bitcoin' },
  { ...gift, Splits: [] },
];
const accepted = wrong.filter((fields) => addContributionBody.safeParse(fields).success);
if (accepted.length > 0) throw new Error(`The schema of orval accepts ${JSON.stringify(accepted)}`);
