import { Buffer } from 'node:buffer'
import type { FileFetch, Json, JsonObject, ProviderTask } from '@genmount/core'
import { withPictures } from '@genmount/input-fields'
import { type FailedReport, recordOf, type RefusedReport, submitFailure } from '@genmount/vendor-http'
import { type InputPlaces, pictureTypes } from '../workflow/workflow.ts'
import type { ComfyServer } from './comfy-server.ts'

/** The input with its pictures under their names in ComfyUI's input folder, or why there is none. */
export type UploadedInput =
  { readonly input: JsonObject } | { readonly failure: FailedReport | RefusedReport }

/** How long a submit waits for room, and how often a picture is held while it is sent: itself, and within a form. */
const reading = { types: pictureTypes, line: 'comfyui', copies: 2, patienceMs: 5000 }

/**
 * Brings the pictures of a task's input to ComfyUI.
 * @throws PictureError when one is not to be had
 */
export async function uploadedInput(
  { input, owner }: ProviderTask,
  places: InputPlaces,
  server: ComfyServer,
  fetchFile: FileFetch,
  signal: AbortSignal,
): Promise<UploadedInput> {
  const uploaded: Record<string, Json> = { ...input }
  for (const [name, [{ type }]] of places) {
    const source = input[name]
    if (type !== 'image' || typeof source !== 'string') continue
    const answer = await withPictures(
      [source],
      { ...reading, fetchFile, signal, owner },
      async ([picture]) => {
        const { mediaType, bytes } = picture
        // The same for the same bytes, so that ComfyUI keeps one file of them.
        const digest = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex')
        const fileName = `genmount-${digest.slice(0, 32)}.${mediaType.replace('image/', '')}`
        return server.upload(fileName, bytes)
      },
    )
    if (!answer.ok) return { failure: submitFailure(answer) }
    uploaded[name] = nameIn(answer.json)
  }
  return { input: uploaded }
}

/** The name that nodes find the file by. */
function nameIn(json: unknown): string {
  const { name, subfolder } = recordOf(json)
  if (typeof name !== 'string') throw new Error('ComfyUI has not told where it keeps the picture.')
  return subfolder ? `${String(subfolder)}/${name}` : name
}
