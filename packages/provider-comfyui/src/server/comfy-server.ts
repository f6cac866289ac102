import type { VendorAnswer, VendorClient } from '@genmount/vendor-http'
import type { Workflow } from '../workflow/workflow.ts'
import type { InputImage } from '../workflow/input-image.ts'
import type { OutputFile } from './history-entry.ts'

/** A ComfyUI's routes, as its server.py has them. */
export interface ComfyServer {
  prompt(promptId: string, workflow: Workflow, signal: AbortSignal): Promise<VendorAnswer>
  queue(signal: AbortSignal): Promise<VendorAnswer>
  history(promptId: string, signal: AbortSignal): Promise<VendorAnswer>
  /** @throws Error when the file has more than `maxBytes` */
  view(file: OutputFile, maxBytes: number, signal: AbortSignal): Promise<VendorAnswer>
  upload(image: InputImage, signal: AbortSignal): Promise<VendorAnswer>
  /** Takes it from the queue, where it waits there. */
  dequeue(promptId: string, signal: AbortSignal): Promise<VendorAnswer>
  /** Stops it, where it runs; servers before September 2025 stop whatever runs. */
  interrupt(promptId: string, signal: AbortSignal): Promise<VendorAnswer>
}

/** Both hold whole workflows, and the queue one of everybody who waits. */
const maxStatusBytes = 16 * 1024 * 1024

export function comfyServer({ ask }: VendorClient): ComfyServer {
  return {
    prompt: (promptId, workflow, signal) =>
      // Without a client_id, servers up to July 2026 tell no outputs of what they have in their cache.
      // https://github.com/Comfy-Org/ComfyUI/pull/14939
      ask({
        method: 'POST',
        path: 'prompt',
        json: { prompt: workflow, prompt_id: promptId, client_id: promptId },
        signal,
      }),
    queue: (signal) => ask({ method: 'GET', path: 'queue', maxBytes: maxStatusBytes, signal }),
    history: (promptId, signal) =>
      ask({
        method: 'GET',
        path: `history/${encodeURIComponent(promptId)}`,
        maxBytes: maxStatusBytes,
        signal,
      }),
    view: ({ filename, subfolder, type }, maxBytes, signal) =>
      ask({
        method: 'GET',
        path: `view?${new URLSearchParams({ filename, subfolder, type })}`,
        maxBytes,
        signal,
      }),
    upload({ bytes, fileName }, signal) {
      const form = new FormData()
      form.append('image', new Blob([bytes]), fileName)
      return ask({ method: 'POST', path: 'upload/image', form, signal })
    },
    dequeue: (promptId, signal) =>
      ask({ method: 'POST', path: 'queue', json: { delete: [promptId] }, signal }),
    interrupt: (promptId, signal) =>
      ask({ method: 'POST', path: 'interrupt', json: { prompt_id: promptId }, signal }),
  }
}
