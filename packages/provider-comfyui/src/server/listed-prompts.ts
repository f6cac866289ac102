import type { ListedTask } from '@genmount/core'
import { recordOf, type VendorAnswer } from '@genmount/provider-kit'
import type { ComfyServer } from './comfy-server.ts'
import { historyIn, outcomeIn } from './history-entry.ts'
import { queueIn } from './place-in-queue.ts'

/** Entries have whole workflows. */
const pageSize = 100

/**
 * Lists the prompts in the queue and the history of a ComfyUI that this package has submitted since an instant. The
 * history ends with the process of ComfyUI.
 * @throws Error when ComfyUI does not answer with its queue and its history
 */
export async function* listedPrompts(server: ComfyServer, since: number): AsyncGenerator<ListedTask> {
  // The queue first, so that a prompt that ends in between is found in the history.
  const { running, pending } = queueIn(jsonOf(await server.queue()))
  for (const item of [...running, ...pending]) yield* taskIn(item, 'running', since)

  const seen = new Set<string>()
  for (;;) {
    const page = historyIn(jsonOf(await server.historyPage(seen.size, pageSize)))
    const ids = Object.keys(page).filter((id) => !seen.has(id))
    // Also ends the list if a server does not read the offset.
    if (ids.length === 0) return
    for (const id of ids) {
      seen.add(id)
      const state = outcomeIn(page, id, undefined)?.state
      const isOver = state === 'succeeded' || state === 'failed'
      yield* taskIn(recordOf(page[id])['prompt'], isOver ? state : 'running', since)
    }
  }
}

/** @param item `(number, prompt_id, workflow, extra_data, ...)`: server.py, post_prompt */
function* taskIn(item: unknown, state: ListedTask['state'], since: number): Generator<ListedTask> {
  const [, promptId, , extra] = Array.isArray(item) ? (item as readonly unknown[]) : []
  const { client_id: clientId, create_time: time } = recordOf(extra)
  // Other programs, such as ComfyUI's own page, have an id for the client that is not the id of the prompt.
  if (typeof promptId !== 'string' || clientId !== promptId) return
  const createdAt = typeof time === 'number' ? time : undefined
  if (createdAt === undefined || createdAt >= since)
    yield { handle: { id: promptId, promptId }, clientToken: promptId, createdAt, state }
}

function jsonOf({ ok, status, json }: VendorAnswer): unknown {
  if (ok) return json
  throw new Error(`ComfyUI answered with status ${status}.`)
}
