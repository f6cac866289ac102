import {
  type FileFetch,
  type JsonObject,
  type ProviderReport,
  type ProviderTask,
  toBase64,
} from '@genmount/core'
import {
  fileName,
  filesInInput,
  filledWorkflow,
  type InputPlaces,
  seedFor,
  withFileNames,
  type Workflow,
} from '@genmount/provider-comfyui/workflow'
import { withPictures } from '@genmount/provider-kit'

/** A workflow, and where the fields of an input go. */
interface PlacedWorkflow {
  readonly nodes: Workflow
  readonly places: InputPlaces
}

/**
 * A submit waits up to 5000 ms for room. A file takes four times its bytes: itself, its base64, and the request as text and as
 * bytes.
 */
const reading = { line: 'runpod', copies: 4, patienceMs: 5000 }

/**
 * Makes the input of worker-comfyui, `{ workflow, images: [{ name, image }] }`, and calls `send` with it. Files are in it as
 * base64, and the room for them is given back when `send` settles. The worker uploads each of them to ComfyUI's input
 * folder, from where nodes load it.
 * @param send gets `undefined` when the input can't be written into the workflow
 * @throws an error that `pictureRefusal` turns into a report, when a file can't be read
 */
export function withWorkflowInput(
  { input, clientToken, owner }: ProviderTask,
  { nodes, places }: PlacedWorkflow,
  by: { readonly fetchFile: FileFetch; readonly signal: AbortSignal },
  send: (input: JsonObject | undefined) => Promise<ProviderReport>,
): Promise<ProviderReport> {
  const files = filesInInput(input, places)
  const types = [...new Set(files.flatMap((file) => file.types))]
  const sources = files.map(({ source }) => source)
  return withPictures(sources, { ...reading, ...by, types, owner }, async (read) => {
    const names = await Promise.all(read.map(fileName))
    const images = new Map(read.map(({ bytes }, at) => [names[at]!, toBase64(bytes)] as const))
    const named = { ...seedFor(clientToken, places), ...withFileNames(input, places, names) }
    const workflow = filledWorkflow(nodes, places, named)
    if (!workflow) return send(undefined)
    // The names of the worker's images must differ, so equal files are in it once.
    const sent = Array.from(images, ([name, image]) => ({ name, image }))
    return send({ workflow: workflow as unknown as JsonObject, ...(sent.length > 0 && { images: sent }) })
  })
}
