import type { Answer, OwnedExchange } from '../interface/exchange.ts'
import type { RouteContext } from '../interface/route-context.ts'
import type { outputLinks } from '../outputs/output-links.ts'
import { readOutputIndex } from '../wire/create-request.ts'

/** GET /v1/files/{id}: redirects to the place where one output of a job is kept. */
export function getFile(
  { service }: RouteContext,
  linkTo: ReturnType<typeof outputLinks>,
): Answer<OwnedExchange> {
  return async (exchange) => {
    const n = readOutputIndex(exchange)
    const job = await service.get(exchange.params['id'] ?? '', exchange.owner)
    return { status: 302, headers: { location: await linkTo(job, n, exchange) } }
  }
}
