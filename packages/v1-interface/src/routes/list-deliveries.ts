import type { Answer, OwnedExchange } from '../interface/exchange.ts'
import type { RouteContext } from '../interface/route-context.ts'
import { deliveryList } from '../wire/delivery-list.ts'
import { jsonReply } from '../wire/json-reply.ts'
import { pathId } from '../wire/path-id.ts'

/** GET /v1/jobs/{id}/deliveries, beyond the base interface: the tries to deliver the job's webhook. */
export function listDeliveries({ service }: RouteContext): Answer<OwnedExchange> {
  return async (exchange) =>
    jsonReply(JSON.stringify(deliveryList(await service.deliveries(pathId(exchange), exchange.owner))))
}
