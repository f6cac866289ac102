import type { ImageModelV4, ImageModelV4CallOptions } from '@ai-sdk/provider'
import type { Client } from '@genmount/client'
import { fileUrl } from '../input/file-url.ts'
import { inputOf, type MadeInput, type Setting } from '../input/input-of.ts'
import type { FieldsOf } from '../input/field-reader.ts'
import { imageKey } from './call-key.ts'
import { jobOutputs, shownJob } from './job-outputs.ts'

/** The context that the models of one kind share. */
export interface ModelContext {
  readonly client: Client<object>
  readonly fieldsOf: FieldsOf
}

/** Makes the image model with this id. */
export function imageModel({ client, fieldsOf }: ModelContext, modelId: string): ImageModelV4 {
  const has = async (name: string) => {
    const fields = await fieldsOf(modelId).catch(() => undefined)
    return fields?.has(name)
  }

  async function makeInput(options: ImageModelV4CallOptions): Promise<MadeInput> {
    const { prompt, n, size, aspectRatio, seed, files = [], mask, abortSignal, providerOptions } = options
    const fields = await fieldsOf(modelId)
    const urls = await Promise.all(files.map((file) => fileUrl(client, file, abortSignal)))
    const image = fields?.get('image')?.types.has('array') ? urls : urls[0]
    const [width, height] = size?.split('x').map(Number) ?? []
    const settings: readonly Setting[] = [
      { feature: 'prompt', choices: [{ prompt }] },
      { feature: 'n', choices: [{ num_outputs: n > 1 ? n : undefined }] },
      { feature: 'size', choices: [{ size }, { width, height }] },
      { feature: 'aspectRatio', choices: [{ aspect_ratio: aspectRatio }] },
      { feature: 'seed', choices: [{ seed }] },
      { feature: 'files', choices: [{ image: urls.length > 0 ? image : undefined }] },
      { feature: 'mask', choices: [{ mask: mask && (await fileUrl(client, mask, abortSignal)) }] },
    ]
    const made = inputOf(settings, fields, providerOptions)
    if (urls.length > 1 && !Array.isArray(image))
      made.warnings.push({ type: 'other', message: 'The model takes one image: only the first one is used.' })
    return made
  }

  return {
    specificationVersion: 'v4',
    provider: 'genmount.image',
    modelId,
    async maxImagesPerCall() {
      const field = (await fieldsOf(modelId))?.get('num_outputs')
      return field ? field.schema.maximum : 1
    },
    get supportsFileInputs() {
      return has('image')
    },
    get supportsMaskInputs() {
      return has('mask')
    },
    async doGenerate(options) {
      const { abortSignal: signal, headers } = options
      // Before anything is awaited, because the order of the calls decides.
      const idempotencyKey = imageKey(headers)
      const { input, warnings } = await makeInput(options)
      const job = await client.generate({ model: modelId, ...input } as never, {
        signal,
        idempotencyKey,
      })
      const outputs = await jobOutputs(client, job, signal)
      const { metadata, response } = shownJob(job)
      // Of the metadata of several calls, `generateImage` of AI SDK 7 joins only the lists `images`.
      const costUsd = metadata.costUsd / outputs.length
      const images = outputs.map(({ mediaType }) => ({ mediaType, jobId: metadata.jobId, costUsd }))
      return {
        images: outputs.map(({ data }) => data),
        // A retried call would create another job and cost again.
        isRetryable: false,
        warnings,
        providerMetadata: {
          genmount: { ...metadata, images },
        },
        response,
      }
    },
  }
}
