import type { Provider } from '@genmount/core'
import {
  type EncodedFile,
  googleCallTimeoutMs,
  googleClient,
  refusedPoll,
  refusedSubmit,
  withEncodedFiles,
} from '@genmount/google-http'
import { given, pictureRefusal } from '@genmount/input-fields'
import { unknownNow } from '@genmount/vendor-http'
import * as v from 'valibot'
import { operationReport } from './operation-report.ts'
import type { VeoInput } from './veo-input.ts'
import { checkVeoOptions, type VeoProviderOptions } from './veo-options.ts'

/** The name becomes part of a path, so it must not contain anything that leads to another path. */
const operationName = v.pipe(v.string(), v.regex(/^(?!.*\.\.)[\w.~=:@-]+(?:\/[\w.~=:@-]+)*$/))
const handleSchema = v.object({ operation: operationName })

/** The largest answer, in bytes. The answer to a poll may contain the films in base64. */
const maxBytes = 128 * 1024 * 1024

/**
 * Makes films with Veo, behind a gateway that serves `:predictLongRunning` as Google did until 2026-10-22. Each job is a
 * long-running operation, so any process can continue it. Operations can't be stopped, so a cancelled job ends at once.
 * Films open only with the key, so they are downloaded and returned as bytes.
 * @throws TypeError that names the option, when an option is wrong
 * @example veoProvider({ token, baseUrl: 'https://gateway.example/v1beta', models: { 'veo-3.1-generate-001': {} } })
 */
export function veoProvider(options: VeoProviderOptions): Provider {
  const { models: offered, ...checked } = checkVeoOptions(options)
  const client = googleClient('veo', checked)

  return {
    name: 'veo',
    models: offered.models,
    callTimeoutMs: googleCallTimeoutMs,

    async submit(task, { signal }) {
      const { vendorModel } = offered.of(task)
      const input = task.input as VeoInput
      const { image, last_frame: lastFrame } = input
      const path = `/models/${vendorModel}:predictLongRunning`
      const sources = [image, lastFrame].filter((source) => source !== undefined)
      try {
        const answer = await withEncodedFiles(sources, client, { signal, owner: task.owner }, (files) => {
          const of = (source: string | undefined) =>
            source === undefined ? undefined : files[sources.indexOf(source)]
          const json = requestOf(input, of(image), of(lastFrame))
          return client.ask({ method: 'POST', path, json, signal })
        })
        if (!answer.ok) return refusedSubmit(answer, vendorModel)
        const { name } = v.parse(v.object({ name: operationName }), answer.json)
        return { state: 'running', handle: { operation: name } }
      } catch (error) {
        return pictureRefusal(error)
      }
    },

    async poll(task, { signal }) {
      const { price } = offered.ofTask(task)
      const { success, output } = v.safeParse(handleSchema, task.handle)
      if (!success) return unknownNow('The handle of this job does not name an operation of Google.')
      const answer = await client.ask({ method: 'GET', path: `/${output.operation}`, maxBytes, signal })
      return answer.ok ? operationReport(answer.json, task, price, client, signal) : refusedPoll(answer)
    },
  }
}

function requestOf(input: VeoInput, first: EncodedFile | undefined, last: EncodedFile | undefined): object {
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
