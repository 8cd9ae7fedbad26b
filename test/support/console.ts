import type { AddressInfo } from 'node:net';
import type supertest from 'supertest';
import { noteSecret } from './kept-logs.js';
import type { Login, TestApp } from './test-app.js';

/** A person who has logged in to the console. */
export interface ConsoleVisitor {
  /** As in the header Cookie. */
  readonly cookie: string;
  /** The hidden text of the session's forms. */
  readonly formToken: string;
  get(path: string): supertest.Test;
  /** Sends a form as a browser does: with the origin and the form token. */
  post(path: string, fields?: Readonly<Record<string, string>>): supertest.Test;
}

/** The origin of the service's own pages. */
export function originOf(service: TestApp): string {
  return `http://127.0.0.1:${(service.app.getHttpServer().address() as AddressInfo).port}`;
}

/** Sends the login form. */
export function sendLogin(service: TestApp, [username, password]: Login, fields: object = {}): supertest.Test {
  noteSecret(password);
  return service
    .http()
    .post('/console/login')
    .set('Origin', originOf(service))
    .type('form')
    .send({ username, password, ...fields });
}

/** The cookie that an answer sets, as in the header Cookie; undefined if it sets none. */
export function cookieOf({ headers }: { readonly headers: Readonly<Record<string, unknown>> }): string | undefined {
  const [cookie] = (headers['set-cookie'] ?? []) as readonly string[];
  return cookie?.split(';')[0];
}

/** The hidden text of the forms of a page. */
export function formTokenOf(html: string): string {
  return /name="formToken" value="([\w-]+)"/.exec(html)?.[1] ?? '';
}

/** A page without what is around it, such as the form that logs out. */
export function mainOf(html: string): string {
  return /<main.*<\/main>/s.exec(html)?.[0] ?? '';
}

/** The texts of a page, without its elements, what is around it, and the keys of its buttons. */
export function textOf(html: string): string {
  return mainOf(html)
    .replaceAll(/<kbd class="key".*?<\/kbd>/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');
}

/** The message that an answer leads to: what a form has done. */
export function flashOf(headers: Readonly<Record<string, string>>): string {
  return new URLSearchParams(headers['location']?.split('?')[1] ?? '').get('flash') ?? '';
}

/** The fields of a page that its forms send along unseen, but for the form token. */
export function hiddenFieldsOf(html: string): Record<string, string> {
  const fields = [...mainOf(html).matchAll(/type="hidden" name="(\w+)" value(?:="([^"]*)")?/g)];
  return Object.fromEntries(
    fields.flatMap(([, name = '', value = '']) => (name === 'formToken' ? [] : [[name, value]])),
  );
}

let count = 0;

/** A new user with the role Finance, who has logged in. */
export async function newVisitor(service: TestApp): Promise<{ login: Login; visitor: ConsoleVisitor }> {
  const login = await service.createUser(`treasurer ${++count}`, 'correct horse battery', ['Finance']);
  return { login, visitor: await logInToConsole(service, login) };
}

/** Where the login page is, relative to another page. */
export const LOGIN_PATH = /^(\.\.?\/)+console\/login(\?|$)/;

/** The answers to what a visitor who has logged in may do, of which none is allowed after the end of the session. */
export async function statusesOf(visitor: ConsoleVisitor): Promise<number[]> {
  const answers = [
    await visitor.get('/console'),
    await visitor.get('/console/account'),
    await visitor.post('/console/account/sessions/2000000001/end'),
  ];
  return answers.map(({ status, headers }) => (LOGIN_PATH.test(headers['location'] ?? '') ? 401 : status));
}

interface AuditedAction {
  readonly actor: string;
  readonly via: string;
  readonly action: string;
  readonly subject: string;
  readonly details: unknown;
}

/** The entries of the audit trail by a user, or on this user, after its creation. */
export async function entriesOf(service: TestApp, [username]: Login): Promise<AuditedAction[]> {
  return service.database.query<AuditedAction>(
    `SELECT actor, via, action, subject, details FROM audit_entry
     WHERE (actor = $1 OR subject = 'user ' || $1) AND action <> 'user.create' ORDER BY id`,
    [username],
  );
}

/** Logs a person in, who may use the console. */
export async function logInToConsole(service: TestApp, login: Login): Promise<ConsoleVisitor> {
  const cookie = cookieOf(await sendLogin(service, login).expect(303));
  if (cookie === undefined) throw new Error('The login set no cookie');
  noteSecret(cookie.replace(/^[^=]*=/, ''));
  const get = (path: string): supertest.Test => service.http().get(path).set('Cookie', cookie);
  const formToken = formTokenOf((await get('/console/account').expect(200)).text);
  return {
    cookie,
    formToken,
    get,
    post: (path, fields = {}) =>
      service
        .http()
        .post(path)
        .set('Cookie', cookie)
        .set('Origin', originOf(service))
        .type('form')
        .send({ formToken, ...fields }),
  };
}
