import type { Workflow } from '../workflow/workflow.ts'
import type { VendorClient } from '@genmount/provider-kit'
import type { OutputFile } from './history-entry.ts'

/** The routes of a ComfyUI, as in its server.py. */
export type ComfyServer = ReturnType<typeof comfyServer>

/** In bytes. Queue and history contain whole workflows: the queue has one for every waiting prompt. */
const usualMaxBytes = 16 * 1024 * 1024
const pageMaxBytes = 64 * 1024 * 1024
/** How many keys and values these may have: enough for 300 workflows of 100 nodes. */
const maxValues = 500_000

export function comfyServer({ ask }: VendorClient, signal: AbortSignal) {
  const get = (path: string, maxBytes = usualMaxBytes) =>
    ask({ method: 'GET', path, maxBytes, maxValues, signal })
  const post = (path: string, json: object) => ask({ method: 'POST', path, json, signal })
  return {
    /**
     * Sends a client_id, because without one, servers up to July 2026 do not report outputs that they have in their
     * cache: Comfy-Org/ComfyUI#14939. It is the id of the prompt, so that every process can follow the prompt.
     * @param preview_method for this prompt alone: execution.py, execute_async. Servers before 2026 do not read it
     */
    prompt: (promptId: string, prompt: Workflow, preview_method: string) =>
      post('prompt', { prompt, prompt_id: promptId, client_id: promptId, extra_data: { preview_method } }),

    queue: () => get('queue'),

    history: (promptId: string) => get(`history/${encodeURIComponent(promptId)}`),

    /** At most `count` entries of the history from the `offset`, the oldest first. */
    historyPage: (offset: number, count: number) =>
      get(`history?${new URLSearchParams({ max_items: `${count}`, offset: `${offset}` })}`, pageMaxBytes),

    /** @throws AnswerTooLargeError when the file has more than `room` bytes */
    view: ({ filename, subfolder, type }: OutputFile, room: number) =>
      get(`view?${new URLSearchParams({ filename, subfolder, type })}`, room),

    /** Takes files of any kind (server.py, image_upload). Nodes find them all in the same folder. */
    upload(fileName: string, bytes: Uint8Array<ArrayBuffer>) {
      const form = new FormData()
      form.append('image', new Blob([bytes]), fileName)
      return ask({ method: 'POST', path: 'upload/image', form, signal })
    },

    /** Removes the prompt from the queue, if it is waiting there. */
    dequeue: (promptId: string) => post('queue', { delete: [promptId] }),

    /** Stops the prompt, if it is running. Servers from before September 2025 stop whichever prompt is running. */
    interrupt: (promptId: string) => post('interrupt', { prompt_id: promptId }),
  }
}
