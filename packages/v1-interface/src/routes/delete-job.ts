import type { Answer, OwnedExchange, RouteContext } from '../interface/exchange.ts'

/** DELETE /v1/jobs/{id}, beyond the base interface: 204 when the finished job is deleted. The body is not read. */
export function deleteJob({ service }: RouteContext): Answer<OwnedExchange> {
  return async ({ owner, params: { id = '' } }) => {
    await service.delete(id, owner)
    return { status: 204, headers: {} }
  }
}
