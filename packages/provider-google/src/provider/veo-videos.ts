import { costOf, type Json, type Price, type ProviderReport, type RunningTask } from '@genmount/core'
import { given } from '@genmount/input-fields'
import { failed, unknownNow } from '@genmount/vendor-http'
import * as v from 'valibot'
import { downloadVideos } from './download-videos.ts'
import type { GoogleApi, GoogleWork } from './google-api.ts'
import { isPolicyRefusal, refusedPoll, refusedSubmit } from './google-failure.ts'
import { type EncodedFile, type VideoInput, withEncoded } from './model-inputs.ts'

/** The name becomes part of a path, so it must not contain anything that leads to another path. */
const operationName = v.pipe(v.string(), v.regex(/^(?!.*\.\.)[\w.~=:@-]+(?:\/[\w.~=:@-]+)*$/))
const handleSchema = v.object({ operation: operationName })

/** A poll may have the videos in it, in base64. */
const maxBytes = 128 * 1024 * 1024

const sample = v.object({
  video: v.object({ uri: v.optional(v.string()), encodedVideo: v.optional(v.string()) }),
})
const operationAnswer = v.object({
  done: v.nullish(v.boolean()),
  /** A google.rpc.Status. Its code is a gRPC code, not an HTTP status. */
  error: v.nullish(v.object({ code: v.nullish(v.number()), message: v.nullish(v.string()) })),
  response: v.nullish(
    v.object({
      generateVideoResponse: v.nullish(
        v.object({
          generatedSamples: v.nullish(v.array(v.fallback(sample, { video: {} }))),
          raiMediaFilteredCount: v.nullish(v.number()),
          raiMediaFilteredReasons: v.nullish(v.array(v.string())),
        }),
      ),
    }),
  ),
})

/** INVALID_ARGUMENT of gRPC. */
const invalidArgument = 3

/**
 * Google's Veo models. Each job is a long-running operation, whose name is the handle.
 * @see https://ai.google.dev/gemini-api/docs/video
 */
export function veoVideos(api: GoogleApi, vendorModel: string, price: Price | undefined): GoogleWork {
  return {
    async submit(task, { signal }) {
      const input = task.input as VideoInput
      const { owner } = task
      const { image, last_frame: lastFrame } = input
      const path = `/models/${vendorModel}:predictLongRunning`
      const sources = [image, lastFrame].filter((source) => source !== undefined)
      const answer = await withEncoded(sources, api, { signal, owner }, (pictures) => {
        const of = (source: string | undefined) =>
          source === undefined ? undefined : pictures[sources.indexOf(source)]
        return api.ask({ method: 'POST', path, json: requestOf(input, of(image), of(lastFrame)), signal })
      })
      if (!answer.ok) return refusedSubmit(answer, vendorModel)
      const { name } = v.parse(v.object({ name: operationName }), answer.json)
      return { state: 'running', handle: { operation: name } }
    },

    async poll(task, { signal }) {
      const { success, output } = v.safeParse(handleSchema, task.handle)
      if (!success) return unknownNow('The handle of this job does not name an operation of Google.')
      const answer = await api.ask({ method: 'GET', path: `/${output.operation}`, maxBytes, signal })
      return answer.ok ? reportOf(answer.json, task, api, price, signal) : refusedPoll(answer)
    },
  }
}

function requestOf(input: VideoInput, first: EncodedFile | undefined, last: EncodedFile | undefined): object {
  const { prompt, negative_prompt, aspect_ratio, resolution, duration, seed, num_outputs } = input
  const frame = (picture?: EncodedFile) =>
    picture && { bytesBase64Encoded: picture.data, mimeType: picture.mimeType }
  return {
    instances: [{ prompt, image: frame(first), lastFrame: frame(last) }],
    parameters: {
      ...input.provider_options,
      ...given({ aspectRatio: aspect_ratio, negativePrompt: negative_prompt, seed }),
      sampleCount: num_outputs,
      resolution,
      durationSeconds: duration,
    },
  }
}

/** @throws Error when the answer says nothing about the operation, or a video cannot be downloaded at present */
async function reportOf(
  answer: unknown,
  task: RunningTask,
  api: GoogleApi,
  price: Price | undefined,
  signal: AbortSignal,
): Promise<ProviderReport> {
  const { done, error, response } = v.parse(operationAnswer, answer)
  if (!done) return { state: 'running', handle: task.handle satisfies Json }
  if (error) return failedOperation(error.code, error.message ?? 'Google gave no reason.')

  const { generatedSamples, raiMediaFilteredCount, raiMediaFilteredReasons } =
    response?.generateVideoResponse ?? {}
  const samples = generatedSamples ?? []
  if (samples.length === 0) {
    return (raiMediaFilteredCount ?? 0) > 0
      ? failed('content_policy', raiMediaFilteredReasons?.join(' ') || 'Google has filtered the video.')
      : failed('output_invalid', 'Google has finished, but there is no video in its answer.')
  }
  const { input, owner } = task
  const costUsd = costOf(price, { input, units: Number(input['duration']) * samples.length })
  const outputs = await downloadVideos(
    samples.map(({ video }) => video),
    api,
    { signal, owner },
  )
  if (!('state' in outputs)) return { state: 'succeeded', outputs, costUsd }
  return outputs.state === 'refused' ? outputs : { ...outputs, costUsd }
}

function failedOperation(code: number | null | undefined, message: string): ProviderReport {
  if (isPolicyRefusal(message)) return failed('content_policy', message)
  return failed(code === invalidArgument ? 'provider_rejected' : 'provider_failed', message)
}
