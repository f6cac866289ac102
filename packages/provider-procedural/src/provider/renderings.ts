import { FetchRefusedError } from '@genmount/guarded-fetch'
import type { ProviderTask } from '@genmount/core'
import type { RenderPool } from '../render/render-pool.ts'
import type { RenderReply } from '../render/render-order.ts'
import type { FetchImage } from './fetch-image.ts'
import { orderFor } from './order-for.ts'

/** Finished results are kept for another poll up to this many bytes, and the oldest dropped first. */
const keptLimit = 128 * 1024 * 1024

/** A task being rendered, or rendered and still kept. */
export interface Rendering {
  /** There once it has settled, unless it was cancelled. */
  readonly reply: RenderReply | undefined
  /** Never rejects. */
  readonly settled: Promise<void>
}

interface KnownRendering extends Rendering {
  readonly abort: AbortController
  reply: RenderReply | undefined
}

/** What this process is rendering. One client token is one rendering, however often it is asked for. */
export interface Renderings {
  /** The task's rendering, begun if there is none: equal tasks give equal bytes, so a lost one is rendered again. */
  of(task: ProviderTask): Rendering
  /** Stops and forgets the task's rendering, finished or not. */
  drop(task: ProviderTask): void
  close(): Promise<void>
}

export function renderingsIn(pool: RenderPool, fetchImage: FetchImage, limit = keptLimit): Renderings {
  const known = new Map<string, KnownRendering>()

  function begin(task: ProviderTask): Rendering {
    const { clientToken } = task
    const abort = new AbortController()
    const settled = draw(task, abort.signal).then(
      (reply) => {
        if (known.get(clientToken) !== rendering) return
        rendering.reply = reply
        // A Map keeps its keys in the order in which they came: those that finished last go to its end.
        known.delete(clientToken)
        known.set(clientToken, rendering)
        makeRoomBefore(clientToken)
      },
      // Cancelled or closed: there is nobody to tell.
      () => {},
    )
    const rendering: KnownRendering = { abort, reply: undefined, settled }
    known.set(clientToken, rendering)
    return rendering
  }

  async function draw(task: ProviderTask, signal: AbortSignal): Promise<RenderReply> {
    try {
      return await pool.render(await orderFor(task, fetchImage, signal), signal)
    } catch (error) {
      if (error instanceof FetchRefusedError)
        return { code: 'input_fetch_failed', message: `image: ${error.message}` }
      throw error
    }
  }

  function makeRoomBefore(youngest: string): void {
    let bytes = 0
    for (const { reply } of known.values()) bytes += sizeOf(reply)
    for (const [clientToken, { reply }] of known) {
      if (bytes <= limit || clientToken === youngest) return
      if (reply === undefined) continue
      known.delete(clientToken)
      bytes -= sizeOf(reply)
    }
  }

  return {
    of: (task) => known.get(task.clientToken) ?? begin(task),
    drop(task) {
      known.get(task.clientToken)?.abort.abort()
      known.delete(task.clientToken)
    },
    async close() {
      for (const { abort } of known.values()) abort.abort()
      known.clear()
      await pool.close()
    },
  }
}

function sizeOf(reply: RenderReply | undefined): number {
  if (reply === undefined || !('files' in reply)) return 0
  return reply.files.reduce((sum, file) => sum + file.length, 0)
}
