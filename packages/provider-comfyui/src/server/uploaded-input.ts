import { Buffer } from 'node:buffer'
import { type InputFiles, inputFiles } from '../workflow/input-files.ts'
import type { InputPlaces } from '../workflow/workflow.ts'
import type { FileFetch, Json, JsonObject, ProviderTask } from '@genmount/core'
import { recordOf, type ReportOf, withPictures } from '@genmount/provider-kit'
import type { ComfyServer } from './comfy-server.ts'

/** The input, in which names in ComfyUI's input folder replace files; or the reason why an upload failed. */
export type UploadedInput =
  | { readonly input: JsonObject }
  | { readonly failure: ReportOf<'failed' | 'refused'> }

/**
 * A submit waits up to 5000 ms for room. While a file is sent, it takes twice its bytes: the file, and the form with it.
 */
const reading = { line: 'comfyui', copies: 2, patienceMs: 5000 }

/**
 * Uploads the files of a task's input to ComfyUI, one after the other.
 * @throws an error that `pictureRefusal` turns into a report, when one of them cannot be read
 */
export async function uploadedInput(
  { input, owner }: ProviderTask,
  places: InputPlaces,
  server: ComfyServer,
  fetchFile: FileFetch,
  signal: AbortSignal,
): Promise<UploadedInput> {
  const upload = (source: string, { types }: InputFiles) =>
    withPictures([source], { ...reading, types, fetchFile, signal, owner }, async ([file]) => {
      // Equal files get the same name, so that ComfyUI keeps only one of them.
      const digest = Buffer.from(await crypto.subtle.digest('SHA-256', file.bytes)).toString('hex')
      const ending = file.mediaType.replace(/^.*\//, '')
      return server.upload(`genmount-${digest.slice(0, 32)}.${ending}`, file.bytes)
    })
  const uploaded: Record<string, Json> = { ...input }
  for (const [name, [place]] of places) {
    const files = inputFiles(place)
    if (!files || input[name] === undefined) continue
    const names: string[] = []
    for (const source of [input[name]].flat() as readonly string[]) {
      const answer = await upload(source, files)
      if (!answer.ok) return { failure: answer.submitFailure() }
      names.push(nameIn(answer.json))
    }
    uploaded[name] = files.isList ? names : names[0]!
  }
  return { input: uploaded }
}

/** The name by which nodes find the file. */
function nameIn(json: unknown): string {
  const { name, subfolder } = recordOf(json)
  if (typeof name !== 'string') throw new Error('ComfyUI answered an upload without a file name.')
  return subfolder ? `${String(subfolder)}/${name}` : name
}
