import { costOf, type JsonObject, type Provider, type ProviderReport, type RunningTask } from '@genmount/core'
import { failed, numberIn, pictureRefusal, vendorClient } from '@genmount/provider-kit'
import { type FormPicture, withPictureForm } from '../forms/picture-form.ts'
import { failureReport } from '../gpt-image/openai-failure.ts'
import { checkOpenaiVideosOptions, type OpenaiVideosOptions } from './openai-videos-options.ts'
import { polledReport, startedReport, type Video } from './video-report.ts'
import { maxAnswerBytes, videoPath } from './video-task.ts'

/**
 * Makes films with a server that has OpenAI's API for videos (`POST /videos`), such as LiteLLM, LLM Gateway, vLLM-Omni,
 * SGLang, new-api, and a genmount with `@genmount/openai-interface`. The id of a film is the handle, so any process can
 * continue a job. Films that open only with the key are downloaded and returned as bytes.
 *
 * The API has no idempotency key and no name of the client's own for a film. A submit whose answer is lost is therefore
 * ambiguous and is not repeated, unless the server is said to deduplicate (`dedupesSubmits`). OpenAI itself has shut this
 * API down on 2026-09-24.
 * @throws TypeError that names the option, when an option is wrong
 * @see https://github.com/openai/openai-openapi (`/videos`, as of August 2026)
 * @example openaiVideosProvider({ baseUrl: 'http://10.0.0.7:8091/v1', body: 'form', models: { 'wan-2.2': { price: 0 } } })
 */
export function openaiVideosProvider(options: OpenaiVideosOptions): Provider {
  const checked = checkOpenaiVideosOptions(options)
  const { name, token, models: offered, baseUrl, fetch, body, fetchFile, callTimeoutMs } = checked
  const { ask } = vendorClient({
    vendor: 'The server',
    baseUrl,
    fetch,
    headers: { ...checked.headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
  })
  const server = { vendor: 'The server', baseUrl, ask, fetchFile }

  const costIn = (task: Pick<RunningTask, 'model' | 'input'>) => (video: Video) => {
    const units = numberIn(video['seconds']) ?? numberIn(task.input['duration'])
    return costOf(offered.ofTask(task).price, { input: task.input, units })
  }

  return {
    name,
    models: offered.models,
    callTimeoutMs,
    dedupesSubmits: checked.dedupesSubmits,

    async submit(task, { signal }) {
      const { vendorModel, vendorInput, fixed, fields } = offered.of(task)
      const { image, ...others } = task.input
      const inForm =
        body === 'form' ? formPictures(image as string | readonly string[] | undefined, fields.image) : []
      const input = vendorInput(body === 'form' ? others : task.input)
      if (!input) return failed('provider_rejected', 'The input cannot be translated for this model.')
      const parameters = { ...input, ...fixed, model: vendorModel }
      const send = async (content: { json?: JsonObject; form?: FormData }): Promise<ProviderReport> => {
        const answer = await ask({
          method: 'POST',
          path: '/videos',
          ...content,
          headers: checked.dedupesSubmits ? { 'idempotency-key': task.clientToken } : {},
          signal,
          maxBytes: maxAnswerBytes,
        })
        if (answer.ok) return startedReport(answer, server, costIn(task))
        // A request with the same key is still being answered. The next one gets its film.
        if (checked.dedupesSubmits && answer.status === 409) return { ...inFlight, status: 409 }
        return failureReport(answer, `model ${vendorModel} at ${new URL(baseUrl).host}`)
      }
      if (body === 'json') return send({ json: parameters })
      const fetching = { line: name, fetchFile, signal, owner: task.owner }
      return withPictureForm(parameters, inForm, fetching, (form) => send({ form })).catch(pictureRefusal)
    },

    poll: ({ handle, ...task }, { signal }) =>
      polledReport(server, {
        handle: handle as JsonObject,
        signal,
        owner: task.owner,
        costOf: costIn(task),
      }),

    ...(checked.cancel !== undefined && {
      async cancel({ handle }, { signal }) {
        const path = videoPath(handle)
        if (path === undefined) return
        const { ok, status } = await ask(
          checked.cancel === 'delete'
            ? { method: 'DELETE', path, signal }
            : { method: 'POST', path: `${path}/cancel`, signal },
        )
        // These statuses mean that the film has already ended or is unknown. The next poll shows which.
        if (!ok && ![400, 404, 409].includes(status))
          throw new Error(`The server answered a cancellation with status ${status}.`)
      },
    }),
  }
}

const inFlight = { state: 'refused', message: 'The same request is still being answered.' } as const

/** The pictures of a form, under the server's name for them. */
function formPictures(image: string | readonly string[] | undefined, field: unknown): readonly FormPicture[] {
  const name = typeof field === 'string' ? field.replace(/\[.*/, '') : 'input_reference'
  return [image ?? []].flat().map((source, index) => ({ name, fileName: `image-${index}`, source }))
}
