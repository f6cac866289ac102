import { recordOf } from '@genmount/vendor-http'

/**
 * Finds a prompt in the answer of `GET /queue`, which has two lists of `[number, prompt_id, workflow, ...]`.
 * @returns `undefined` when the prompt is in neither list
 * @throws Error when the answer is not a queue of ComfyUI, and so says nothing about the prompt
 */
export function placeInQueue(json: unknown, promptId: string): 'running' | 'pending' | undefined {
  const { queue_running: running, queue_pending: pending } = recordOf(json)
  if (!Array.isArray(running) || !Array.isArray(pending))
    throw new Error('The answer is not a queue of ComfyUI.')
  const isIn = (list: readonly unknown[]) =>
    list.some((entry) => Array.isArray(entry) && entry[1] === promptId)
  if (isIn(running)) return 'running'
  return isIn(pending) ? 'pending' : undefined
}
