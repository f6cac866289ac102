import {
  type CallbackRequest,
  type Provider,
  type ProviderCall,
  type ProviderReport,
  type ProviderTask,
  toBase64,
} from '@genmount/core'
import {
  partWith,
  pictureRefusal,
  recordOf,
  vendorClient,
  webhook,
  withPictures,
} from '@genmount/provider-kit'
import { spreadOutputs } from '@genmount/provider-kit/spreading'
import { LRUCache } from 'lru-cache'
import type { ImageInput } from '../gpt-image/image-input.ts'
import { failureReport } from '../gpt-image/openai-failure.ts'
import * as v from 'valibot'
import { checkOpenaiResponsesOptions, type OpenaiResponsesOptions } from './openai-responses-options.ts'
import { type ResponseBill, responseReport } from './response-report.ts'
import { responseRequest } from './response-request.ts'

/** The id becomes part of a path, so it must not contain anything that leads to another path. */
const responseId = v.pipe(v.string(), v.regex(/^[\w-]{1,256}$/))

/** In bytes: enough for an image of the largest size in base64, and for the mask, which the answer repeats. */
const maxBytes = 128 * 1024 * 1024

/** How many responses of this process are remembered with their jobs. */
const mostRemembered = 10_000

/** What a webhook says of a response. OpenAI has events about other things too. */
const responseEvent = v.object({
  type: v.picklist(['response.completed', 'response.failed', 'response.incomplete', 'response.cancelled']),
  data: v.object({ id: responseId }),
})

/** A mask is in memory as bytes, as base64, in the JSON and in the body of the request. */
const reading = { types: ['png', 'jpeg', 'webp'], line: 'openai', copies: 4, patienceMs: 5000 } as const

/**
 * Makes and edits images with OpenAI's GPT Image models in the background, through the Responses API. Each job is a
 * stored response whose id is kept, so any process can continue or cancel the job.
 *
 * OpenAI documents no idempotency key and no list of responses (openai-node 7.57, openai-openapi at f85dbe2). So a submit
 * whose answer is lost stays ambiguous, unless `webhookSecret` is there: the webhooks of a project name a response, which has
 * the id of its job in its metadata. OpenAI answers a submit before it makes the image, within about a second.
 * @throws TypeError that names the option, when an option is wrong
 * @see https://developers.openai.com/api/docs/guides/background
 * @see https://developers.openai.com/api/docs/guides/tools-image-generation
 * @see https://developers.openai.com/api/docs/guides/webhooks
 * @example
 * openaiResponsesProvider({
 *   token: process.env.OPENAI_API_KEY!,
 *   models: { 'gpt-image-2': { caller: { model: 'gpt-5.6-luna' } } },
 * })
 */
export function openaiResponsesProvider(options: OpenaiResponsesOptions): Provider {
  const checked = checkOpenaiResponsesOptions(options)
  const { token, models: offered, baseUrl, fetch, headers, fetchFile, webhookSecret, now } = checked
  const jobsOfResponses = new LRUCache<string, string>({ max: mostRemembered })
  const { ask } = vendorClient({
    vendor: 'OpenAI',
    baseUrl,
    fetch,
    headers: { ...headers, authorization: `Bearer ${token}` },
  })

  async function submit(task: ProviderTask, { signal }: ProviderCall): Promise<ProviderReport> {
    const model = offered.of(task)
    const input = task.input as ImageInput
    const send = async (mask?: string): Promise<ProviderReport> => {
      const json = responseRequest(task.jobId, input, mask, model)
      const answer = await ask({ method: 'POST', path: '/responses', json, signal, maxBytes })
      const modelName = `OpenAI model ${model.caller.model} with ${model.vendorModel}`
      if (!answer.ok) return failureReport(answer, modelName)
      const { id } = v.parse(v.object({ id: responseId }), partWith('id', answer.json))
      jobsOfResponses.set(id, task.jobId)
      // Only a poll reads the state of the response, so that the id is stored before anything else.
      return { state: 'running', handle: id }
    }
    const { mask } = input
    if (mask === undefined || /^data:/i.test(mask)) return send(mask)
    return withPictures([mask], { ...reading, fetchFile, signal, owner: task.owner }, ([picture]) =>
      send(`data:${picture.mediaType};base64,${toBase64(picture.bytes)}`),
    )
  }

  function costOf(task: ProviderTask, { images, imageTokens, tokens }: ResponseBill): number | undefined {
    const { costOf: imagesCost, caller } = offered.ofTask(task)
    const { input } = task
    const ofImages = imagesCost?.({ input, outputs: images, tokens: imageTokens })
    const ofWords = caller?.price.costOf({ input, outputs: images, tokens })
    return ofImages === undefined || ofWords === undefined ? undefined : ofImages + ofWords
  }

  /** @returns the id of the response; `undefined` for an event about something else */
  async function responseIn(request: CallbackRequest, secret: string): Promise<string | undefined> {
    await webhook.standard({ ...request, secret, now: now() })
    const event = v.safeParse(responseEvent, webhook.json(request.body))
    return event.success ? event.output.data.id : undefined
  }

  async function jobOf(id: string, { signal }: ProviderCall): Promise<string | undefined> {
    const remembered = jobsOfResponses.get(id)
    if (remembered !== undefined) return remembered
    // Another process has submitted it, or another program.
    const answer = await ask({ method: 'GET', path: `/responses/${id}`, signal, maxBytes })
    if (answer.status === 404) return undefined
    if (!answer.ok)
      throw new Error(`OpenAI answered status ${answer.status} about the response of a webhook.`)
    const { genmount_job: job } = recordOf(recordOf(answer.json)['metadata'])
    if (typeof job !== 'string') return undefined
    jobsOfResponses.set(id, job)
    return job
  }

  return spreadOutputs({
    name: 'openai-responses',
    models: offered.models,

    submit: (task, call) => submit(task, call).catch(pictureRefusal),

    async poll(task, { signal }) {
      const { handle } = task
      if (!v.is(responseId, handle))
        return { state: 'unknown', message: 'The handle of this job does not name a response of OpenAI.' }
      const answer = await ask({ method: 'GET', path: `/responses/${handle}`, signal, maxBytes })
      if (!answer.ok) return answer.pollFailure()
      const proof = { fetchFile, signal, owner: task.owner, input: task.input }
      return responseReport(partWith(['output', 'status'], answer.json), handle, proof, (bill) =>
        costOf(task, bill),
      )
    },

    async cancel({ handle }, { signal }) {
      if (!v.is(responseId, handle)) return
      const path = `/responses/${handle}/cancel`
      const { ok, status } = await ask({ method: 'POST', path, signal, maxBytes })
      // These statuses mean that the response has already ended or is unknown. The next poll shows which.
      if (!ok && ![400, 404, 409].includes(status))
        throw new Error(`OpenAI answered a cancellation with status ${status}.`)
    },

    ...(webhookSecret !== undefined && {
      async jobOfCallback(request, call) {
        const id = await responseIn(request, webhookSecret)
        return id === undefined ? undefined : jobOf(id, call)
      },

      async readCallback(request, task) {
        const id = await responseIn(request, webhookSecret)
        // The service asks for the job before it passes the webhook to the job.
        if (id === undefined || jobsOfResponses.get(id) !== task?.jobId)
          throw new Error('The webhook is not about a response of this job.')
        return id
      },
    }),
  })
}
