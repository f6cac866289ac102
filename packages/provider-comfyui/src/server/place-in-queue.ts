import { recordOf } from '@genmount/provider-kit'

/**
 * Finds a prompt in the answer of `GET /queue`, which has two lists of `[number, prompt_id, workflow, ...]`. The waiting
 * prompt with the lowest number is the next one; the list itself has no order.
 * @returns `running`; for a waiting prompt, how many prompts come first; `undefined` when the prompt is in neither list
 * @throws Error when the answer is not a queue of ComfyUI, and so says nothing about the prompt
 */
export function placeInQueue(json: unknown, promptId: string): 'running' | number | undefined {
  const { running, pending } = queueIn(json)
  const entryIn = (list: readonly unknown[]) =>
    list.find((entry): entry is unknown[] => Array.isArray(entry) && entry[1] === promptId)
  if (entryIn(running)) return 'running'
  const own = entryIn(pending)
  if (!own) return undefined
  return running.length + pending.filter((entry) => Array.isArray(entry) && entry[0] < Number(own[0])).length
}

/** The prompts in the answer of `GET /queue`. @throws Error when the answer is not a queue of ComfyUI */
export function queueIn(json: unknown): {
  readonly running: readonly unknown[]
  readonly pending: readonly unknown[]
} {
  const { queue_running: running, queue_pending: pending } = recordOf(json)
  if (Array.isArray(running) && Array.isArray(pending)) return { running, pending }
  throw new Error('The answer is not a queue of ComfyUI.')
}
