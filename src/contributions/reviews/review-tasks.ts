import { Injectable, OnModuleInit } from '@nestjs/common';
import { HomeParts, type Task } from '../../pages/index.js';
import { Reviews } from './reviews.service.js';

/** What waits for Finance on the home page: open reviews. */
@Injectable()
export class ReviewTasks implements OnModuleInit {
  constructor(
    private readonly home: HomeParts,
    private readonly reviews: Reviews,
  ) {}

  onModuleInit(): void {
    this.home.addTask(() => this.open());
  }

  private async open(): Promise<Task | undefined> {
    const count = await this.reviews.countOpen();
    return count === 0
      ? undefined
      : { count, label: count === 1 ? 'open review' : 'open reviews', to: '/console/reviews' };
  }
}
