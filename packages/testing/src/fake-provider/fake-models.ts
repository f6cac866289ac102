import {
  type Model,
  type OutputKind,
  type ProviderFailure,
  type ProviderTask,
  providerFailures,
} from '@genmount/core'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'
import type { FakeBehaviour } from './fake-behaviour.ts'

const fault = v.picklist(['reset', 'connection_refused', 'server_error', 'hang'])

/**
 * The input of the fake models, as a client sends it: the usual fields of image and video models, and fields that decide
 * what happens to the job. With the latter, a client of a server in another process can control the fake provider through
 * the request body.
 */
export interface FakeInput {
  /** Any text. */
  readonly prompt: string
  /** Any text: the fake provider does not fetch the picture. */
  readonly image?: string | undefined
  /** Changes nothing. */
  readonly resolution?: '480p' | '720p' | '1080p' | undefined
  /** Changes nothing. */
  readonly aspect_ratio?: '1:1' | '16:9' | '9:16' | undefined
  /** From 1 to 10. Changes nothing. */
  readonly duration?: number | undefined
  /** From 1 to 4. @default 1 */
  readonly num_outputs?: number | undefined
  /** How long the job runs, in milliseconds. @default 0 */
  readonly delay_ms?: number | undefined
  /** Makes the job fail with this code. */
  readonly fail?: ProviderFailure | undefined
  /** The message of that failure. */
  readonly fail_message?: string | undefined
  /** The words of that failure for operators. They come with the status 500. */
  readonly fail_cause?: string | undefined
  /** What the job has cost, in US dollars. */
  readonly cost_usd?: number | undefined
  /** How long the vendor has worked on the job, in milliseconds. */
  readonly inference_ms?: number | undefined
  /** Reports these URLs as outputs instead of bytes. From 1 to 4. */
  readonly output_urls?: string[] | undefined
  /** How the first submit fails before the vendor accepts the task. Later submits succeed. */
  readonly submit_fault?: 'reset' | 'connection_refused' | 'server_error' | 'hang' | undefined
  /** How the first submit fails after the vendor has accepted the task. Later submits succeed. */
  readonly answer_fault?: 'reset' | 'connection_refused' | 'server_error' | 'hang' | undefined
  /** How many polls fail before the first one that succeeds, from 0 to 1000. @default 0 */
  readonly poll_faults?: number | undefined
  /** The progress that the provider reports while the job runs, from 0 to 1. @default none */
  readonly progress?: number | undefined
  /** The place in the queue that the provider reports while the job runs. @default none */
  readonly queue_position?: number | undefined
  /** Whether the provider shows a preview while the job runs: a picture of one pixel. @default false */
  readonly preview?: boolean | undefined
}

const onePixel = {
  bytes: Uint8Array.from(atob('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs='), (letter) => letter.charCodeAt(0)),
  contentType: 'image/gif',
}

const fakeInput = v.strictObject({
  prompt: v.string(),
  image: v.optional(v.string()),
  resolution: v.optional(v.picklist(['480p', '720p', '1080p'])),
  aspect_ratio: v.optional(v.picklist(['1:1', '16:9', '9:16'])),
  duration: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(10))),
  num_outputs: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(4)), 1),
  delay_ms: v.optional(v.pipe(v.number(), v.minValue(0))),
  fail: v.optional(v.picklist(providerFailures)),
  fail_message: v.optional(v.string()),
  fail_cause: v.optional(v.string()),
  cost_usd: v.optional(v.pipe(v.number(), v.minValue(0))),
  inference_ms: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  output_urls: v.optional(v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(4))),
  submit_fault: v.optional(fault),
  answer_fault: v.optional(fault),
  poll_faults: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1000))),
  progress: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
  queue_position: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  preview: v.optional(v.boolean()),
}) satisfies v.GenericSchema<FakeInput, unknown>

/** The models `fake-image` and `fake-video`. Their input is a `FakeInput`. */
export const fakeModels: readonly Model[] = [
  fakeModel('fake-image', 'image'),
  fakeModel('fake-video', 'video'),
]

function fakeModel(id: string, outputKind: OutputKind): Model {
  return { id, outputKind, input: toStandardJsonSchema(fakeInput) }
}

/**
 * The behaviour that the input of a task asks for. It is `{}` for a model whose input is not a `FakeInput`.
 */
export function behaveAsAsked(task: ProviderTask, attempt: number): FakeBehaviour {
  const parsed = v.safeParse(fakeInput, task.input)
  if (!parsed.success) return {}
  const input = parsed.output
  return {
    ...(input.submit_fault && attempt === 1 && { submit: input.submit_fault }),
    ...(input.answer_fault && attempt === 1 && { answer: input.answer_fault }),
    ...(input.delay_ms !== undefined && { delayMs: input.delay_ms }),
    ...(input.poll_faults && { poll: Array(input.poll_faults).fill('server_error') }),
    ...(input.output_urls && { outputs: input.output_urls.map((url) => ({ url })) }),
    ...(input.fail && {
      failure: {
        code: input.fail,
        ...(input.fail_message && { message: input.fail_message }),
        ...(input.fail_cause && { cause: new Error(input.fail_cause), status: 500 }),
      },
    }),
    ...(input.cost_usd !== undefined && { costUsd: input.cost_usd }),
    ...(input.inference_ms !== undefined && { inferenceMs: input.inference_ms }),
    news: {
      ...(input.progress !== undefined && { progress: input.progress }),
      ...(input.queue_position !== undefined && { queuePosition: input.queue_position }),
      ...(input.preview && { preview: onePixel }),
    },
  }
}
