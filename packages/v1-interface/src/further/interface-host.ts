import { GenerationError } from '@genmount/core'
import { withJsonOrFormBody } from './with-form-body.ts'
import type { outputLinks } from '../outputs/output-links.ts'
import { outputReply } from './output-reply.ts'
import { orderedBy, readDryRun } from '../wire/create-request.ts'
import type { InterfaceHost } from '../interface/further-interface.ts'
import type { RouteContext } from '../interface/route-context.ts'

/** Makes what a further interface shares with /v1. @param linkTo makes links to outputs, as /v1 does */
export function interfaceHost(context: RouteContext, linkTo: ReturnType<typeof outputLinks>): InterfaceHost {
  const { service } = context
  return {
    service,
    async create(exchange, order) {
      if (readDryRun(exchange) === 'true')
        throw new GenerationError(
          'invalid_request',
          'This path makes no dry runs. Send the dry run to /v1/generate.',
          { param: 'dry_run' },
        )
      return service.create({ ...order, ...orderedBy(exchange) })
    },
    withBody: (exchange, use) => withJsonOrFormBody(exchange, context, use),
    outputLink: linkTo,
    outputReply: outputReply(context, linkTo),
  }
}
