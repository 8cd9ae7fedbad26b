import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { RequestFigures } from './request-figures.js';
import { outcomeOf } from './request-outcome.js';

/** Looks at every request from its begin to the end of its answer. */
@Injectable()
export class RequestObserver {
  constructor(private readonly figures: RequestFigures) {}

  /** Called once for each request, as early as can be. */
  watch(request: Request, response: Response): void {
    const begin = performance.now();
    // Comes after every answer, and also when the caller has gone before it.
    response.once('close', () => {
      this.figures.note(outcomeOf(request, response, (performance.now() - begin) / 1_000));
    });
  }
}
