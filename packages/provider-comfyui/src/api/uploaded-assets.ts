import type { FileFetch, Json, JsonObject, ProviderTask } from '@genmount/core'
import { recordOf, type ReportOf, type VendorClient, withPictures } from '@genmount/provider-kit'
import { inputFiles } from '../workflow/input-files.ts'
import type { InputPlaces } from '../workflow/workflow.ts'

/** The input, in which references to assets replace files; or the reason why an upload failed. */
export type InputWithAssets =
  | { readonly input: JsonObject }
  | { readonly failure: ReportOf<'failed' | 'refused'> }

/** A submit waits up to 5000 ms for room. While a file is sent, it takes twice its bytes. */
const reading = { line: 'comfy-api', copies: 2, patienceMs: 5000 }
/** In seconds: how long Comfy keeps the files of clients. A job that waits for longer fails there. */
const keptFor = '604800'

/**
 * Uploads the files of a task's input, one after the other. Comfy keeps equal files once.
 * @throws an error that `pictureRefusal` turns into a report, when one of them cannot be read
 */
export async function inputWithAssets(
  { input, owner }: ProviderTask,
  places: InputPlaces,
  ask: VendorClient['ask'],
  fetchFile: FileFetch,
  signal: AbortSignal,
): Promise<InputWithAssets> {
  const withAssets: Record<string, Json> = { ...input }
  for (const [name, [place]] of places) {
    const files = inputFiles(place)
    if (!files || input[name] === undefined) continue
    const assets: Json[] = []
    for (const source of [input[name]].flat() as readonly string[]) {
      const types = files.types
      const answer = await withPictures(
        [source],
        { ...reading, types, fetchFile, signal, owner },
        async ([{ mediaType, bytes }]) => {
          const form = new FormData()
          const fileName = `input.${mediaType.replace(/^.*\//, '')}`
          form.set('file', new Blob([bytes], { type: mediaType }), fileName)
          form.set('content_type', mediaType)
          form.set('file_path', fileName)
          form.set('expires_in', keptFor)
          return ask({ method: 'POST', path: '/api/v2/assets', form, signal })
        },
      )
      if (!answer.ok) return { failure: answer.submitFailure() }
      const { id } = recordOf(answer.json)
      if (typeof id !== 'string') throw new Error('Comfy answered an upload without the id of an asset.')
      assets.push({ __type: 'core/ASSET', info: { id } })
    }
    withAssets[name] = files.isList ? assets : assets[0]!
  }
  return { input: withAssets }
}
