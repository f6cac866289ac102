import {
  costOf,
  type FileFetch,
  type Json,
  type JsonObject,
  type Provider,
  type ProviderReport,
  type ProviderTask,
} from '@genmount/core'
import { guardedFetch } from '@genmount/guarded-fetch'
import {
  failed,
  fetchedReport,
  isTaskId,
  listedFiles,
  pictureRefusal,
  recordOf,
  type ReportOf,
  vendorClient,
} from '@genmount/provider-kit'
import { filledWorkflow, seedFor } from '../workflow/filled-workflow.ts'
import { checkComfyApiOptions, type ComfyApiOptions } from './comfy-api-options.ts'
import { jobFollower } from './job-follower.ts'
import { type ApiJob, codeIn, endOf, newsOf, outputsOf, rejectionIn, runningMsOf } from './job-report.ts'
import { markedWorkflow, markOf, ownJob } from './own-job.ts'
import { inputWithAssets } from './uploaded-assets.ts'

/** A poll downloads the outputs. */
const callTimeoutMs = 300_000
/** In bytes: a job may have the log of its run. */
const maxJobBytes = 16 * 1024 * 1024

const unseen: ProviderReport = { state: 'unknown', message: 'Comfy does not list the job, or not yet.' }
const unlisted = failed(
  'provider_lost',
  'Comfy has this job already, from a submit whose answer was lost, and lists no jobs here: it may run there, and be billed.',
)

/**
 * Runs workflows on Comfy Cloud, on a deployment (`https://<deployment>.run.comfy.app`), or on your own ComfyUI behind Comfy's
 * proxy, by the Comfy API v2. Each submit has the job's own token as its `Idempotency-Key`, which works once: so no job runs
 * twice. If Comfy has had the key before, the provider finds the job in the list of Comfy Cloud, by a mark in its workflow.
 * @throws TypeError that names the option, when an option is wrong
 * @see https://docs.comfy.org/api-reference/v2/overview
 * @example
 * comfyApiProvider({
 *   token: process.env.COMFY_API_KEY!,
 *   models: { 'my-flux': { workflow, outputKind: 'image', inputs: { prompt: { node: '6', field: 'text' } } } },
 * })
 */
export function comfyApiProvider(options: ComfyApiOptions): Provider {
  const checked = checkComfyApiOptions(options)
  const { token, baseUrl, fetch, headers, models: offered, partnerNodesKey, fetchFile } = checked
  const server = {
    baseUrl,
    fetch,
    // The list of jobs is in an older API, which knows the same key by another header.
    headers: {
      ...headers,
      ...(token !== undefined && { authorization: `Bearer ${token}`, 'x-api-key': token }),
    },
  }
  const followJob = jobFollower(server)
  const { ask } = vendorClient({
    vendor: 'Comfy',
    ...server,
    ...(partnerNodesKey !== undefined && { secrets: [partnerNodesKey] }),
  })
  const { origin } = new URL(baseUrl)
  const fetchInput: FileFetch = (url, limits) =>
    guardedFetch(url, { ...limits, allowAddress: checked.allowAddress })

  /** Looks for the job of a task that Comfy may have. @throws Error when Comfy does not answer */
  async function look(
    task: ProviderTask,
    signal: AbortSignal,
    submittedAt?: number,
  ): Promise<ProviderReport> {
    const job = await ownJob(ask, { mark: await markOf(task.clientToken), submittedAt, signal })
    if (job === 'unlisted') return unlisted
    return job === 'unseen' ? unseen : running({ ...job, outputNodes: offered.ofTask(task).outputNodes })
  }

  /** Sends the task with its key, which Comfy takes once. */
  async function send(task: ProviderTask, signal: AbortSignal): Promise<ProviderReport> {
    const { workflow, places, outputNodes } = offered.of(task)
    try {
      const withAssets = await inputWithAssets(task, places, ask, fetchInput, signal)
      if ('failure' in withAssets) return withAssets.failure
      const input = { ...seedFor(task.clientToken, places), ...withAssets.input }
      const filled = filledWorkflow(workflow, places, input)
      if (!filled) return failed('provider_rejected', 'The input cannot be translated for this workflow.')
      const answer = await ask({
        method: 'POST',
        path: '/api/v2/jobs',
        headers: { 'idempotency-key': task.clientToken },
        json: {
          workflow: markedWorkflow(filled, await markOf(task.clientToken)),
          ...(partnerNodesKey !== undefined && { extra_data: { api_key_comfy_org: partnerNodesKey } }),
        },
        signal,
        maxBytes: maxJobBytes,
      })
      const code = codeIn(answer)
      if (code === 'idempotency_key_reuse') return await look(task, signal)
      if (!answer.ok)
        return answer.submitFailure({
          message: rejectionIn(answer),
          ...(code === 'deployment_stopped' && { isAbsent: true, modelName: 'deployment that runs' }),
        })
      const { id } = recordOf(answer.json)
      if (!isTaskId(id)) throw new Error('Comfy answered a submit without the id of a job.')
      return running({ job: id, outputNodes })
    } catch (error) {
      return pictureRefusal(error)
    }
  }

  return {
    name: 'comfy-api',
    models: offered.models,
    callTimeoutMs,
    dedupesSubmits: true,

    submit: (task, { signal }) => send(task, signal),

    // Asked for a job that was canceled during its submit: all others are submitted again.
    async find(task, { signal, submittedAt }) {
      const report = await look(task, signal, submittedAt)
      return report === unlisted ? unseen : report
    },

    async poll({ handle: stored, ...task }, { signal }) {
      const handle = handleOf(stored)
      if (!handle)
        return { state: 'unknown', message: 'The handle of this job does not name a job of Comfy.' }
      const answer = await ask({ method: 'GET', path: pathOf(handle), signal, maxBytes: maxJobBytes })
      if (!answer.ok) return answer.pollFailure()
      const job: ApiJob = recordOf(answer.json)
      if (typeof job['status'] !== 'string') throw new Error('Comfy answered a poll without a status.')
      const over = endOf(job)
      if (over) return over
      // An unknown status counts as running.
      if (job['status'] !== 'succeeded') return { ...running(handle), ...newsOf(job) }
      const { outputKind: kind, outputNodes, price, priceUnit } = offered.ofTask(task)
      const { files, others } = outputsOf(job, kind, handle.outputNodes ?? outputNodes, origin)
      const inferenceMs = runningMsOf(job)
      const seconds = inferenceMs === undefined ? undefined : inferenceMs / 1000
      const costUsd = costOf(price, {
        input: task.input,
        units: priceUnit === 'second' ? seconds : files.length,
      })
      if (files.length === 0) return failed('output_invalid', withoutFile(others), costUsd)
      return fetchedReport(
        listedFiles(files),
        { ask, origin, fetchFile, signal, owner: task.owner },
        {
          handle: { ...handle } as JsonObject,
          vendor: 'Comfy',
          kind,
          answer: undefined,
          costUsd,
          inferenceMs,
        },
        // What is at the API opens only with the key. Signed links lead elsewhere.
        (url) => new URL(url).origin === origin,
      )
    },

    follow({ handle: stored }, tell) {
      const handle = handleOf(stored)
      return handle ? followJob(`${pathOf(handle)}/events`, tell) : () => {}
    },

    async cancel({ handle: stored }, { signal }) {
      const handle = handleOf(stored)
      if (!handle) return
      const { ok, status } = await ask({ method: 'POST', path: `${pathOf(handle)}/cancel`, signal })
      if (!ok && status !== 404) throw new Error(`Comfy answered a cancellation with status ${status}.`)
    },
  }
}

/** What is stored of a task, besides the `id` by which operators find it. */
interface Handle {
  readonly job: string
  /** The nodes whose files count, by the workflow that was submitted. @default all nodes */
  readonly outputNodes?: readonly string[] | undefined
}

function handleOf(value: Json): Handle | undefined {
  const { job, outputNodes } = recordOf(value) as Partial<Handle>
  return isTaskId(job) ? { job, ...(outputNodes && { outputNodes }) } : undefined
}

function running({ job, outputNodes }: Handle): ReportOf<'running'> {
  return { state: 'running', handle: { id: job, job, ...(outputNodes && { outputNodes }) } }
}

function pathOf({ job }: Handle): string {
  return `/api/v2/jobs/${job}`
}

function withoutFile(others: readonly string[]): string {
  if (others.length === 0) return 'The workflow has ended without saving a file.'
  return `The workflow has ended without saving a file of the model's kind. It has saved ${others.join(', ')}.`
}
