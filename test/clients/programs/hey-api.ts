// With the client of @hey-api/openapi-ts. It has the address from the document.
import { client } from './client/client.gen';
import { addContribution, readContribution, reverseContribution } from './client/sdk.gen';
import type { AddContributionRequest } from './client/types.gen';

const [, , , authorization = ''] = process.argv;
client.setConfig({ headers: { Authorization: authorization } });

const added = await addContribution({
  headers: { 'Idempotency-Key': crypto.randomUUID() },
  body: {
    First: 'John',
    Last: 'Appleseed',
    Email: 'john@example.org',
    Phone: '901-489-0611',
    Amount: '10.00',
    Source: 'client',
  },
});
if (added.error !== undefined) throw new Error(added.error.detail);
const id: number = added.data.ContributionId;

const path = { id, source: 'client' };
const reversed = await reverseContribution({ path });
const operation: 'Reversal' | undefined = reversed.data?.operation;
const again = await reverseContribution({ path });
const refusal: string | undefined = again.error?.code;

const { data } = await readContribution({ path: { id } });
const amount: string | undefined = data?.amount;
const by: string | undefined = data?.reversal?.by;
console.log(JSON.stringify({ id, operation, refusal, amount, by, status: data?.status }));

const gift: AddContributionRequest = { First: 'a', Last: 'b', Email: 'c', Phone: 'd', Amount: '1' };
// @ts-expect-error a field is missing
export const missing: AddContributionRequest = { First: 'a', Last: 'b', Email: 'c', Phone: 'd' };
// @ts-expect-error an amount is text
export const wrongAmount: AddContributionRequest = { ...gift, Amount: 1 };
// @ts-expect-error an id is a number
export const wrongFund: AddContributionRequest = { ...gift, FundId: '1' };
// @ts-expect-error there is no such method of payment
export const wrongMethod: AddContributionRequest = { ...gift, Method: 'bitcoin' };
