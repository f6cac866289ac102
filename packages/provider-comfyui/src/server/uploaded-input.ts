import { Buffer } from 'node:buffer'
import type { FileFetch, Json, JsonObject, ProviderTask } from '@genmount/core'
import { withPictures } from '@genmount/input-fields'
import { type FailedReport, recordOf, type RefusedReport, submitFailure } from '@genmount/vendor-http'
import { fileTypesOf, type InputPlaces } from '../workflow/workflow.ts'
import type { ComfyServer } from './comfy-server.ts'

/**
 * The input, in which each picture and film is replaced by its file name in ComfyUI's input folder; or a report on why this
 * failed.
 */
export type UploadedInput =
  { readonly input: JsonObject } | { readonly failure: FailedReport | RefusedReport }

/**
 * A submit waits up to 5000 ms for room. While a picture is sent, it takes twice its bytes: the picture, and the form
 * with it.
 */
const reading = { line: 'comfyui', copies: 2, patienceMs: 5000 }

/**
 * Uploads the pictures and films of a task's input to ComfyUI.
 * @throws an error that `pictureRefusal` turns into a report, when one of them cannot be read
 */
export async function uploadedInput(
  { input, owner }: ProviderTask,
  places: InputPlaces,
  server: ComfyServer,
  fetchFile: FileFetch,
  signal: AbortSignal,
): Promise<UploadedInput> {
  const uploaded: Record<string, Json> = { ...input }
  for (const [name, [place]] of places) {
    const source = input[name]
    const types = fileTypesOf(place)
    if (!types || typeof source !== 'string') continue
    const answer = await withPictures(
      [source],
      { ...reading, types, fetchFile, signal, owner },
      async ([picture]) => {
        const { mediaType, bytes } = picture
        // Equal pictures get the same name, so that ComfyUI keeps only one file.
        const digest = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex')
        const fileName = `genmount-${digest.slice(0, 32)}.${mediaType.replace(/.*\//, '')}`
        return server.upload(fileName, bytes)
      },
    )
    if (!answer.ok) return { failure: submitFailure(answer) }
    uploaded[name] = nameIn(answer.json)
  }
  return { input: uploaded }
}

/** The name by which nodes find the file. */
function nameIn(json: unknown): string {
  const { name, subfolder } = recordOf(json)
  if (typeof name !== 'string') throw new Error('ComfyUI answered an upload without a file name.')
  return subfolder ? `${String(subfolder)}/${name}` : name
}
