import { promptFollower } from '../progress/prompt-follower.ts'
import { pause } from '../server/pause.ts'
import { hasSockets } from '../socket/node-modules.ts'
import { filledWorkflow, seedFor } from '../workflow/filled-workflow.ts'
import {
  costOf,
  type FileFetch,
  type Json,
  type OutputKind,
  type Provider,
  type ProviderReport,
  type ProviderTask,
} from '@genmount/core'
import { guardedFetch } from '@genmount/guarded-fetch'
import {
  failed,
  failureBy,
  listedFiles,
  pictureRefusal,
  recordOf,
  type VendorAnswer,
  vendorClient,
} from '@genmount/provider-kit'
import { type ComfyServer, comfyServer } from '../server/comfy-server.ts'
import { outcomeIn } from '../server/history-entry.ts'
import { downloadedFiles } from '../server/output-files.ts'
import { listedPrompts } from '../server/listed-prompts.ts'
import { placeInQueue } from '../server/place-in-queue.ts'
import { isKnownPromptId, rejectionIn } from '../server/rejection.ts'
import { uploadedInput } from '../server/uploaded-input.ts'
import { checkComfyuiOptions, type ComfyuiProviderOptions } from './comfyui-options.ts'

const forgotten: ProviderReport = {
  state: 'unknown',
  message: 'ComfyUI does not know the task any more: it was restarted, or the task was removed there.',
}

/**
 * Runs workflows on a ComfyUI that the app's operator hosts. The prompt id at ComfyUI is the task's client token, so
 * that the task is found again when the answer to its submit is lost. Needs ComfyUI 0.3.45 (July 2025) or newer.
 * @throws TypeError that names the option, when an option is wrong
 * @example
 * comfyuiProvider({
 *   baseUrl: 'http://192.168.1.20:8188',
 *   models: { 'my-flux': { workflow, outputKind: 'image', inputs: { prompt: { node: '6', field: 'text' } } } },
 * })
 */
export function comfyuiProvider(options: ComfyuiProviderOptions): Provider {
  const checked = checkComfyuiOptions(options)
  const { models: offered, token, baseUrl, fetch, headers, allowAddress } = checked
  const { maxOutputBytes, submitGraceMs, callTimeoutMs, previewMethod } = checked
  const allHeaders = token === undefined ? headers : { ...headers, authorization: `Bearer ${token}` }
  const client = vendorClient({ vendor: 'ComfyUI', baseUrl, fetch, headers: allHeaders })
  // A WebSocket would bypass a fetch of the app's own, which may lead through a proxy.
  const follower = fetch || !hasSockets() ? undefined : promptFollower({ baseUrl, headers: allHeaders })
  const fetchFile: FileFetch = (url, limits) => guardedFetch(url, { ...limits, allowAddress })

  /** @returns `undefined` when ComfyUI does not know the task */
  async function look(
    task: ProviderTask & { readonly handle?: Json },
    signal: AbortSignal,
  ): Promise<ProviderReport | undefined> {
    const { clientToken: promptId, input } = task
    const { outputKind: kind, outputNodes: nodesNow, price, priceUnit } = offered.ofTask(task)
    // The workflow may have changed since the submit.
    const { outputNodes = nodesNow } = recordOf(task.handle) as Partial<Handle>
    const server = comfyServer(client, signal)
    // Asks the queue first and the history second, so that a prompt that ends in between is found in the history.
    const queue = await server.queue()
    if (!queue.ok) return noNews(queue)
    const place = placeInQueue(queue.json, promptId)
    follower?.saw(promptId, place === 'running')
    if (place !== undefined)
      return running({ promptId, outputNodes }, place === 'running' ? undefined : place)
    const history = await server.history(promptId)
    if (!history.ok) return noNews(history)
    const outcome = outcomeIn(history.json, promptId, kind, outputNodes)
    if (outcome?.state === 'unknown') return running({ promptId, outputNodes })
    if (outcome?.state !== 'succeeded')
      return outcome && failed(failureBy([], outcome.message), outcome.message)
    const { files, others, inferenceMs } = outcome
    const seconds = inferenceMs === undefined ? undefined : inferenceMs / 1000
    const units = priceUnit === 'second' ? seconds : files.length
    const costUsd = costOf(price ?? 0, { input, units })
    if (files.length === 0) return failed('output_invalid', withoutFile(kind, others), costUsd)
    const downloaded = await downloadedFiles(files, server, maxOutputBytes)
    if ('state' in downloaded) return downloaded
    return listedFiles(downloaded).report({
      vendor: 'ComfyUI',
      kind,
      answer: undefined,
      costUsd,
      inferenceMs,
    })
  }

  async function remove(promptId: string, server: ComfyServer): Promise<void> {
    await server.dequeue(promptId)
    // Reads the queue just before the interrupt, because older servers stop whichever prompt is running.
    const { json } = await server.queue()
    if (placeInQueue(json, promptId) === 'running') await server.interrupt(promptId)
  }

  return {
    name: 'comfyui',
    models: offered.models,
    callTimeoutMs,

    async submit(task, { signal }) {
      const { workflow, places, outputNodes } = offered.of(task)
      const { clientToken: promptId } = task
      const server = comfyServer(client, signal)
      try {
        const uploaded = await uploadedInput(task, places, server, fetchFile, signal)
        if ('failure' in uploaded) return uploaded.failure
        const filled = filledWorkflow(workflow, places, { ...seedFor(promptId, places), ...uploaded.input })
        if (!filled) return failed('provider_rejected', 'The input cannot be translated for this workflow.')
        const answer = await server.prompt(promptId, filled, previewMethod)
        if (isKnownPromptId(answer)) return running({ promptId, outputNodes })
        if (!answer.ok) return answer.submitFailure({ message: rejectionIn(answer) })
        const { prompt_id: taken } = recordOf(answer.json)
        if (taken === promptId) return running({ promptId, outputNodes })
        if (taken === undefined) throw new Error('ComfyUI answered a submit without a prompt id.')
        // Nobody would fetch its outputs. If it can't be removed, it runs, as without this.
        await remove(String(taken), server).catch(() => {})
        return failed(
          'provider_rejected',
          'This ComfyUI ignores the prompt id of a request, so its tasks could not be found again. Update it to 0.3.45 or newer.',
        )
      } catch (error) {
        return pictureRefusal(error)
      }
    },

    poll: async (task, { signal }) => (await look(task, signal)) ?? forgotten,

    async find(task, { signal }) {
      const report = await look(task, signal)
      // A proxy or the validation of the nodes may still be holding the submit up.
      if (!report) await pause(submitGraceMs, signal)
      return report ?? look(task, signal)
    },

    list: (since, signal) => listedPrompts(comfyServer(client, signal), since),

    ...(follower && {
      follow: (task, tell) => follower.follow(task.clientToken, offered.of(task).workflow, tell),
    }),

    cancel: ({ clientToken: promptId }, { signal }) => remove(promptId, comfyServer(client, signal)),
  }
}

function withoutFile(kind: OutputKind | undefined, others: readonly string[]): string {
  if (others.length === 0) return 'The workflow has ended without saving a file.'
  const noun = kind === undefined ? 'a file' : kind === 'image' ? 'an image' : 'a video'
  return `The workflow has ended without saving ${noun}. It has saved ${others.join(', ')}.`
}

/** What is stored of a task, besides the `id` by which operators find it. */
interface Handle {
  readonly promptId: string
  /** The nodes whose files count, by the workflow that was submitted. @default all nodes */
  readonly outputNodes?: readonly string[] | undefined
}

function running({ promptId, outputNodes }: Handle, queuePosition?: number): ProviderReport {
  return {
    state: 'running',
    handle: { id: promptId, promptId, ...(outputNodes && { outputNodes }) },
    queuePosition,
  }
}

/**
 * Handles an unsuccessful answer that says nothing about the task. ComfyUI always answers these routes with 200, so a
 * 404 comes from a proxy.
 */
function noNews(answer: VendorAnswer): ProviderReport {
  if (answer.status === 429) return answer.pollFailure()
  throw new Error(`ComfyUI answered with status ${answer.status}.`)
}
