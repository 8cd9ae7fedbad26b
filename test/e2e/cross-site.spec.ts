import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addedGift, readBack, rowCounts } from '../contract/gift-requests.js';
import { SECURITY_HEADERS } from '../support/security-headers.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;

beforeAll(async () => {
  service = await startTestApp();
});
afterAll(() => service.stop());

describe('a page of another site', () => {
  it.each(['cross-site', 'same-site'])('cannot have a browser take a gift back (%s)', async (site) => {
    const { ContributionId } = await addedGift(service, {});
    const before = await rowCounts(service);
    const answer = await service.reverse(`${ContributionId}/a`).set('Sec-Fetch-Site', site).expect(403);
    expect(answer.headers).toMatchObject(SECURITY_HEADERS);
    expect(answer.body).toMatchObject({ code: 'forbidden', detail: 'A page of another site may not call this.' });
    expect(await rowCounts(service)).toEqual(before);
    expect(await readBack(service, ContributionId)).toMatchObject({ status: 'Recorded' });
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'cannot send a gift as %s, which browsers send without asking',
    async (type) => {
      const post = service
        .http()
        .post('/Api/AddContribution')
        .auth(...service.login)
        .set('Content-Type', type);
      await post.send('{"First":"Ann"}').expect(415);
    },
  );

  it('that asks whether it may send a gift gets no leave', async () => {
    const asked = await service
      .http()
      .options('/Api/AddContribution')
      .set({ Origin: 'https://elsewhere.example', 'Access-Control-Request-Method': 'POST' })
      .expect(405);
    const read = await service.read(1).set('Origin', 'https://elsewhere.example');
    for (const { headers } of [asked, read]) {
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });
});

describe('whoever is no page of another site', () => {
  it.each([undefined, 'same-origin', 'none'])('may take a gift back (Sec-Fetch-Site: %s)', async (site) => {
    const { ContributionId } = await addedGift(service, {});
    const reversal = service.reverse(`${ContributionId}/a`);
    await (site === undefined ? reversal : reversal.set('Sec-Fetch-Site', site)).expect(200);
  });

  it('may follow a link to a gift', async () => {
    const { ContributionId } = await addedGift(service, {});
    await service.read(ContributionId).set('Sec-Fetch-Site', 'cross-site').expect(200);
  });
});
