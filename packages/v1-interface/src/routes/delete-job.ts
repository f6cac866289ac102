import type { Answer, OwnedExchange } from '../interface/exchange.ts'
import type { RouteContext } from '../interface/route-context.ts'
import { pathId } from '../wire/path-id.ts'

/** DELETE /v1/jobs/{id}, beyond the base interface: 204 when the finished job is deleted. The body is not read. */
export function deleteJob({ service }: RouteContext): Answer<OwnedExchange> {
  return async (exchange) => {
    await service.delete(pathId(exchange), exchange.owner)
    return { status: 204, headers: {} }
  }
}
