import type { Server } from 'node:http';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Express, Request, Response } from 'express';
import { startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
let server: Server;
let express: Express;
beforeAll(async () => {
  service = await startTestApp();
  server = service.app.getHttpServer();
  express = service.app.getHttpAdapter().getInstance();
});
afterAll(() => service.stop());

it('requests and responses have Express’s prototypes before Express handles them, and keep them', async () => {
  const areExpress: boolean[] = [];
  const note = (request: Request, response: Response): void => {
    areExpress.push(
      Object.getPrototypeOf(request) === express.request,
      Object.getPrototypeOf(response) === express.response,
    );
  };
  server.prependOnceListener('request', (request: Request, response: Response) => {
    note(request, response);
    response.once('finish', () => {
      note(request, response);
    });
  });
  await service.add().expect(200);
  expect(areExpress).toEqual([true, true, true, true]);
});

it('requests and responses have Express’s properties from the beginning', async () => {
  let seen: Record<string, unknown> = {};
  server.prependOnceListener('request', (request: Request, response: Response) => {
    seen = { ip: request.ip, header: request.get('X-Given'), app: request.app, json: typeof response.json };
  });
  await service.http().get('/health/live').set('X-Given', 'here').expect(200);
  expect(seen['app']).toBe(express);
  expect(seen).toMatchObject({ ip: '127.0.0.1', header: 'here', json: 'function' });
});
