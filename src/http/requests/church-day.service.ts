import { Injectable } from '@nestjs/common';
import { Church } from '../../config/index.js';
import { DatabaseClock } from '../../database/index.js';
import { churchToday } from '../../values/index.js';

/** The present day, in church time. */
@Injectable()
export class ChurchDay {
  constructor(
    private readonly clock: DatabaseClock,
    private readonly church: Church,
  ) {}

  /** YYYY-MM-DD */
  today(): string {
    return churchToday(this.clock.now(), this.church.timeZone);
  }
}
