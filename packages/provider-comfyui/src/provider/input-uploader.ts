import type { Json, JsonObject, ProviderReport } from '@genmount/core'
import { FetchRefusedError, type GuardedFetchOptions } from '@genmount/guarded-fetch'
import { submitFailure } from '@genmount/vendor-http'
import type { ComfyServer } from '../server/comfy-server.ts'
import { readImage } from '../workflow/input-image.ts'
import type { InputPlaces } from '../workflow/workflow.ts'

/** The input with its pictures under their names in ComfyUI's input folder, or why there is none. */
export type UploadedInput = { readonly input: JsonObject } | { readonly failure: ProviderReport }

export type InputUploader = (
  input: JsonObject,
  places: InputPlaces,
  signal: AbortSignal,
) => Promise<UploadedInput>

/** Brings the pictures of a task's input to ComfyUI. The same picture again is the same file there. */
export function inputUploader(
  server: ComfyServer,
  allowAddress: GuardedFetchOptions['allowAddress'],
): InputUploader {
  return async (input, places, signal) => {
    const uploaded: Record<string, Json> = { ...input }
    for (const [name, [{ type }]] of places) {
      const source = input[name]
      if (type !== 'image' || typeof source !== 'string') continue
      try {
        const answer = await server.upload(await readImage(source, { signal, allowAddress }), signal)
        if (!answer.ok) return { failure: submitFailure(answer) }
        uploaded[name] = nameIn(answer.json)
      } catch (error) {
        if (!(error instanceof FetchRefusedError)) throw error
        return { failure: { state: 'failed', code: 'input_fetch_failed', message: error.message } }
      }
    }
    return { input: uploaded }
  }
}

/** The name that nodes find the file by. */
function nameIn(json: unknown): string {
  const { name, subfolder } = (json ?? {}) as Readonly<Record<string, unknown>>
  if (typeof name !== 'string') throw new Error('ComfyUI has not told where it keeps the picture.')
  return subfolder ? `${String(subfolder)}/${name}` : name
}
