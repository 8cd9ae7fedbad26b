import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Outcome, runProgram } from '../support/service-process.js';
import { atKeyboard } from '../support/at-keyboard.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { type Added, addedGift, readBack } from '../contract/gift-requests.js';
import { email, giver } from '../contract/givers.js';

let service: TestApp;

beforeAll(async () => {
  service = await startTestApp();
});
afterAll(() => service.stop());

/** Runs commands beside the running service. They run at once, because each takes about a second. */
const offertory = (...lines: string[]): Promise<Outcome[]> =>
  Promise.all(lines.map((line) => runProgram('cli', line.split(' '), { DATABASE_URL: service.database.url })));

async function done(line: string): Promise<unknown> {
  const [outcome] = await offertory(line);
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
  return line.endsWith('--json') ? JSON.parse(outcome?.stdout ?? '') : outcome?.stdout;
}

const added = (fields: object): Promise<Added> => addedGift(service, fields);

describe('offertory', () => {
  it('edits and shows a person, lists and confirms a contact, and gifts match by the new values', async () => {
    const sent = giver();
    const { PeopleId: id } = await added(sent);
    const Email = email();
    await added({ ...sent, Email });
    expect(await done(`person edit ${id} --nickname Skip --former-last O’Hara --deceased --json`)).toMatchObject({
      peopleId: id,
      nickname: 'Skip',
      deceased: true,
    });
    const waiting = (await done('contact list --json')) as Record<string, unknown>[];
    const [contact] = waiting;
    expect(waiting).toEqual([
      {
        id: contact?.['id'],
        peopleId: id,
        kind: 'email',
        value: Email,
        confirmed: false,
        createdAt: expect.anything(),
      },
    ]);
    const [confirmed, again] = await offertory(`contact confirm ${String(contact?.['id'])}`, `contact list ${id}`);
    expect(confirmed).toMatchObject({ code: 0, stdout: expect.stringMatching(/confirmed +true\n/), stderr: '' });
    expect(again?.stdout).toMatch(/^id +peopleId +kind +value +confirmed +createdAt\n/);
    expect(again?.stdout).toContain(Email);
    expect(await added({ ...giver(), First: 'Skip', Last: 'OHara', Email })).toMatchObject({ PeopleId: id });
    const [json, lines] = await offertory(`person show ${id} --json`, `person show ${id}`);
    expect(lines?.stdout).toMatch(/nickname +Skip\n[^]*deceased +true\n[^]*contacts\n {2}id +peopleId +kind/);
    expect(lines?.stdout).not.toContain('[object');
    expect(JSON.parse(json?.stdout ?? '')).toMatchObject({
      peopleId: id,
      first: sent.First,
      last: sent.Last,
      nickname: 'Skip',
      formerLast: 'O’Hara',
      email: sent.Email,
      phone: sent.Phone,
      address: null,
      zip: null,
      deceased: true,
      mergedInto: null,
      contacts: [{ value: sent.Email }, { value: Email, confirmed: true }, { value: sent.Phone }, { confirmed: false }],
    });
  });

  it('changes the e-mail address and the address of a person, and adds a contact', async () => {
    const sent = giver();
    const { PeopleId: id } = await added(sent);
    const [Email, more] = [email(), email()];
    const edited = await done(
      `person edit ${id} --email ${Email} --phone 615-555-0142 --address Street --zip 38103 --json`,
    );
    expect(edited).toMatchObject({ email: Email, phone: '615-555-0142', address: 'Street', zip: '38103' });
    expect(await done(`contact add ${id} email ${more} --json`)).toMatchObject({
      peopleId: id,
      value: more,
      confirmed: true,
    });
    for (const one of [sent.Email, Email, more])
      expect(await added({ ...sent, Email: one, Phone: 'n/a' })).toMatchObject({ PeopleId: id });
    const outcomes = await offertory(`contact add ${id} phone n/a`, `contact add 2147483647 email ${more}`);
    expect(outcomes).toMatchObject([
      { code: 1, stderr: 'error: Value must be a valid phone number.\n' },
      { code: 1, stderr: 'error: There is no person with PeopleId 2147483647.\n' },
    ]);
  });

  it('merges two persons, removes a contact, lists and accepts a review, reassigns a gift', async () => {
    const one = giver();
    const { PeopleId: from } = await added(one);
    const { PeopleId: into } = await added(giver());
    const { PeopleId: other } = await added(giver());
    const stranger = await added({ ...one, PeopleId: other, Amount: '5' });
    const [review] = await service.database.query<{ id: number }>('SELECT id FROM review WHERE contribution_id = $1', [
      stranger.ContributionId,
    ]);
    const [phone] = await service.database.query<{ id: number }>(
      `SELECT id FROM contact WHERE person_id = $1 AND kind = 'phone'`,
      [other],
    );
    const [merged, removed, listed] = await offertory(
      `person merge ${from} ${into}`,
      `contact remove ${phone?.id}`,
      'review list --json',
    );
    expect([merged, removed]).toMatchObject([
      { code: 0, stdout: expect.stringMatching(new RegExp(`^peopleId +${into}\n`)), stderr: '' },
      { code: 0, stdout: expect.stringMatching(new RegExp(`^id +${phone?.id}\npeopleId +${other}\n`)), stderr: '' },
    ]);
    expect(JSON.parse(listed?.stdout ?? '')).toContainEqual({
      reviewId: review?.id,
      contributionId: stranger.ContributionId,
      peopleId: other,
      reasons: ['other_last_name'],
      otherMatches: [],
      otherPersons: [],
      otherGifts: [],
      createdAt: expect.anything(),
    });
    expect(await added(one)).toMatchObject({ PeopleId: into });

    expect(await done(`contribution reassign ${stranger.ContributionId} ${from} --json`)).toEqual({
      contributionId: stranger.ContributionId,
      fromPeopleId: other,
      toPeopleId: into,
    });
    expect((await readBack(service, stranger.ContributionId)).peopleId).toBe(into);
    expect(await service.database.query('SELECT reassigned_by FROM reassignment WHERE NOT through_merge')).toEqual([
      { reassigned_by: 'command line' },
    ]);
    expect(await done(`contribution history ${stranger.ContributionId}`)).toMatch(
      new RegExp(
        '^at +what +by +from +to +contributionId +amount +reason +note +fromFund +toFund\\n' +
          '\\S+ +recorded +api +- +- +\\d+ +5.00 +- +- +- +-\\n' +
          `\\S+ +reassigned +command line +${other} +${into} .*\\n` +
          '\\S+ +review closed +command line +- +- .*\\n$',
      ),
    );
    const second = await added({ ...one, Last: 'Stranger', PeopleId: other, Amount: '6' });
    const [later] = await service.database.query<{ id: number }>('SELECT id FROM review WHERE contribution_id = $1', [
      second.ContributionId,
    ]);
    expect(await done(`review accept ${later?.id} --json`)).toMatchObject({
      reviewId: later?.id,
      contributionId: second.ContributionId,
      acceptedBy: 'command line',
    });
    expect(await service.database.query('SELECT accepted_by FROM review WHERE id = $1', [later?.id])).toEqual([
      { accepted_by: 'command line' },
    ]);
  });

  it('asks for confirmation by name before a merge at a terminal, and refuses invalid merges before asking', async () => {
    const [one, two] = [giver(), giver()];
    const { PeopleId: from } = await added(one);
    const { PeopleId: into } = await added(two);
    const asked = atKeyboard(service.database.url, 'n', `person merge ${from} ${into}`);
    expect(asked.stdout).toContain(
      `Make person ${from} (${one.First} ${one.Last}, ${one.Email}) a pointer to person ${into} (${two.First} ${two.Last}, ` +
        `${two.Email})? It cannot be undone. [y/N]`,
    );
    expect(asked.stdout).toContain('error: Nothing was done.');
    expect(atKeyboard(service.database.url, 'y', `person merge ${from} ${into}`).status).toBe(0);
    for (const [line, message] of [
      [`person merge ${from} ${into}`, `error: Person ${from} was merged into person ${into} before.`],
      [`person merge ${into} 2147483647`, 'error: There is no person with PeopleId 2147483647'],
    ] as const) {
      const refused = atKeyboard(service.database.url, 'y', line);
      expect(refused).toMatchObject({ status: 1, stdout: expect.stringContaining(message) });
      expect(refused.stdout).not.toContain('[y/N]');
    }
  });

  it('explains a failure in one line', async () => {
    const { PeopleId: id } = await added(giver());
    const faults: [string, string][] = [
      ['person show 2147483647', 'There is no person with PeopleId 2147483647'],
      [`person edit ${id}`, 'There is nothing to change'],
      [`person merge ${id} ${id}`, 'cannot be merged into itself'],
      ['contact confirm 2147483647', 'There is no contact 2147483647'],
      ['contribution history 2147483647', 'There is no contribution 2147483647'],
    ];
    const outcomes = await offertory(...faults.map(([line]) => line));
    for (const [i, [line, message]] of faults.entries()) {
      expect({ line, ...outcomes[i] }).toEqual({
        line,
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/^error: [^\n]+\n$/),
      });
      expect(outcomes[i]?.stderr).toContain(message);
    }
  });
});
