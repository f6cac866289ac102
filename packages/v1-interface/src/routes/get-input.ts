import { GenerationError, type Uploads } from '@genmount/core'
import type { Answer } from '../interface/exchange.ts'
import type { RouteContext } from '../interface/route-context.ts'
import { fileReply, noSuchFile } from '../outputs/file-reply.ts'
import { sha256 } from '../access/sha256.ts'

/**
 * GET /v1/inputs/{job}/{token}/{name}: sends an upload to the provider whose job refers to it, until the job ends. It
 * needs no key.
 */
export function getInput({ service, downloads }: RouteContext, uploads: Uploads): Answer {
  const { clock } = service

  return async (exchange) => {
    const { job = '', token = '', name = '' } = exchange.params
    // A text that can't be the id of a job is refused without a read of the store.
    const mayBe = /^[\w-]{1,64}$/.test(job) && /^\w{64}$/.test(token)
    const input = mayBe ? await uploads.openInput(job, token, name) : undefined
    if (!input) throw new GenerationError('file_not_found', noSuchFile)
    const { owner, file } = input
    const sent = { owner: sha256(owner), name: name.replace(/\..*/, ''), headers: {}, open: async () => file }
    return fileReply(exchange, sent, { clock, downloads })
  }
}
