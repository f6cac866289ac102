import type { OutputKind, ProviderFailure, ProviderReport, TaskTokens } from '@genmount/core'
import { failed } from '../client/vendor-failure.ts'
import type { AnsweredFile } from './answered-file.ts'
import { isModeration, vendorReason } from './vendor-reason.ts'

/** A finished task and what is known of it. */
export interface FinishedTask {
  /** The vendor's name, for the owner of the job. */
  readonly vendor: string
  /** The kind of the model's outputs. @default not known */
  readonly kind?: OutputKind | undefined
  /** The answer, in which the vendor may say why there is no output. */
  readonly answer: unknown
  /** What the vendor's own codes mean. @default nothing */
  readonly failureOf?: ((code: string) => ProviderFailure | undefined) | undefined
  /** What the task has cost, in US dollars. @default not known */
  readonly costUsd?: number | undefined
  /** How long the vendor has worked, in milliseconds. @default not known */
  readonly inferenceMs?: number | undefined
  /** The tokens that the vendor has counted. @default not known */
  readonly tokens?: TaskTokens | undefined
}

/**
 * Reports the files of a finished task. Those that can't be delivered are left out and named for the log. If no other is
 * left, the task fails, in the vendor's own words if there are any. Without files and words, it has succeeded without
 * outputs, about which the service asks once more.
 */
export function filesReport(files: readonly AnsweredFile[], task: FinishedTask): ProviderReport {
  const { costUsd, inferenceMs, tokens, vendor, kind } = task
  const outputs = files.flatMap(({ output }) => output ?? [])
  const omitted = files.flatMap(({ at, output, fault }) => (output ? [] : [`${vendor}: ${at} ${fault}`]))
  if (outputs.length > 0)
    return {
      state: 'succeeded',
      outputs,
      costUsd,
      inferenceMs,
      ...(tokens && { tokens }),
      ...(omitted.length > 0 && { omitted }),
    }

  const noun = nounOf(kind)
  const reason = vendorReason(task.answer, task.failureOf)
  if (reason && reason.code !== 'output_invalid') return failed(reason.code, reason.message, costUsd)
  const words = reason?.message || files.flatMap(({ text = [] }) => text).join(' ')
  if (words !== '') {
    const code = isModeration(words) ? 'content_policy' : 'output_invalid'
    return failed(code, `${vendor} has finished without ${noun}: ${words}`, costUsd)
  }
  const [first] = omitted
  if (first === undefined) return { state: 'succeeded', outputs, costUsd, inferenceMs }
  const why = first.slice(vendor.length + 2)
  return failed('output_invalid', `${vendor} has finished without ${noun} that can be used: ${why}.`, costUsd)
}

const nouns = { image: 'an image', video: 'a video' } as const

/** What a model of this kind makes, in words. */
export function nounOf(kind: OutputKind | undefined): string {
  return kind === undefined ? 'a file' : nouns[kind]
}
