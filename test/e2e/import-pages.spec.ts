import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type supertest from 'supertest';
import { type ConsoleVisitor, entriesOf, logInToConsole, mainOf, newVisitor, originOf } from '../support/console.js';
import { type Login, startTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

const PASSWORD = 'correct horse battery';
const PLAIN = 'First,Last,Email,Phone,Amount,Date,TransactionId';

let service: TestApp;
let finance: ConsoleVisitor;
let login: Login;
let auditor: ConsoleVisitor;

beforeAll(async () => {
  service = await startTestApp({ CHURCH_TIME_ZONE: 'America/Chicago' }, { workers: true });
  ({ visitor: finance, login } = await newVisitor(service));
  auditor = await logInToConsole(service, await service.createUser('auditor', PASSWORD, ['Auditor']));
  await service.createUser('imports', PASSWORD, []);
});
afterAll(() => service.stop());

/** Sends a file as the form of the page does. */
function upload(
  content: string | Buffer,
  fields: Readonly<Record<string, string>> = {},
  visitor = finance,
  { token = visitor.formToken, origin = originOf(service) }: { token?: string; origin?: string } = {},
): supertest.Test {
  const request = service
    .http()
    .post(`/console/import?formToken=${token}`)
    .set('Cookie', visitor.cookie)
    .set('Origin', origin)
    .attach('file', Buffer.from(content), { filename: 'July gifts.csv', contentType: 'text/csv' });
  return Object.entries({ user: 'imports', source: 'envelopes', ...fields }).reduce(
    (sent, [name, value]) => sent.field(name, value),
    request,
  );
}

/** Uploads a file. @returns the path of its page. */
async function uploaded(content: string | Buffer, fields: Readonly<Record<string, string>> = {}): Promise<string> {
  const { headers } = await upload(content, fields).expect(303);
  return /console\/import\/\d+/.exec(headers['location'] ?? '')?.[0].replace(/^/, '/') ?? '';
}

const page = async (path: string, visitor = finance): Promise<string> =>
  mainOf((await visitor.get(path).expect(200)).text);

/** The page once the run has ended. */
async function ended(path: string): Promise<string> {
  await until(async () => !(await finance.get(path)).text.includes('data-follow'));
  return page(path);
}

/** The choices of the form of the mapping, as the page shows them. */
function shownForm(html: string): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [, name = '', options = ''] of html.matchAll(/<select[^>]* name="([^"]+)"[^>]*>(.*?)<\/select>/gs))
    fields[name] = unescaped(/<option value="([^"]*)" selected/.exec(options)?.[1] ?? '');
  for (const [input] of html.matchAll(/<input[^>]*>/g)) {
    const [, name = ''] = / name="([^"]+)"/.exec(input) ?? [];
    const [, value = ''] = / value="([^"]*)"/.exec(input) ?? [];
    const isOff = input.includes('type="checkbox"') && !input.includes(' checked');
    if (name !== '' && name !== 'formToken' && !isOff) fields[name] = unescaped(value);
  }
  return fields;
}

const unescaped = (text: string): string => text.replaceAll('&quot;', '"').replaceAll('&amp;', '&');

/** Sends the form of the mapping as it is shown, with changes. */
async function check(path: string, changes: Readonly<Record<string, string>> = {}): Promise<supertest.Response> {
  const { text } = await finance.get(`${path}/mapping`).expect(200);
  return finance.post(`${path}/check`, { ...shownForm(mainOf(text)), ...changes });
}

/** A name whose field is read as this. */
const fieldOf = (html: string, column: string): string =>
  new RegExp(`<label for="field-(column-\\d+)">“${column}”`).exec(html)?.[1] ?? '';

const factOf = (html: string, name: string): string =>
  (new RegExp(`<dt>${name}</dt><dd>(.*?)</dd>`).exec(html)?.[1] ?? '').replaceAll(/<[^>]+>/g, '');

const countOfGifts = async (source: string): Promise<number> => {
  const [row] = await service.database.query<{ count: number }>(
    'SELECT count(*)::integer AS count FROM contribution WHERE source = $1',
    [source],
  );
  return row?.count ?? 0;
};

let count = 0;

/** Rows of a file with the columns of {@link PLAIN}. */
const rows = (number: number, name = `file${++count}`): string =>
  Array.from({ length: number }, (_row, i) => {
    const key = `${name}-${i + 1}`;
    return `Ann${i + 1},${name},${key}@example.org,90155501${String(i % 100).padStart(2, '0')},10.50,2026-06-01,${key}`;
  }).join('\n');

it('the page says what would be there', async () => {
  expect(await page('/console/import')).toContain('No file was imported on the console yet.');
});

describe('a file', () => {
  it('is uploaded, looked at, tried and booked, by the person who did it', async () => {
    const path = await uploaded(`${PLAIN}\n${rows(2, 'book')}\nBob,NoMail,,,5,2026-06-02,book-3\n`, { source: 'book' });
    const form = await page(path);
    expect(form).toContain('No known export has these columns.');
    expect(form).toContain('Ann1 · Ann2 · Bob');
    expect(factOf(form, 'File')).toBe('July gifts.csv');
    expect((await check(path)).status).toBe(303);
    const tried = await ended(path);
    expect(factOf(tried, 'Will be recorded')).toBe('2 rows of 21.00');
    expect(factOf(tried, 'Refused')).toBe('1');
    expect(factOf(tried, 'New persons')).toBe('2');
    // The refused row comes first.
    expect(tried.indexOf('Email is required')).toBeLessThan(tried.indexOf('Ann1 book'));
    expect(tried).toContain('Jun 1, 2026');
    expect(await countOfGifts('book')).toBe(0);

    const asked = await page(`${path}/book`);
    expect(asked).toContain('1 refused row will not be recorded');
    expect(shownForm(asked)).toEqual({ Revision: '1' });
    // Somebody clicks twice, and sends the form again later.
    const answers = await Promise.all([1, 2].map(() => finance.post(`${path}/book`, { Revision: '1' })));
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    const booked = await ended(path);
    await finance.post(`${path}/book`, { Revision: '1' }).expect(303);
    expect(factOf(booked, 'State')).toBe('Recorded');
    expect(booked).toContain('2 gifts were recorded, 1 row was refused.');
    expect(booked).toContain('gifts?processor=imports');
    expect(factOf(booked, 'Recorded')).toBe('2 rows of 21.00');
    expect(await countOfGifts('book')).toBe(2);

    const result = await finance.get(`${path}/result`).expect(200);
    expect(result.headers['content-disposition']).toMatch(/^attachment; filename="import-\d+\.result\.csv"$/);
    expect(
      result.text
        .trim()
        .split('\r\n')
        .map((line) => line.split(',')[3]),
    ).toEqual(['Status', 'recorded', 'recorded', 'refused']);
    const entries = (await entriesOf(service, login)).filter(({ action }) =>
      /^import\.(upload|begin|end|preview)$/.test(action),
    );
    expect(entries.map(({ action, via }) => [action, via])).toEqual([
      ['import.upload', 'page'],
      ['import.preview', 'page'],
      ['import.begin', 'page'],
      ['import.end', 'page'],
    ]);
    expect(entries.at(-1)?.details).toMatchObject({ recorded: 2, refused: 1, stopped: false, user: 'imports' });
  });

  it('without a source is proposed the name of its user, and marks the field if it is emptied', async () => {
    const path = await uploaded(`${PLAIN}\n${rows(1)}`, { source: '' });
    const form = await page(path);
    expect(shownForm(form)['source']).toBe('imports');
    expect(form).not.toContain('The source is missing');
    const emptied = await check(path, { source: '' });
    expect(emptied.status).toBe(422);
    const text = mainOf(emptied.text);
    expect(text.match(/say where these gifts come from/g)).toHaveLength(1);
    expect(text).toMatch(/name="source"[^>]*aria-invalid="true"|aria-invalid="true"[^>]*name="source"/);
    expect((await check(path)).status).toBe(303);
    expect(factOf(await ended(path), 'Source')).toBe('imports');
  });

  it('can belong to a user without roles, and to none who only reads', async () => {
    const list = await page('/console/import');
    expect([list.includes('value="imports"'), list.includes('value="auditor"')]).toEqual([true, false]);
  });

  it('that is imported again names nobody as new', async () => {
    const file = `${PLAIN}\n${rows(1)}`;
    const first = await uploaded(file);
    await check(first);
    await ended(first);
    await finance.post(`${first}/book`, { Revision: '1' }).expect(303);
    expect(await ended(first)).toMatch(/new <a [^>]*>person \d+/);
    const second = await uploaded(file);
    await check(second);
    const again = await ended(second);
    expect(again).toContain('already recorded');
    expect(again).not.toMatch(/new <a [^>]*>person/);
    expect(again).toContain('The gifts of this file were recorded before');
  });

  it('of a known processor needs no mapping', async () => {
    const file = readFileSync(new URL('../process/processor-files/stripe.csv', import.meta.url));
    const path = await uploaded(file, { source: '' });
    const form = await page(path);
    expect(form).toContain('The columns are those of <strong>Stripe</strong>');
    expect(form).not.toContain('To decide');
    expect((await check(path)).status).toBe(303);
    const tried = await ended(path);
    expect(factOf(tried, 'State')).toBe('Tried, not recorded');
    expect(factOf(tried, 'Export of')).toBe('Stripe');
    expect(factOf(tried, 'Will be recorded')).toMatch(/^[1-9]\d* rows of /);
  });

  it('asks in plain words about columns that can change what a row means', async () => {
    const header = 'Given,Family,Mail,Cell no,Gift value,Day,Payment Status,Test';
    const path = await uploaded(
      `${header}\nAnn,Lee,ask1@example.org,1,5,2026-06-01,Whatever,x\nBob,Lee,ask2@example.org,2,7,2026-06-02,Else,x`,
      { source: 'asks' },
    );
    const form = await page(path);
    expect(form).toContain('“Payment Status” can say that a payment failed, is pending or was taken back. What is it?');
    expect(form).toContain('No column is the amount');
    expect(form).not.toMatch(/--mapping|--source|Nothing was recorded/);
    const field = (column: string): string => fieldOf(form, column);

    const refused = await check(path);
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('must be decided');

    const twice = await check(path, { [field('Given')]: 'Last', [field('Family')]: 'Last' });
    expect(twice.text).toContain('is read as the same as “Given”');

    const missing = await check(path, { [field('Payment Status')]: 'ignore', [field('Test')]: 'ignore' });
    expect([missing.status, missing.text]).toEqual([
      422,
      expect.stringContaining('No column is the amount: choose one.'),
    ]);

    const status = field('Payment Status').replace('column', 'value');
    const answer = await check(path, {
      ...{
        [field('Given')]: 'First',
        [field('Family')]: 'Last',
        [field('Mail')]: 'Email',
        [field('Cell no')]: 'Phone',
      },
      ...{ [field('Gift value')]: 'Amount', [field('Day')]: 'Date', [field('Test')]: 'ignore' },
      ...{ [field('Payment Status')]: 'condition', [`${status}-0`]: 'gift', [`${status}-1`]: 'left out' },
    });
    expect(answer.status).toBe(303);
    const tried = await ended(path);
    expect(factOf(tried, 'Will be recorded')).toBe('1 row of 5.00');
    expect(factOf(tried, 'Left out')).toBe('1');
    // The form shows what was chosen.
    const again = await page(`${path}/mapping`);
    expect(shownForm(again)).toMatchObject({ [field('Payment Status')]: 'condition', [`${status}-0`]: 'gift' });
  });

  it('is read by a mapping that was pasted, and as the export of another processor', async () => {
    const path = await uploaded('Who,Mail,Sum,When\n"Lee, Ann",paste@example.org,5,2026-06-01', { source: 'pasted' });
    const invalid = await check(path, { json: '{' });
    expect([invalid.status, invalid.text]).toEqual([400, expect.stringContaining('must be one JSON object')]);
    const unknown = await check(path, { json: '{"Who": "Nothing"}' });
    expect([unknown.status, unknown.text]).toEqual([422, expect.stringContaining('must be the name of a field')]);
    const json = '{"Who":{"name":"Last, First"},"Mail":"Email","Sum":"Amount","When":"Date","defaults":{"Phone":null}}';
    expect((await check(path, { json })).status).toBe(303);
    expect(await ended(path)).toContain('Ann Lee');
    const other = await check(path, { format: 'stripe' });
    expect(other.headers['location']).toContain('/mapping');
    expect((await check(path)).status).toBe(422);
  });

  it('is tried again when its dry run fails, and says why', async () => {
    const path = await uploaded(`${PLAIN}\n${rows(1)}\nAnn,Lee,a@example.org,1,5,13/01/2026,late-1`);
    expect((await check(path, { dates: 'D/M/Y' })).status).toBe(303);
    expect(factOf(await ended(path), 'Will be recorded')).toBe('2 rows of 15.50');
    expect((await check(path, { dates: 'M/D/Y' })).status).toBe(303);
    const failed = await ended(path);
    expect(failed).toContain('The date on line 3 cannot be in the order M/D/Y');
    expect(failed).toContain('Try it');
  });

  it.each([
    ['of a spreadsheet', Buffer.from([0x50, 0x4b, 3, 4, 0, 0]), 'save the sheet as &quot;CSV UTF-8&quot;'],
    ['of a web page', '<!DOCTYPE html><html></html>', 'It is a web page'],
    ['without content', '', 'is empty'],
    ['that is no CSV', `${PLAIN}\n"never closed`, 'never closed'],
    ['of other bytes', Buffer.from([0, 1, 2, 3, 0, 255, 254]), 'not text'],
  ])('%s is refused, and nothing is kept', async (_what, content, message) => {
    const [before] = await service.database.query('SELECT count(*) FROM import_file');
    const { status, text } = await upload(content);
    expect([status, text]).toEqual([422, expect.stringContaining(message)]);
    // What was typed stays.
    expect(text).toContain('value="envelopes"');
    expect(await service.database.query('SELECT count(*) FROM import_file')).toEqual([before]);
  });

  it('needs a user, and must be chosen', async () => {
    const unknown = await upload(`${PLAIN}\n${rows(1)}`, { user: 'nobody' });
    expect([unknown.status, unknown.text]).toEqual([400, expect.stringContaining('must be the name of a user')]);
    const none = await service
      .http()
      .post(`/console/import?formToken=${finance.formToken}`)
      .set('Cookie', finance.cookie)
      .set('Origin', originOf(service))
      .field('user', 'imports')
      .field('a[b][c]', 'x');
    expect([none.status, none.text]).toEqual([400, expect.stringContaining('File must be chosen.')]);
  });
});

describe('the form with the file is refused before the file is read', () => {
  /** Sends the head of a large upload only, and waits for the answer. */
  async function headOnly(headers: Record<string, string>, token = finance.formToken): Promise<number> {
    const { port } = service.app.getHttpServer().address() as AddressInfo;
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        {
          ...{ host: '127.0.0.1', port, method: 'POST', path: `/console/import?formToken=${token}` },
          headers: {
            'Content-Type': 'multipart/form-data; boundary=x',
            'Content-Length': '1000000',
            Origin: originOf(service),
            Cookie: finance.cookie,
            ...headers,
          },
        },
        (answer) => {
          resolve(answer.statusCode ?? 0);
          request.destroy();
        },
      );
      request.on('error', reject);
      request.flushHeaders();
    });
  }

  it.each([
    ['from another origin', { Origin: 'https://evil.example' }, undefined, 403],
    ['without the form token', {}, '', 403],
    ['with the form token of another session', {}, 'other', 403],
    ['without a session', { Cookie: 'offertory=x' }, undefined, 303],
    ['that is too large', { 'Content-Length': '30000000' }, undefined, 413],
    ['of another kind', { 'Content-Type': 'application/x-www-form-urlencoded' }, undefined, 415],
  ])('%s', async (_what, headers, token, status) => {
    const sent = token === 'other' ? auditor.formToken : token;
    expect(await headOnly(headers, sent)).toBe(status);
  });

  it('of an auditor, who sees what was imported', async () => {
    expect((await upload(`${PLAIN}\n${rows(1)}`, {}, auditor)).status).toBe(403);
    const path = await uploaded(`${PLAIN}\n${rows(1)}`);
    const list = await page('/console/import', auditor);
    expect(list).toContain('July gifts.csv');
    expect(list).not.toContain('<form');
    expect(await page(path, auditor)).not.toContain('<form');
    for (const action of ['check', 'book', 'forget']) await auditor.post(`${path}/${action}`).expect(403);
    for (const form of ['mapping', 'book', 'forget']) await auditor.get(`${path}/${form}`).expect(403);
  });
});

it('a file whose end is too far away is refused while it is received', async () => {
  const { status, text } = await upload(Buffer.alloc(21 * 1024 * 1024, 'x'));
  expect([status, text]).toEqual([413, expect.stringContaining('at most 20 MB')]);
});

it('nobody books what somebody else has tried in another way', async () => {
  const path = await uploaded(`${PLAIN}\n${rows(1, 'stale')}`, { source: 'stale' });
  await check(path);
  await ended(path);
  await check(path, { source: 'other' });
  await ended(path);
  const { text } = await finance.post(`${path}/book`, { Revision: '1' }).expect(409);
  expect(text).toContain('was tried again since');
  expect(text).toContain('name="Revision" value="2"');
  expect(await countOfGifts('stale')).toBe(0);
});

it('the content is deleted at once, and the figures stay', async () => {
  const path = await uploaded(`${PLAIN}\n${rows(1, 'secret')}`, { source: 'secret' });
  const importId = Number(path.split('/').at(-1));
  await check(path);
  await ended(path);
  expect(await page(`${path}/forget`)).toContain('are deleted permanently');
  await finance.post(`${path}/forget`).expect(303);
  await finance.post(`${path}/forget`).expect(303);
  expect(await page(path)).toContain('Content deleted');
  await finance.get(`${path}/result`).expect(404);
  expect((await finance.get(`${path}/book`)).status).toBe(303);
  expect((await finance.get(`${path}/mapping`)).status).toBe(303);
  const [left] = await service.database.query<{ text: string; parts: number }>(
    `SELECT to_jsonb(f)::text AS text, (SELECT count(*)::integer FROM import_file_part WHERE import_file_id = f.id) AS parts
     FROM import_file f WHERE id = $1`,
    [importId],
  );
  expect(left?.parts).toBe(0);
  expect(left?.text).not.toMatch(/Ann1|secret-1|July/);
});

it('the content is deleted after 14 days', async () => {
  const path = await uploaded(`${PLAIN}\n${rows(1, 'old')}`);
  const importId = Number(path.split('/').at(-1));
  await service.database.query(`UPDATE import_file SET uploaded_at = now() - interval '15 days' WHERE id = $1`, [
    importId,
  ]);
  await service.database.query(`UPDATE job SET due_at = now() WHERE queue = 'forget-import-files'`);
  await until(async () => (await page(path)).includes('Content deleted'));
  const entries = await service.database.query(
    `SELECT via FROM audit_entry WHERE action = 'import.forget' AND details ->> 'importId' = $1`,
    [String(importId)],
  );
  expect(entries).toEqual([{ via: 'service' }]);
});

it('an import whose user is disabled stops, and continues when the user is there again', async () => {
  await service.createUser('leaves', PASSWORD, []);
  const path = await uploaded(`${PLAIN}\n${rows(1, 'gone')}`, { source: 'gone', user: 'leaves' });
  await check(path);
  await ended(path);
  await service.database.query(`UPDATE app_user SET active = false WHERE username = 'leaves'`);
  const refused = await finance.post(`${path}/book`, { Revision: '1' });
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('a user that is not disabled')]);
  await service.database.query(`UPDATE app_user SET active = true WHERE username = 'leaves'`);
  await finance.post(`${path}/book`, { Revision: '1' }).expect(303);
  expect(factOf(await ended(path), 'Recorded')).toBe('1 row of 10.50');
});

it('addresses of imports that do not exist are not found', async () => {
  for (const path of ['', '/mapping', '/book', '/forget', '/result'])
    await finance.get(`/console/import/999${path}`).expect(404);
  for (const path of ['/check', '/book', '/forget'])
    await finance.post(`/console/import/999${path}`, { Revision: '1' }).expect(404);
  await finance.get('/console/import?before=x').expect(400);
});
