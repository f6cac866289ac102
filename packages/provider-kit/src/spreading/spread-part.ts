import {
  type Json,
  type Output,
  type ProviderFailure,
  type ProviderTask,
  taskIdOf,
  type TaskTokens,
} from '@genmount/core'

/** What has become of one output of a job that takes a submit for each. Parts are JSON, in the handle of the job. */
export type SpreadPart =
  /** It is not submitted yet. */
  | { readonly state: 'waiting' }
  /** Its submit has begun. In the handle that a poll gets, this means that the answer is lost. */
  | { readonly state: 'submitting' }
  /** The vendor has it, and makes it or has ended it. `unknownPolls`: how many polls in a row have not found it. */
  | { readonly state: 'running' | 'ended'; readonly handle: Json; readonly unknownPolls?: number }
  /** The vendor has made it within the submit. The service has stored what was bytes; `links` are the other outputs. */
  | ({ readonly state: 'made'; readonly links: readonly Output[] } & PartBill)
  /** It comes to nothing. */
  | ({ readonly state: 'failed'; readonly code: ProviderFailure; readonly message: string } & PartBill)

/** The part of a `succeeded` report that is kept with a part of the job. */
export interface PartBill {
  /** In US dollars. Absent when it is not known. */
  readonly costUsd?: number | undefined
  readonly tokens?: TaskTokens | undefined
  readonly omitted?: readonly string[] | undefined
}

/** The parts in a handle. @returns `undefined` when the handle is that of a single task of the vendor */
export function partsIn(handle: Json): readonly SpreadPart[] | undefined {
  const { parts } = (handle ?? {}) as { readonly parts?: unknown }
  return Array.isArray(parts) ? (parts as readonly SpreadPart[]) : undefined
}

/** The handle of a job with these parts. Operators find the job by the vendor's id of the first part that has one. */
export function handleOf(parts: readonly SpreadPart[]): Json {
  const [id] = parts.flatMap((part) => ('handle' in part ? (taskIdOf(part) ?? []) : []))
  return { ...(id !== undefined && { id }), parts } as unknown as Json
}

/** Whether the vendor does nothing more for a part. */
export function isOver({ state }: SpreadPart): boolean {
  return state === 'ended' || state === 'made' || state === 'failed'
}

/** The largest seed that every vendor takes. */
const largestSeed = 2_147_483_647

/**
 * The task of one part: that of a job with one output. Each part has a token of its own, and its seed is the next one; at the
 * end of the seeds the one before.
 * @param task the task of the job
 * @param index the place of the part, counted from 0
 */
export function partTask<Task extends ProviderTask>(task: Task, index: number): Task {
  const { input, clientToken } = task
  const { seed } = input
  const ownSeed = typeof seed === 'number' && {
    seed: seed + index > largestSeed ? seed - index : seed + index,
  }
  const lastByte = (Number.parseInt(clientToken.slice(-2), 16) + index) % 256
  return {
    ...task,
    input: { ...input, num_outputs: 1, ...ownSeed },
    clientToken: clientToken.slice(0, -2) + lastByte.toString(16).padStart(2, '0'),
  }
}
