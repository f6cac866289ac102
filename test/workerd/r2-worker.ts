import { r2Files, type R2BucketBinding } from '@genmount/backend-cloudflare/r2'
import { createGenerationService, type Provider } from '@genmount/core'
import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import * as v from 'valibot'

const mebibyte = 1024 * 1024

/** A film whose byte at each position is the position modulo 251. */
const film = (size: number) => new Uint8Array(size).map((_, index) => index % 251)

/** Makes an MP4 of as many mebibytes as the prompt says. */
const provider: Provider = {
  name: 'inline',
  models: [{ id: 'inline-film', outputKind: 'video', input: v.strictObject({ prompt: v.string() }) }],
  submit: async () => ({ state: 'running', handle: 'task', pollAfterMs: 50 }),
  async poll({ input }) {
    const bytes = film(Number((input as { prompt: string }).prompt) * mebibyte)
    bytes.set([0, 0, 0, 24, 0x66, 0x74, 0x79, 0x70, 0x69, 0x73, 0x6f, 0x6d])
    return { state: 'succeeded', outputs: [{ bytes, contentType: 'video/mp4' }], costUsd: 0.01 }
  },
}

let handle: ((request: Request) => Promise<Response>) | undefined

export default {
  async fetch(request: Request, { BUCKET }: { BUCKET: R2BucketBinding }): Promise<Response> {
    const files = r2Files({ bucket: BUCKET })
    if (new URL(request.url).pathname === '/ready') {
      await files.ready?.()
      const { objects } = await BUCKET.list({ prefix: '' })
      return Response.json(objects.map(({ key }) => key))
    }
    if (new URL(request.url).pathname === '/replaced') return replaced(files)
    // A binding may be used by every request, so one service lives as long as the isolate.
    handle ??= toFetchHandler(createGenerationService({ providers: [provider], files }), {
      authenticate: apiKeys({ alice: 'key-of-alice' }),
    })
    return handle(request)
  },
}

/** Opens a file, replaces it, and answers with what its reader gets. */
async function replaced(files: ReturnType<typeof r2Files>): Promise<Response> {
  await files.put('file', film(100), 'image/png')
  const file = await files.open?.('file')
  await files.put('file', film(50), 'image/png')
  const read = async () => String((await new Response(file!.read()).arrayBuffer()).byteLength)
  return new Response(await read().catch((error: unknown) => String(error)))
}
