import type { Server } from 'node:http';
import type { NestApplicationOptions } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { CallTurnsGuard, FormTokenGuard } from './auth/index.js';
import { Configuration, type HttpSettings } from './config/index.js';
import {
  answerUnreadableRequests,
  CrossSiteRequestError,
  DeclaredInputGuard,
  crossSiteHeader,
  FileBodyGuard,
  FormBodyGuard,
  headersOfMode,
  JsonBodyGuard,
  setRequestId,
  parseQuery,
  RequestObserver,
  setOnEachAnswer,
  setSecurityHeaders,
} from './http/index.js';

/** Options of the application. Nest's body parser is off, because it would run before the guards. */
export const APP_OPTIONS = { bodyParser: false } satisfies NestApplicationOptions;

/** Sets up the HTTP behaviour that all routes share: headers of every answer, paths, proxies and time limits. */
export function setUpApp(app: NestExpressApplication, settings: HttpSettings): void {
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', parseQuery);
  if (settings.trustProxy !== undefined) app.set('trust proxy', settings.trustProxy);
  const observer = app.get(RequestObserver);
  // First, because the origin of a request depends on whether its path is under /console.
  if (settings.basePath !== '') app.use(withoutBasePath(settings.basePath));
  app.use((request: Request, response: Response, next: NextFunction) => {
    setRequestId(request, response);
    observer.watch(request, response);
    setSecurityHeaders(response);
    const header = crossSiteHeader(request, settings.publicUrl);
    next(header === undefined ? undefined : new CrossSiteRequestError(header));
  });
  // They run after the guards of access, because Nest runs guards that are providers first.
  app.useGlobalGuards(
    new DeclaredInputGuard(),
    new JsonBodyGuard(),
    new FormBodyGuard(),
    app.get(FormTokenGuard),
    new FileBodyGuard(),
    app.get(CallTurnsGuard),
  );
  const server: Server = app.getHttpServer();
  setTimeLimits(server);
  const headers = headersOfMode(app.get(Configuration).mode);
  answerUnreadableRequests(server, headers);
  // Last, because it is to run first.
  setOnEachAnswer(server, headers);
}

/**
 * Removes BASE_PATH from the request's path, as a proxy would. Routes do not know about it, so neither the routes nor
 * the answers for unknown paths depend on it.
 */
function withoutBasePath(basePath: string): (request: Request, response: Response, next: NextFunction) => void {
  return (request, _response, next) => {
    const front = request.url.slice(0, basePath.length + 1).toLowerCase();
    if (front === `${basePath.toLowerCase()}/`) request.url = request.url.slice(basePath.length);
    next();
  };
}

function setTimeLimits(server: Server): void {
  server.headersTimeout = 20_000;
  server.requestTimeout = 30_000;
  // A connection on which nothing moves, such as that of a caller that does not read its answer. Longer than the service
  // works on a call: two seconds to log in, ten to wait for a turn, six for the database.
  server.timeout = 30_000;
  // Longer than proxies keep idle connections, so that a proxy never sends a request on a connection that we close.
  server.keepAliveTimeout = 75_000;
}
