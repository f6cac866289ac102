import type { Output, ProviderReport } from '@genmount/core'
import { pollFailure } from '@genmount/vendor-http'
import type { ComfyServer } from '../server/comfy-server.ts'
import type { OutputFile } from '../server/history-entry.ts'

/** The outputs of a task, or why there are none. */
export type CollectedOutputs = { readonly outputs: readonly Output[] } | { readonly failure: ProviderReport }

export type OutputCollector = (files: readonly OutputFile[], signal: AbortSignal) => Promise<CollectedOutputs>

/** Fetches files as bytes, one after the other, up to `maxBytes` together: a ComfyUI has no public links to give. */
export function outputCollector(server: ComfyServer, maxBytes: number): OutputCollector {
  return async (files, signal) => {
    if (files.length === 0) return invalid('The workflow has ended without saving a file.')
    const outputs: { readonly bytes: Uint8Array }[] = []
    let room = maxBytes
    for (const file of files) {
      const answer = await server.view(file, room, signal).catch((error: unknown) => {
        if (isTooLarge(error)) return undefined
        throw error
      })
      if (!answer) return invalid(`The outputs have more than ${maxBytes} bytes.`)
      if (answer.status === 400 || answer.status === 404)
        return invalid(`ComfyUI does not have the file ${file.filename} any more.`)
      if (!answer.ok) return { failure: pollFailure(answer) }
      room -= answer.bytes.byteLength
      outputs.push({ bytes: answer.bytes })
    }
    return { outputs }
  }
}

/** The client tells it by its message alone; asking again would bring as much each time. */
function isTooLarge(error: unknown): boolean {
  return error instanceof Error && /answered with more than \d+ bytes/.test(error.message)
}

function invalid(message: string): CollectedOutputs {
  return { failure: { state: 'failed', code: 'output_invalid', message } }
}
