import { Controller, Get, Param } from '@nestjs/common';
import { Roles } from '../../auth/index.js';
import { PathIdPipe } from '../dto/path-parameters.js';
import { type GiverView, Giving } from './giving.service.js';

/** What Finance sees of givers. */
@Controller('Api')
@Roles('Finance')
export class GivingController {
  constructor(private readonly giving: Giving) {}

  @Get('People/:id')
  async show(@Param('id', PathIdPipe) peopleId: number): Promise<GiverView> {
    return this.giving.of(peopleId);
  }
}
