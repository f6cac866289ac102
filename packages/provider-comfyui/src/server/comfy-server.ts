import type { VendorClient } from '@genmount/vendor-http'
import type { Workflow } from '../workflow/workflow.ts'
import type { OutputFile } from './history-entry.ts'

/** The routes of a ComfyUI, as in its server.py. */
export type ComfyServer = ReturnType<typeof comfyServer>

/** Queue and history contain whole workflows, the queue one for every waiting prompt. */
const maxBytes = 16 * 1024 * 1024

export function comfyServer({ ask }: VendorClient, signal: AbortSignal) {
  return {
    /**
     * Sends a client_id, because without one, servers up to July 2026 do not report outputs that they have in their
     * cache: Comfy-Org/ComfyUI#14939.
     */
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

    /** Removes the prompt from the queue, if it is waiting there. */
    dequeue: (promptId: string) =>
      ask({ method: 'POST', path: 'queue', json: { delete: [promptId] }, signal }),

    /** Stops the prompt, if it is running. Servers from before September 2025 stop whichever prompt is running. */
    interrupt: (promptId: string) =>
      ask({ method: 'POST', path: 'interrupt', json: { prompt_id: promptId }, signal }),
  }
}
