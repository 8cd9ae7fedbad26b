import { ArgumentsHost, Catch, ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Application, Request, Response } from 'express';
import { describeError, isDatabaseUnavailable } from '../../database/index.js';
import { allowedMethods } from '../allowed-methods.js';
import { isReadByPeople } from '../areas.js';
import {
  DATABASE_UNAVAILABLE,
  INTERNAL_ERROR,
  INVALID_REQUEST,
  METHOD_NOT_ALLOWED,
  SERVICE_BUSY,
} from './error-kinds.js';
import { PathNotFoundError } from './errors.js';
import { type ErrorKind, ExpectedError } from './expected-error.js';
import { expectedErrorOf } from './expected-error-of.js';
import { type Failure, FailurePages } from './failure-pages.js';
import { problem, problemDetailsOf, PROBLEM_JSON } from './problem.js';
import { setErrorCode } from '../observing/request-outcome.js';
import { requestIdOf } from '../observing/request-id.js';

/** Seconds; about how long a database needs to restart. */
const DATABASE_RETRY_AFTER = '5';

/** How often `service_busy` is logged, so that a flood of calls does not fill the disk. */
const BUSY_LOG_INTERVAL_MS = 60_000;

/**
 * Turns every error into an answer: a problem document, or under /console and /guides a page, and the headers that its code requires.
 */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger('Http');
  private busyLoggedAt = -BUSY_LOG_INTERVAL_MS;

  constructor(
    private readonly adapterHost: HttpAdapterHost,
    private readonly pages: FailurePages,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    // Too late for an answer. The caller sees a cut connection, which the contract defines as an unknown result.
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const { kind, detail } = this.expected(error, request, response);
    response.setHeaders(new Map(Object.entries(this.headersOf(kind, error))));
    setErrorCode(response, kind.code);
    if (kind.status >= 500) this.log(kind, error, requestIdOf(response));
    const { faults = [], current } = problemDetailsOf(error);
    this.send({ kind, detail, faults, current, requestId: requestIdOf(response) }, request, response);
  }

  private send(failure: Failure, request: Request, response: Response): void {
    const { kind, detail, requestId } = failure;
    const page = isReadByPeople(request.path) ? this.pages.pageOf(failure, request) : undefined;
    if (page === undefined) {
      const body = JSON.stringify(problem(kind, detail, requestId, failure));
      response.status(kind.status).setHeader('Content-Type', PROBLEM_JSON).end(body);
    } else {
      response
        .status(page.status)
        .setHeaders(new Map(Object.entries(page.headers)))
        .end(page.html);
    }
  }

  private expected(error: unknown, request: Request, response: Response): { kind: ErrorKind; detail: string } {
    const failure = expectedErrorOf(error);
    if (failure !== undefined) return { kind: failure.kind, detail: failure.message };
    if (isDatabaseUnavailable(error)) return { kind: DATABASE_UNAVAILABLE, detail: DATABASE_UNAVAILABLE.example };
    if (error instanceof HttpException) {
      if (error.getStatus() === 404) return this.unrouted(request, response);
      if (error.getStatus() === 400) {
        return { kind: INVALID_REQUEST, detail: 'The path is not valid percent-encoded UTF-8.' };
      }
    }
    return { kind: INTERNAL_ERROR, detail: INTERNAL_ERROR.example };
  }

  private unrouted(request: Request, response: Response): { kind: ErrorKind; detail: string } {
    const methods = allowedMethods(this.adapterHost.httpAdapter.getInstance<Application>(), request.path);
    if (methods.length === 0) return this.expected(new PathNotFoundError(), request, response);
    response.setHeader('Allow', methods.join(', '));
    return { kind: METHOD_NOT_ALLOWED, detail: `This path takes ${methods.join(' and ')} only.` };
  }

  private headersOf(kind: ErrorKind, error: unknown): Readonly<Record<string, string>> {
    if (error instanceof ExpectedError && Object.keys(error.headers).length > 0) return error.headers;
    return kind === DATABASE_UNAVAILABLE ? { 'Retry-After': DATABASE_RETRY_AFTER } : {};
  }

  private log(kind: ErrorKind, error: unknown, requestId: string): void {
    if (kind === SERVICE_BUSY) {
      if (performance.now() - this.busyLoggedAt < BUSY_LOG_INTERVAL_MS) return;
      this.busyLoggedAt = performance.now();
    }
    const { code } = kind;
    const line = `Request ${requestId} failed with ${code}: ${describeError(error)}`;
    // No stack for an unavailable database: the code has no fault, and there may be many of these entries.
    if (kind !== INTERNAL_ERROR) this.logger.warn(line);
    else this.logger.error(line, error instanceof Error ? error.stack : undefined);
  }
}
