import { recordOf } from '@genmount/vendor-http'

/**
 * Where a prompt is in the answer of `GET /queue`: lists of `[number, prompt_id, workflow, ...]`.
 * @throws Error when it is no answer of ComfyUI's, which says nothing of any prompt
 */
export function placeInQueue(json: unknown, promptId: string): 'running' | 'pending' | undefined {
  const { queue_running: running, queue_pending: pending } = recordOf(json)
  if (!Array.isArray(running) || !Array.isArray(pending)) throw new Error('ComfyUI has not told its queue.')
  const isIn = (list: readonly unknown[]) =>
    list.some((entry) => Array.isArray(entry) && entry[1] === promptId)
  if (isIn(running)) return 'running'
  return isIn(pending) ? 'pending' : undefined
}
