import type { ProviderReport } from '@genmount/core'
import { type AnsweredFile, AnswerTooLargeError } from '@genmount/provider-kit'
import type { ComfyServer } from './comfy-server.ts'
import type { OutputFile } from './history-entry.ts'

/**
 * Downloads files one after the other, at most `maxBytes` together. They are returned as bytes, because a ComfyUI has
 * no public links. A file that is gone, empty or too large gets a fault.
 * @returns the files, or a report when they cannot be fetched at present
 */
export async function downloadedFiles(
  files: readonly OutputFile[],
  server: ComfyServer,
  maxBytes: number,
): Promise<readonly AnsweredFile[] | ProviderReport> {
  const downloaded: AnsweredFile[] = []
  let room = maxBytes
  for (const file of files) {
    const at = `the file ${file.filename} of node ${file.node}`
    const answer = await server.view(file, room).catch(tooLarge)
    if (answer === undefined) {
      downloaded.push({ at, fault: `is too large: all outputs together may have ${maxBytes} bytes` })
      continue
    }
    // ComfyUI's own 404 has no body (server.py, view_image) and means that the file is gone. A 404 with a body comes
    // from a proxy, and may be temporary.
    const isGone = answer.status === 400 || (answer.status === 404 && answer.bytes.byteLength === 0)
    if (!answer.ok && !isGone) return answer.pollFailure()
    room -= isGone ? 0 : answer.bytes.byteLength
    if (isGone) downloaded.push({ at, fault: 'is gone' })
    else if (answer.bytes.byteLength === 0) downloaded.push({ at, fault: 'is empty' })
    else downloaded.push({ at, output: { bytes: answer.bytes } })
  }
  return downloaded
}

function tooLarge(error: unknown): undefined {
  if (!(error instanceof AnswerTooLargeError)) throw error
}
