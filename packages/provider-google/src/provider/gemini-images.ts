import { Buffer } from 'node:buffer'
import type { JsonObject, ProviderReport } from '@genmount/core'
import * as v from 'valibot'
import { imagePricer, type UsageMetadata, usageMetadata } from './gemini-price.ts'
import { failed, type MakeGoogleWork } from './google-api.ts'
import { refusedSubmit } from './google-failure.ts'
import { type Picture, readPictures } from './input-pictures.ts'
import type { ImageInput } from './model-inputs.ts'

const maxAnswerBytes = 64 * 1024 * 1024

const part = v.object({
  thought: v.optional(v.boolean()),
  inlineData: v.object({ mimeType: v.string(), data: v.string() }),
})
const candidate = v.object({
  content: v.fallback(v.object({ parts: v.array(v.fallback(v.nullable(part), null)) }), { parts: [] }),
  finishReason: v.nullish(v.string()),
  finishMessage: v.nullish(v.string()),
})

/** GenerateContentResponse of the API reference, as far as it is about images. */
const contentAnswer = v.object({
  candidates: v.fallback(v.array(candidate), []),
  promptFeedback: v.fallback(v.nullish(v.object({ blockReason: v.nullish(v.string()) })), undefined),
  usageMetadata: v.fallback(v.nullish(usageMetadata), undefined),
})

/** FinishReason of the API reference, those that are about what is shown. */
const policyReasons = /^(?:IMAGE_)?(?:SAFETY|PROHIBITED_CONTENT|RECITATION)$|^(?:BLOCKLIST|SPII)$/

/**
 * Gemini's image models: one call, one image.
 * @see https://ai.google.dev/gemini-api/docs/image-generation
 */
export const geminiImages: MakeGoogleWork = (api, vendorModel, place, price) => {
  const costOf = imagePricer(place, price)

  return {
    async submit(task, { signal }) {
      const input = task.input as ImageInput
      const pictures = await readPictures([input.image ?? []].flat(), api.fetchFile, signal)
      if ('state' in pictures) return pictures
      const answer = await api.client.ask({
        method: 'POST',
        path: `/models/${vendorModel}:generateContent`,
        json: requestOf(input, pictures),
        signal,
        maxBytes: maxAnswerBytes,
      })
      return answer.ok
        ? reportOf(answer.json, (images, usage) => costOf({ input: task.input, images, usage }))
        : refusedSubmit(answer)
    },

    async poll() {
      return failed(
        'provider_lost',
        'Gemini makes an image within the call that asks for it: there is no task to ask after.',
      )
    },
  }
}

function requestOf(input: ImageInput, pictures: readonly Picture[]): object {
  const { prompt, aspect_ratio, resolution, seed, provider_options = {} } = input
  const config = objectIn(provider_options, 'generationConfig')
  const imageConfig = {
    ...objectIn(config, 'imageConfig'),
    ...(aspect_ratio && { aspectRatio: aspect_ratio }),
    ...(resolution && { imageSize: resolution }),
  }
  const parts = [{ text: prompt }, ...pictures.map((inlineData) => ({ inlineData }))]
  return {
    ...provider_options,
    contents: [{ role: 'user', parts }],
    generationConfig: {
      ...config,
      responseModalities: ['IMAGE'],
      ...(Object.keys(imageConfig).length > 0 && { imageConfig }),
      ...(seed !== undefined && { seed }),
    },
  }
}

function objectIn(options: JsonObject, field: string): JsonObject {
  const value = options[field]
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}
}

/** A success without an image may be paid for all the same, and asking again would be paid for twice. */
function reportOf(
  answer: unknown,
  costOf: (images: number, usage: UsageMetadata | undefined) => number | undefined,
): ProviderReport {
  const parsed = v.safeParse(contentAnswer, answer)
  if (!parsed.success) return failed('output_invalid', 'Google has finished, but its answer can not be read.')
  const { candidates, promptFeedback, usageMetadata } = parsed.output
  const outputs = candidates
    .flatMap(({ content }) => content.parts)
    .flatMap((part) =>
      part && !part.thought ? [{ bytes: Buffer.from(part.inlineData.data, 'base64') }] : [],
    )
    .filter(({ bytes }) => bytes.byteLength > 0)
  const costUsd = costOf(outputs.length, usageMetadata ?? undefined)
  if (outputs.length > 0) return { state: 'succeeded', outputs, costUsd }

  const { finishReason, finishMessage } = candidates[0] ?? {}
  const reason = promptFeedback?.blockReason ?? finishReason ?? 'no reason given'
  const isPolicy = Boolean(promptFeedback?.blockReason) || policyReasons.test(reason)
  const message = finishMessage ?? `Google has made no image: ${reason}.`
  return failed(isPolicy ? 'content_policy' : 'output_invalid', message, costUsd)
}
