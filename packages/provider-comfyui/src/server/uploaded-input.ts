import { Buffer } from 'node:buffer'
import type { FileFetch, Json, JsonObject } from '@genmount/core'
import { readPicture } from '@genmount/input-fields'
import { type FailedReport, recordOf, type RefusedReport, submitFailure } from '@genmount/vendor-http'
import { type InputPlaces, pictureTypes } from '../workflow/workflow.ts'
import type { ComfyServer } from './comfy-server.ts'

/** The input with its pictures under their names in ComfyUI's input folder, or why there is none. */
export type UploadedInput =
  { readonly input: JsonObject } | { readonly failure: FailedReport | RefusedReport }

/**
 * Brings the pictures of an input to ComfyUI.
 * @throws PictureError when one is not to be had
 */
export async function uploadedInput(
  input: JsonObject,
  places: InputPlaces,
  server: ComfyServer,
  fetchFile: FileFetch,
  signal: AbortSignal,
): Promise<UploadedInput> {
  const uploaded: Record<string, Json> = { ...input }
  for (const [name, [{ type }]] of places) {
    const source = input[name]
    if (type !== 'image' || typeof source !== 'string') continue
    const { mediaType, bytes } = await readPicture(source, pictureTypes, fetchFile, signal)
    // The same for the same bytes, so that ComfyUI keeps one file of them.
    const digest = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex')
    const fileName = `genmount-${digest.slice(0, 32)}.${mediaType.replace('image/', '')}`
    const answer = await server.upload(fileName, bytes)
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
