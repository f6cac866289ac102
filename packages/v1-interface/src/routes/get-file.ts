import type { Job } from '@genmount/core'
import type { Answer, OwnedExchange } from '../interface/exchange.ts'
import { queryIn } from '../interface/path-parts.ts'
import type { RouteContext } from '../interface/route-context.ts'
import { finishedOutput, type outputLinks } from '../outputs/output-links.ts'
import { readOutputIndex } from '../wire/create-request.ts'

/** GET /v1/files/{id}: redirects to the place where one output of a job is kept, or the variant of it that the query asks for. */
export function getFile(
  { service }: RouteContext,
  linkTo: ReturnType<typeof outputLinks>,
): Answer<OwnedExchange> {
  const { variants } = service

  async function keyOfVariant({ request }: OwnedExchange, job: Job, n: number): Promise<string | undefined> {
    const query = variants && queryIn(request.path)
    if (!query) return undefined
    finishedOutput(job, n)
    return variants?.find(job, n, query)
  }

  return async (exchange) => {
    const n = readOutputIndex(exchange)
    const job = await service.get(exchange.params['id'] ?? '', exchange.owner)
    const variantKey = await keyOfVariant(exchange, job, n)
    return { status: 302, headers: { location: await linkTo(job, n, exchange, variantKey) } }
  }
}
