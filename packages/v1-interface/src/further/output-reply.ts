import type { Job } from '@genmount/core'
import type { OwnedExchange } from '../interface/exchange.ts'
import type { RouteContext } from '../interface/route-context.ts'
import type { V1Reply } from '../interface/v1-request.ts'
import { fileReply } from '../outputs/file-reply.ts'
import { finishedOutput, outputName, type outputLinks } from '../outputs/output-links.ts'

/** Makes the function that sends an output of a job, for a request with a key. */
export function outputReply(
  { service, downloads }: RouteContext,
  linkTo: ReturnType<typeof outputLinks>,
): (job: Job, n: number, exchange: OwnedExchange) => Promise<V1Reply> {
  const { files, clock } = service
  return async (job, n, exchange) => {
    const { fileKey } = finishedOutput(job, n)
    if (fileKey === undefined || !files.open)
      return { status: 302, headers: { location: await linkTo(job, n, exchange) } }
    const sent = { owner: exchange.owner, name: outputName(job, n), headers: {} }
    return fileReply(exchange, { ...sent, open: async () => files.open?.(fileKey) }, { clock, downloads })
  }
}
