import { Injectable } from '@nestjs/common';
import { GiftScreening } from '../../contributions/index.js';
import type { ExpectedError } from '../../http/index.js';
import { ProvokedAnswers } from './provoked-answers.service.js';

/** Gives the gifts of a batch the errors that the names of their givers ask for. */
@Injectable()
export class ScreenBatches extends GiftScreening {
  constructor(private readonly answers: ProvokedAnswers) {
    super();
  }

  refusalOf(giver: Parameters<GiftScreening['refusalOf']>[0]): ExpectedError | undefined {
    return this.answers.toGiftOfBatch(giver);
  }
}
