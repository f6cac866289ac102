import type { Provider } from '@genmount/core'
import { openaiCompatible } from '@genmount/provider-openai/compatible'

const megabyte = 1_000_000

/** Answers of a vendor that attacks, by the prompt that asks for them: their beginning, what 30 MB repeat, and their end. */
const answers: Readonly<Record<string, readonly [string, string, string]>> = {
  'wide JSON': ['{"data":[0', ',{}', ']}'],
  'deep JSON': ['{"data":', '[', ''],
  'many outputs': ['{"data":[{}', ',{"url":"https://cdn.example/a.png"}', ']}'],
}

/** A vendor that attacks by its answers. Its model `hostile` asks for the answer that the prompt names. */
export function hostileVendor(): Provider {
  return openaiCompatible({
    name: 'hostile',
    baseUrl: 'https://hostile.example/v1',
    models: { hostile: { price: 0 } },
    fetch: async (_url, init) => {
      const { prompt } = (await new Response(init?.body).json()) as { readonly prompt: string }
      const answer = answers[prompt]
      return answer ? new Response(streamOf(...answer)) : new Response(null, { status: 404 })
    },
  })
}

/** The same megabyte again and again, so that the vendor itself takes no memory. */
function streamOf(start: string, repeated: string, end: string): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder()
  const piece = encoder.encode(repeated.repeat(Math.ceil(megabyte / repeated.length)))
  let left = 30
  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode(start)),
    async pull(controller) {
      // As a socket does, it gives the event loop to others between two pieces.
      await new Promise((resolve) => setTimeout(resolve, 0))
      controller.enqueue(piece.slice())
      if (--left > 0) return
      controller.enqueue(encoder.encode(end))
      controller.close()
    },
  })
}
