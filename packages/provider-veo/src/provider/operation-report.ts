import { costOf, type Price, type ProviderReport, type RunningTask } from '@genmount/core'
import { filmFiles, type GoogleClient, isPolicyRefusal } from '@genmount/google-http'
import { failed } from '@genmount/vendor-http'
import * as v from 'valibot'

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
          raiMediaFilteredCount: v.fallback(v.nullish(v.number()), undefined),
          raiMediaFilteredReasons: v.fallback(v.nullish(v.array(v.string())), undefined),
        }),
      ),
    }),
  ),
})

/** INVALID_ARGUMENT of gRPC. */
const invalidArgument = 3

/**
 * Reports the state of an operation. If it has ended, its films are downloaded.
 * @throws Error when the answer says nothing about the operation, or a film cannot be downloaded at present
 */
export async function operationReport(
  answer: unknown,
  { handle, input, owner }: RunningTask,
  price: Price | undefined,
  client: GoogleClient,
  signal: AbortSignal,
): Promise<ProviderReport> {
  const { done, error, response } = v.parse(operationAnswer, answer)
  if (!done) return { state: 'running', handle }
  if (error) return failure(error.code, error.message ?? 'Google gave no reason.')

  const made = response?.generateVideoResponse
  const samples = made?.generatedSamples ?? []
  if (samples.length === 0) {
    return (made?.raiMediaFilteredCount ?? 0) > 0
      ? failed('content_policy', made?.raiMediaFilteredReasons?.join(' ') || 'Google has filtered the video.')
      : failed('output_invalid', 'Google has finished, but there is no video in its answer.')
  }
  const costUsd = costOf(price, { input, units: Number(input['duration']) * samples.length })
  const films = samples.map(({ video }) => ({ uri: video.uri, data: video.encodedVideo }))
  const outputs = await filmFiles(films, client, { signal, owner })
  if (!('state' in outputs)) return { state: 'succeeded', outputs, costUsd }
  return outputs.state === 'refused' ? outputs : { ...outputs, costUsd }
}

function failure(code: number | null | undefined, message: string): ProviderReport {
  if (isPolicyRefusal(message)) return failed('content_policy', message)
  return failed(code === invalidArgument ? 'provider_rejected' : 'provider_failed', message)
}
