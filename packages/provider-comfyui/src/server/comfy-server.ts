import type { VendorClient } from '@genmount/vendor-http'
import type { Workflow } from '../workflow/workflow.ts'
import type { OutputFile } from './history-entry.ts'

/** A ComfyUI's routes, as its server.py has them. */
export type ComfyServer = ReturnType<typeof comfyServer>

/** Both hold whole workflows, and the queue one of everybody who waits. */
const maxBytes = 16 * 1024 * 1024

export function comfyServer({ ask }: VendorClient, signal: AbortSignal) {
  return {
    /** Without a client_id, servers up to July 2026 tell no outputs of what they have in their cache: Comfy-Org/ComfyUI#14939. */
    prompt: (promptId: string, prompt: Workflow) =>
      ask({
        method: 'POST',
        path: 'prompt',
        json: { prompt, prompt_id: promptId, client_id: promptId },
        signal,
      }),

    queue: () => ask({ method: 'GET', path: 'queue', maxBytes, signal }),

    history: (promptId: string) =>
      ask({ method: 'GET', path: `history/${encodeURIComponent(promptId)}`, maxBytes, signal }),

    /** @throws AnswerTooLargeError when the file has more than `room` bytes */
    view: ({ filename, subfolder, type }: OutputFile, room: number) =>
      ask({
        method: 'GET',
        path: `view?${new URLSearchParams({ filename, subfolder, type })}`,
        maxBytes: room,
        signal,
      }),

    upload(fileName: string, bytes: Uint8Array<ArrayBuffer>) {
      const form = new FormData()
      form.append('image', new Blob([bytes]), fileName)
      return ask({ method: 'POST', path: 'upload/image', form, signal })
    },

    /** Takes it from the queue, where it waits there. */
    dequeue: (promptId: string) =>
      ask({ method: 'POST', path: 'queue', json: { delete: [promptId] }, signal }),

    /** Stops it, where it runs; servers before September 2025 stop whatever runs. */
    interrupt: (promptId: string) =>
      ask({ method: 'POST', path: 'interrupt', json: { prompt_id: promptId }, signal }),
  }
}
