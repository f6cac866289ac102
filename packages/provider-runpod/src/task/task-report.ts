import { costOf, type JsonObject, type ProviderFailure, type ProviderReport } from '@genmount/core'
import {
  answerFiles,
  failed,
  jsonIn,
  numberIn,
  partWith,
  recordOf,
  vendorReason,
} from '@genmount/provider-kit'
import type { OfferedModel } from '../provider/runpod-options.ts'
import type { TaskHandle } from './task-handle.ts'

/** The job that a task was started for. */
export interface TaskOfJob {
  readonly handle: TaskHandle
  readonly model: Partial<Pick<OfferedModel, 'outputKind' | 'outputField' | 'price' | 'priceUnit'>>
  /** The input of the job. */
  readonly input: JsonObject
}

type Task = Readonly<Record<string, unknown>>

/**
 * Turns the state of a task into a report. An unknown status counts as running.
 * https://docs.runpod.io/serverless/endpoints/job-states (read in November 2026)
 * @throws Error when the answer has no status
 */
export function taskReport(json: unknown, { handle, model, input }: TaskOfJob): ProviderReport {
  // The output of a worker may have a status of its own.
  const task = partWith(['output', 'status'], json)
  const { outputKind: kind, outputField = '', price, priceUnit } = model
  const place = outputField === '' ? 'output' : `output.${outputField}`
  const files = answerFiles(partAt(task, place), { kind }, place)
  const status = files.stateOf(task['status'], 'COMPLETED')
  if (status === undefined) throw new Error('Runpod answered a poll without a status.')
  const ms = numberIn(task['executionTime'])
  const seconds = ms === undefined ? undefined : ms / 1000
  const priced = () => costOf(price, { input, units: priceUnit === 'second' ? seconds : files.made })
  // A worker costs money whether or not the task succeeds.
  const failedWith = (message: string, code: ProviderFailure = 'provider_failed') =>
    failed(code, message, priceUnit === 'second' && ms !== undefined ? priced() : undefined)
  switch (status) {
    case 'COMPLETED': {
      const costUsd = costIn(task) ?? priced()
      return files.report({ vendor: 'Runpod', kind, answer: task, costUsd, inferenceMs: ms })
    }
    case 'FAILED': {
      const { code, message } = reasonIn(task) ?? {}
      return failedWith(message || 'Runpod gave no reason.', code === 'output_invalid' ? undefined : code)
    }
    case 'TIMED_OUT':
      return failedWith('Runpod has given the task up, because it took too long.')
    case 'CANCELLED':
      return failedWith('The task was canceled at Runpod.')
    default:
      return { state: 'running', handle, progress: progressIn(task) }
  }
}

/** The value at a place such as `output.result.videos`. */
function partAt(task: unknown, place: string): unknown {
  return place.split('.').reduce((part, name) => recordOf(part)[name], task)
}

/** What a public endpoint says that the task has cost, in US dollars. */
function costIn({ output }: Task): number | undefined {
  const usd = numberIn(recordOf(output)['cost'])
  return usd !== undefined && usd >= 0 ? usd : undefined
}

/** worker-comfyui sends `{ type: 'progress', percent }` while it works, in the place of the output. */
function progressIn({ output }: Task): number | undefined {
  const percent = numberIn(recordOf(output)['percent'])
  return percent === undefined ? undefined : Math.min(1, Math.max(0, percent / 100))
}

/**
 * Why a worker has failed. An exception in a worker is JSON with a traceback, and in a stream a text with one
 * (runpod-python@07fc6e2, rp_job.py): owners of jobs see only its message.
 */
function reasonIn({ error, output }: Task) {
  const { error_message: message } = recordOf(typeof error === 'string' ? jsonIn(error) : error)
  const words = message ?? (typeof error === 'string' ? error.replace(/\s*\btraceback:[^]*$/i, '') : error)
  // Beside an error, workers put their whole log into the output.
  return vendorReason(words ? { error: words, details: recordOf(output)['details'] } : output)
}
