import { Injectable } from '@nestjs/common';
import { Church } from '../../config/index.js';
import { noticeFacts, type ReversalFacts } from './notice-facts.js';
import { type NoticeText, NoticeTemplates } from './notice-templates.js';

/** Composes the notice of a reversal, in the church's name, time zone and currency. */
@Injectable()
export class ComposeNotice {
  /** Read when the service starts, so that an invalid template is reported then, and not at the first reversal. */
  private readonly templates = new NoticeTemplates();

  constructor(private readonly church: Church) {}

  of(reversal: ReversalFacts): NoticeText {
    return this.templates.render(noticeFacts(reversal, this.church));
  }
}
