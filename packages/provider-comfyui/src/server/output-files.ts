import type { Output, ProviderReport } from '@genmount/core'
import { AnswerTooLargeError, failed, pollFailure } from '@genmount/vendor-http'
import type { ComfyServer } from './comfy-server.ts'
import type { OutputFile } from './history-entry.ts'

/**
 * Downloads files one after the other, at most `maxBytes` together. They are returned as bytes, because a ComfyUI has
 * no public links.
 * @returns the files, or a report when they cannot be fetched
 */
export async function outputsOf(
  files: readonly OutputFile[],
  server: ComfyServer,
  maxBytes: number,
): Promise<readonly Output[] | ProviderReport> {
  if (files.length === 0) return failed('output_invalid', 'The workflow has ended without saving a file.')
  const outputs: Output[] = []
  let room = maxBytes
  try {
    for (const file of files) {
      const answer = await server.view(file, room)
      // ComfyUI's own 404 has no body (server.py, view_image) and means that the file is gone. A 404 with a body comes
      // from a proxy, and may be temporary.
      if (answer.status === 400 || (answer.status === 404 && answer.bytes.byteLength === 0))
        return failed('output_invalid', `ComfyUI does not have the file ${file.filename} any more.`)
      if (!answer.ok) return pollFailure(answer)
      room -= answer.bytes.byteLength
      outputs.push({ bytes: answer.bytes })
    }
    return outputs
  } catch (error) {
    if (!(error instanceof AnswerTooLargeError)) throw error
    return failed('output_invalid', `The outputs have more than ${maxBytes} bytes.`)
  }
}
