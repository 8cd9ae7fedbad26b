// With the functions of orval. They have the address from the document.
import { addContribution, readContribution, reverseContribution } from './client/client';
import type { AddContributionRequest } from './client/client';

const [, , , authorization = ''] = process.argv;
const headers = { Authorization: authorization };

const added = await addContribution(
  {
    First: 'John',
    Last: 'Appleseed',
    Email: 'john@example.org',
    Phone: '901-489-0611',
    Amount: '10.00',
    Source: 'client',
  },
  { headers: { ...headers, 'Idempotency-Key': crypto.randomUUID() } },
);
if (added.status !== 200) throw new Error(added.data.detail);
const id: number = added.data.ContributionId;

const reversed = await reverseContribution(id, 'client', undefined, { headers });
const operation = reversed.status === 200 ? reversed.data.operation : undefined;
const again = await reverseContribution(id, 'client', undefined, { headers });
const refusal: string | undefined = again.status === 200 ? undefined : again.data.code;

const read = await readContribution(id, { headers });
if (read.status !== 200) throw new Error(read.data.detail);
const amount: string = read.data.amount;
const by: string | undefined = read.data.reversal?.by;
console.log(JSON.stringify({ id, operation, refusal, amount, by, status: read.data.status }));

const gift: AddContributionRequest = { First: 'a', Last: 'b', Email: 'c', Phone: 'd', Amount: '1' };
// @ts-expect-error a field is missing
export const missing: AddContributionRequest = { First: 'a', Last: 'b', Email: 'c', Phone: 'd' };
// @ts-expect-error an amount is text
export const wrongAmount: AddContributionRequest = { ...gift, Amount: 1 };
// @ts-expect-error an id is a number
export const wrongFund: AddContributionRequest = { ...gift, FundId: '1' };
// @ts-expect-error there is no such method of payment
export const wrongMethod: AddContributionRequest = { ...gift, Method: 'bitcoin' };
