import { Buffer } from 'node:buffer'
import type { ProviderReport } from '@genmount/core'
import { given } from '@genmount/input-fields'
import { failed, unknownNow, usagePricer } from '@genmount/vendor-http'
import * as v from 'valibot'
import { type GeminiTokens, tokenKinds, tokensOf, usageMetadata } from './gemini-tokens.ts'
import type { GoogleApi, GoogleWork } from './google-api.ts'
import { refusedSubmit } from './google-failure.ts'
import { type EncodedFile, type ImageInput, withEncoded } from './model-inputs.ts'
import { objectIn } from './object-in.ts'

const maxBytes = 64 * 1024 * 1024

const part = v.object({
  thought: v.optional(v.boolean()),
  inlineData: v.object({ mimeType: v.string(), data: v.string() }),
})
const candidate = v.object({
  content: v.fallback(v.object({ parts: v.array(v.fallback(v.nullable(part), null)) }), { parts: [] }),
  finishReason: v.nullish(v.string()),
  finishMessage: v.nullish(v.string()),
})

/** The parts of `GenerateContentResponse` in Google's API reference that matter for images. */
const contentAnswer = v.fallback(
  v.object({
    candidates: v.fallback(v.array(candidate), []),
    promptFeedback: v.fallback(v.nullish(v.object({ blockReason: v.nullish(v.string()) })), undefined),
    usageMetadata: v.fallback(v.nullish(usageMetadata), undefined),
  }),
  { candidates: [], promptFeedback: undefined, usageMetadata: undefined },
)

/** The values of `FinishReason` in Google's API reference that mean a content policy. */
const policyReasons = /^(?:IMAGE_)?(?:SAFETY|PROHIBITED_CONTENT|RECITATION)$|^(?:BLOCKLIST|SPII)$/

/**
 * Gemini's image models. One call makes one image.
 * @see https://ai.google.dev/gemini-api/docs/image-generation
 */
export function geminiImages(
  api: GoogleApi,
  vendorModel: string,
  costOf: ReturnType<typeof usagePricer<(typeof tokenKinds)[number]>>,
): GoogleWork {
  return {
    async submit({ input, owner }, { signal }) {
      const { image, ...wishes } = input as ImageInput
      const sources = [image ?? []].flat()
      const path = `/models/${vendorModel}:generateContent`
      const answer = await withEncoded(sources, api, { signal, owner }, (pictures) =>
        api.ask({ method: 'POST', path, json: requestOf(wishes, pictures), signal, maxBytes }),
      )
      return answer.ok
        ? reportOf(answer.json, (outputs, tokens) => costOf({ input, outputs, tokens }))
        : refusedSubmit(answer, vendorModel)
    },

    async poll() {
      return unknownNow(
        'Gemini makes an image within the request itself, so there is no task that could be polled.',
      )
    },
  }
}

function requestOf(input: Omit<ImageInput, 'image'>, pictures: readonly EncodedFile[]): object {
  const { prompt, aspect_ratio, resolution, seed, provider_options = {} } = input
  const config = objectIn(provider_options, 'generationConfig')
  const imageConfig = {
    ...objectIn(config, 'imageConfig'),
    ...given({ aspectRatio: aspect_ratio, imageSize: resolution }),
  }
  const parts = [{ text: prompt }, ...pictures.map((inlineData) => ({ inlineData }))]
  return {
    ...provider_options,
    contents: [{ role: 'user', parts }],
    generationConfig: {
      ...config,
      ...given({ seed }),
      responseModalities: ['IMAGE'],
      ...(Object.keys(imageConfig).length > 0 && { imageConfig }),
    },
  }
}

/**
 * A successful answer without an image fails the job, because Google may charge for it, and would charge for a second
 * try too.
 */
function reportOf(
  answer: unknown,
  costOf: (outputs: number, tokens: GeminiTokens | undefined) => number | undefined,
): ProviderReport {
  const { candidates, promptFeedback, usageMetadata: usage } = v.parse(contentAnswer, answer)
  const outputs = candidates
    .flatMap(({ content }) => content.parts)
    .flatMap((part) =>
      part && !part.thought ? [{ bytes: Buffer.from(part.inlineData.data, 'base64') }] : [],
    )
    .filter(({ bytes }) => bytes.byteLength > 0)
  const costUsd = costOf(outputs.length, usage ? tokensOf(usage) : undefined)
  if (outputs.length > 0) return { state: 'succeeded', outputs, costUsd }

  const { finishReason, finishMessage } = candidates[0] ?? {}
  const reason = promptFeedback?.blockReason ?? finishReason ?? 'no reason given'
  const isPolicy = Boolean(promptFeedback?.blockReason) || policyReasons.test(reason)
  const message = finishMessage ?? `Google has made no image: ${reason}.`
  return failed(isPolicy ? 'content_policy' : 'output_invalid', message, costUsd)
}
