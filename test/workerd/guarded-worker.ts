import { createGenerationService } from '@genmount/core'
import { FetchRefusedError, guardedFetch, guardedPost } from '@genmount/guarded-fetch'
import { bflProvider } from '@genmount/provider-bfl'
import { signedWebhooks, webhooks } from '@genmount/webhooks'

interface Order {
  readonly url: string
  /** Whether this machine may be reached. */
  readonly loopback?: boolean
  readonly maxBytes?: number
  readonly timeoutMs?: number
}

/** Fetches a URL, and answers with what came of it. */
async function fetched({ url, loopback, ...limits }: Order): Promise<object> {
  const allowed = loopback ? { allowAddress: (address: string) => address === '127.0.0.1' } : {}
  const response = await guardedFetch(url, { ...limits, ...allowed, accept: ['image/*'] })
  const bytes = await response.bytes()
  return { url: response.url, type: response.contentType, size: bytes.byteLength, last: bytes.at(-1) }
}

/** Makes a picture at a vendor, and tells a receiver of its end by a webhook. */
async function made(order: {
  readonly vendor: string
  readonly token: string
  readonly hook: string
  readonly secret: string
}) {
  const models = { it: { endpoint: 'flux-2-pro', outputKind: 'image' } } as const
  const sender = signedWebhooks({
    baseUrl: 'https://app.example/media',
    secretsOf: () => [order.secret],
    allowLoopback: true,
  })
  const service = createGenerationService({
    providers: [bflProvider({ token: order.token, baseUrl: `${order.vendor}/v1`, models })],
    plugins: [webhooks(sender)],
  })
  const input = { prompt: 'a kite', webhook_url: order.hook }
  const { job } = await service.create({ owner: 'alice', model: 'it', input })
  for (;;) {
    const { phase } = await service.get(job.id, 'alice')
    const attempts = (await service.deliveries(job.id, 'alice'))?.attempts ?? []
    if (attempts.length > 0) return { id: job.id, phase, attempts }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

export default {
  async fetch(request: Request): Promise<Response> {
    const order = (await request.json()) as never
    const { pathname } = new URL(request.url)
    const post = async ({ url }: Order) => ({ status: (await guardedPost(url, { body: '{}' })).status })
    const run = { '/fetch': fetched, '/post': post, '/make': made }[pathname]!
    return Response.json(
      await run(order).catch((error: unknown) =>
        error instanceof FetchRefusedError
          ? { refused: error.reason, message: error.message }
          : { error: String(error) },
      ),
    )
  },
}
