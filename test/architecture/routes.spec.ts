import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, ModulesContainer, Reflector } from '@nestjs/core';
import { PUBLIC, ROLE_SETS } from '../../src/auth/route-access.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;

beforeAll(async () => {
  service = await startTestApp();
});
afterAll(() => service.stop());

/** Every route there is and what it demands: a new one has to be entered here, with a thought about who may call it. */
const ROUTES = {
  'POST /Api/AddContribution': [['Developer', 'APIOnly', 'APIWrite']],
  'POST /Api/ReverseContribution/:id/:source': [['Developer', 'APIOnly', 'APIWrite']],
  'GET /Api/Contributions/:id': [['Developer', 'APIOnly'], ['Finance']],
  'POST /Api/Contributions/:id/reassign': [['Finance']],
  'GET /Api/Reviews': [['Finance']],
  'POST /Api/Reviews/:id/accept': [['Finance']],
  'GET /health/live': 'public',
  'GET /health/ready': 'public',
};

it('lists every route with the roles it demands', () => {
  const reflector = service.app.get(Reflector);
  const scanner = new MetadataScanner();
  const found: Record<string, unknown> = {};
  for (const module of service.app.get(ModulesContainer).values()) {
    for (const { metatype, instance } of module.controllers.values()) {
      const controller = instance as Record<string, () => unknown>;
      for (const name of scanner.getAllMethodNames(controller)) {
        const handler = controller[name];
        const method = handler && (Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined);
        if (handler === undefined || method === undefined || typeof metatype !== 'function') continue;
        const path = `/${String(Reflect.getMetadata(PATH_METADATA, metatype))}/${String(Reflect.getMetadata(PATH_METADATA, handler))}`;
        const places = [handler, metatype];
        found[`${RequestMethod[method]} ${path}`] = reflector.getAllAndOverride<boolean>(PUBLIC, places)
          ? 'public'
          : reflector.getAllAndOverride<unknown>(ROLE_SETS, places);
      }
    }
  }
  expect(found).toEqual(ROUTES);
});
