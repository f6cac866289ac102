import { GenerationError } from '@genmount/core'
import type { Answer } from '../interface/exchange.ts'
import type { RouteContext } from '../interface/route-context.ts'
import { fileReply, noSuchFile } from '../outputs/file-reply.ts'
import type { LinkSigner, SignedLink } from '../outputs/link-signer.ts'

/**
 * Lets pages of any origin show the file in an element such as `<img>`, also pages that isolate themselves
 * (`Cross-Origin-Embedder-Policy`), and in apps whose default is `same-origin`, as with helmet. The author of such a
 * page has the link, and could read the file with it anyway.
 */
const shownAnywhere = { 'cross-origin-resource-policy': 'cross-origin' }

/** GET /v1/outputs/{token}: sends the bytes of the file that the token gives access to. It needs no key. */
export function getOutput({ service, options, downloads }: RouteContext, links: LinkSigner): Answer {
  const { files, clock } = service

  return async (exchange) => {
    const link = await links.verify(exchange.params['token'] ?? '', clock.now())
    if (!link || !(await isStillValid(link))) throw new GenerationError('file_not_found', noSuchFile)
    const { owner, name, fileKey } = link
    const headers = { ...shownAnywhere, 'cache-control': cacheControl(link) }
    const open = async () => files.open?.(fileKey)
    return fileReply(exchange, { owner, name, headers, open }, { clock, downloads })
  }

  /**
   * How long a browser may show the file without asking again. Shared caches, such as that of a proxy, may not keep it.
   */
  function cacheControl({ expiresAt }: SignedLink): string {
    // With `isKeyValid` a link may end at any moment, so the browser must send a request each time. If the file has an
    // entity tag, the answer is then a short 304.
    if (options.isKeyValid) return 'private, no-cache'
    return `private, max-age=${Math.floor((expiresAt - clock.now()) / 1000)}, immutable`
  }

  async function isStillValid({ keyId }: SignedLink): Promise<boolean> {
    if (!options.isKeyValid) return true
    return keyId !== undefined && (await options.isKeyValid(keyId))
  }
}
