import { expect, it } from '@jest/globals';
import { Body, Controller, Get, Post } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { inputsOf } from './route-inputs.js';

class Gift {
  readonly Amount!: string;
}

@Controller()
class Gifts {
  @Post()
  add(@Body() gift: Gift): Gift {
    return gift;
  }

  @Get()
  read(caller: object): object {
    return caller;
  }
}

it('finds the class of a body', () => {
  expect(inputsOf(Gifts, 'add').body).toBe(Gift);
});

// Nest identifies a decorator of our own by a random text. One that began with 3, the number of @Body(), once passed
// for a body, so that every call of the route got a 415.
it('does not take a decorator with a random id for a body', () => {
  const key = '3xQhV8__customRouteArgs__:0';
  Reflect.defineMetadata(ROUTE_ARGS_METADATA, { [key]: { index: 0, pipes: [] } }, Gifts, 'read');
  expect(inputsOf(Gifts, 'read').body).toBeUndefined();
});
