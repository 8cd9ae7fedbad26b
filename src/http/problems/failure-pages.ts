import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { FieldFault } from './errors.js';
import type { ErrorKind } from './expected-error.js';

/** A failure of a request. */
export interface Failure {
  readonly kind: ErrorKind;
  /** What happened, for people. */
  readonly detail: string;
  readonly faults: readonly FieldFault[];
  /** What the caller should look at before it tries again. */
  readonly current: object | undefined;
  readonly requestId: string;
}

/** An answer in HTML, or a redirect to a page. */
export interface FailurePage {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly html: string;
}

type MakePage = (failure: Failure, request: Request) => FailurePage;

/** Makes the answers to failures under /console and /guides, where people read them. All other failures are problem documents. */
@Injectable()
export class FailurePages {
  private make: MakePage | undefined;

  /** Declares how the pages are made. The module of the pages calls it when it starts. */
  makeBy(make: MakePage): void {
    this.make = make;
  }

  /** The page of a failure; undefined if no module makes pages. */
  pageOf(failure: Failure, request: Request): FailurePage | undefined {
    return this.make?.(failure, request);
  }
}
