// With the types of openapi-typescript, and openapi-fetch.
import createClient from 'openapi-fetch';
import type { components, paths } from './client/api.js';

const [, , baseUrl = '', authorization = ''] = process.argv;
const api = createClient<paths>({ baseUrl, headers: { Authorization: authorization } });

const added = await api.POST('/Api/AddContribution', {
  params: { header: { 'Idempotency-Key': crypto.randomUUID() } },
  body: {
    First: 'John',
    Last: 'Appleseed',
    Email: 'john@example.org',
    Phone: '901-489-0611',
    Amount: '10.00',
    Source: 'client',
  },
});
if (added.error) throw new Error(added.error.detail);
const id: number = added.data.ContributionId;

const path = { id, source: 'client' };
const reversed = await api.POST('/Api/ReverseContribution/{id}/{source}', { params: { path } });
const operation: 'Reversal' | undefined = reversed.data?.operation;
const again = await api.POST('/Api/ReverseContribution/{id}/{source}', { params: { path } });
const refusal: string | undefined = again.error?.code;

const { data } = await api.GET('/Api/Contributions/{id}', { params: { path: { id } } });
const amount: string | undefined = data?.amount;
const by: string | undefined = data?.reversal?.by;
console.log(JSON.stringify({ id, operation, refusal, amount, by, status: data?.status }));

type Request = components['schemas']['AddContributionRequest'];
const gift: Request = { First: 'a', Last: 'b', Email: 'c', Phone: 'd', Amount: '1' };
// @ts-expect-error a field is missing
export const missing: Request = { First: 'a', Last: 'b', Email: 'c', Phone: 'd' };
// @ts-expect-error an amount is text
export const wrongAmount: Request = { ...gift, Amount: 1 };
// @ts-expect-error an id is a number
export const wrongFund: Request = { ...gift, FundId: '1' };
// @ts-expect-error there is no such method of payment
export const wrongMethod: Request = { ...gift, Method: 'bitcoin' };
