import { setTimeout as pause } from 'node:timers/promises'
import { costOf, type Json, type Provider, type ProviderReport, type ProviderTask } from '@genmount/core'
import { pollFailure, submitFailure, type VendorAnswer, vendorClient } from '@genmount/vendor-http'
import { comfyServer } from '../server/comfy-server.ts'
import { outcomeIn } from '../server/history-entry.ts'
import { rejectionIn } from '../server/node-errors.ts'
import { placeInQueue } from '../server/queue-list.ts'
import { inputSchema } from '../workflow/input-schema.ts'
import { filledWorkflow, type InputPlaces } from '../workflow/workflow.ts'
import { checkOptions, type CheckedModel, type ComfyuiProviderOptions } from './comfyui-options.ts'
import { credentialsIn } from './credentials.ts'
import { inputUploader } from './input-uploader.ts'
import { outputCollector } from './output-collector.ts'

/**
 * Runs workflows on a ComfyUI that the app's operator hosts. A task's prompt id is its client token, so that a submit
 * whose answer was lost is found again. Needs ComfyUI 0.3.45 (July 2025) or newer.
 * @throws TypeError when an option is wrong
 * @example
 * comfyuiProvider({
 *   baseUrl: 'http://192.168.1.20:8188',
 *   models: { 'my-flux': { workflow, outputKind: 'image', inputs: { prompt: { node: '6', field: 'text' } } } },
 * })
 */
export function comfyuiProvider(options: ComfyuiProviderOptions): Provider {
  const models = checkOptions(options)
  const { token, submitGraceMs = 5000, maxOutputBytes = 128 * 1024 * 1024 } = options
  const headers = { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...options.headers }
  const { baseUrl, fetch } = options
  const client = vendorClient({ vendor: 'ComfyUI', baseUrl, fetch, headers, secrets: credentialsIn(headers) })
  const server = comfyServer(client)
  const uploadInputs = inputUploader(server, options.allowAddress)
  const collectOutputs = outputCollector(server, maxOutputBytes)

  /** @returns `undefined` when the server knows nothing of the prompt */
  async function look(
    task: ProviderTask,
    promptId: string,
    signal: AbortSignal,
  ): Promise<ProviderReport | undefined> {
    // First the queue, then the history: a prompt that ends in between is in the history by then.
    const queue = await server.queue(signal)
    if (!queue.ok) return noNews(queue)
    const running: ProviderReport = { state: 'running', handle: { promptId } }
    if (placeInQueue(queue.json, promptId)) return running
    const history = await server.history(promptId, signal)
    if (!history.ok) return noNews(history)
    const model = modelOf(task)
    const outcome = outcomeIn(history.json, promptId, model.outputNodes)
    if (outcome?.state === 'unknown') return running
    if (outcome?.state === 'failed') return { ...outcome, code: 'provider_failed' }
    if (!outcome) return undefined
    const { files, inferenceMs } = outcome
    const units = model.priceUnit === 'second' ? (inferenceMs ?? 0) / 1000 : files.length
    const costUsd = costOf(model.price, { input: task.input, units })
    const collected = await collectOutputs(files, signal)
    if ('failure' in collected) return collected.failure
    return { state: 'succeeded', ...collected, costUsd, inferenceMs }
  }

  function modelOf({ model }: ProviderTask): CheckedModel {
    const found = models.get(model)
    if (!found) throw new Error(`ComfyUI has no model ${model}.`)
    return found
  }

  return {
    name: 'comfyui',
    models: [...models].map(([id, { outputKind, places, typicalMs, retentionDays }]) => ({
      id,
      outputKind,
      input: inputSchema(places),
      typicalMs,
      retentionDays,
    })),
    callTimeoutMs: options.callTimeoutMs,

    async submit(task, { signal }) {
      const { workflow, places } = modelOf(task)
      const uploaded = await uploadInputs(task.input, places, signal)
      if ('failure' in uploaded) return uploaded.failure
      const promptId = task.clientToken
      const filled = filledWorkflow(workflow, places, { ...seedFor(promptId, places), ...uploaded.input })
      const answer = await server.prompt(promptId, filled, signal)
      if (!answer.ok) return submitFailure(answer, rejectionIn(answer.json))
      const { prompt_id: taken } = (answer.json ?? {}) as { readonly prompt_id?: unknown }
      if (taken === undefined) throw new Error('ComfyUI has not told which prompt it has taken on.')
      if (taken === promptId) return { state: 'running', handle: { promptId } }
      const message =
        'This ComfyUI gives prompts ids of its own, so that none could be found again: update it.'
      return { state: 'failed', code: 'provider_rejected', message }
    },

    async poll(task, { signal }) {
      const promptId = promptIdIn(task.handle)
      const seen = promptId === undefined ? undefined : await look(task, promptId, signal)
      const message =
        'ComfyUI does not know the task any more: it was restarted, or the task was removed there.'
      return seen ?? { state: 'failed', code: 'provider_lost', message }
    },

    async find(task, { signal }) {
      const found = await look(task, task.clientToken, signal)
      if (found) return found
      // The submit may still be on its way, through a proxy or the validation of its nodes.
      await pause(submitGraceMs, undefined, { signal })
      return look(task, task.clientToken, signal)
    },

    async cancel(task, { signal }) {
      const promptId = promptIdIn(task.handle) ?? task.clientToken
      await server.dequeue(promptId, signal)
      // Read right before, because older servers stop whatever runs.
      const { json } = await server.queue(signal)
      if (placeInQueue(json, promptId) === 'running') await server.interrupt(promptId, signal)
    },
  }
}

/** ComfyUI answers these routes with 200 always: what says 404 is a proxy, and knows nothing of the task. */
function noNews(answer: VendorAnswer): ProviderReport {
  if (answer.status === 429) return pollFailure(answer)
  throw new Error(`ComfyUI answered with status ${answer.status}.`)
}

function promptIdIn(handle: Json): string | undefined {
  const { promptId } = (handle ?? {}) as { readonly promptId?: unknown }
  return typeof promptId === 'string' ? promptId : undefined
}

/**
 * The seed of a task that names none: another one for each task, the same one when it is submitted again. Without it
 * every job would get the picture of the template's seed.
 */
function seedFor(clientToken: string, places: InputPlaces): { readonly seed?: number } {
  const [place] = places.get('seed') ?? []
  if (!place) return {}
  const { min = 0, max = 4294967295 } = place
  return { seed: min + (Number.parseInt(clientToken.slice(0, 8), 16) % (max - min + 1)) }
}
