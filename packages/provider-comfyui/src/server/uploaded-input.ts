import { fileName, filesInInput, type InputFile, withFileNames } from '../workflow/file-names.ts'
import type { InputPlaces } from '../workflow/workflow.ts'
import type { FileFetch, JsonObject, ProviderTask } from '@genmount/core'
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
  const upload = ({ source, types }: InputFile) =>
    withPictures([source], { ...reading, types, fetchFile, signal, owner }, async ([file]) =>
      server.upload(await fileName(file), file.bytes),
    )
  const names: string[] = []
  for (const file of filesInInput(input, places)) {
    const answer = await upload(file)
    if (!answer.ok) return { failure: answer.submitFailure() }
    names.push(nameIn(answer.json))
  }
  return { input: withFileNames(input, places, names) }
}

/** The name by which nodes find the file. */
function nameIn(json: unknown): string {
  const { name, subfolder } = recordOf(json)
  if (typeof name !== 'string') throw new Error('ComfyUI answered an upload without a file name.')
  return subfolder ? `${String(subfolder)}/${name}` : name
}
