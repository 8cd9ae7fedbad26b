import { type EntityManager, IsNull } from 'typeorm';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';

/** Disables an endpoint whose receiver has answered that it is gone. @returns whether it was enabled. */
export async function disableGone(tx: EntityManager, id: number): Promise<boolean> {
  const { affected } = await tx
    .getRepository(WebhookEndpoint)
    .update({ id, disabledAt: IsNull() }, { disabledAt: () => 'now()', disabledBy: null });
  return affected === 1;
}
