import type {
  Experimental_VideoModelV4 as VideoModelV4,
  Experimental_VideoModelV4CallOptions as VideoModelV4CallOptions,
} from '@ai-sdk/provider'
import type { Job } from '@genmount/client'
import { fileUrl, type GivenFile } from '../input/file-url.ts'
import { inputOf, type MadeInput, type Setting } from '../input/input-of.ts'
import { videoKey } from './call-key.ts'
import type { ModelContext } from './image-model.ts'
import { jobOutputs, shownJob } from './job-outputs.ts'

/** Makes the video model with this id. Its operations are ids of jobs, which any process can poll. */
export function videoModel({ client, fieldsOf }: ModelContext, modelId: string): VideoModelV4 {
  async function makeInput(options: VideoModelV4CallOptions): Promise<MadeInput> {
    const { prompt, n, aspectRatio, resolution, duration, fps, seed, generateAudio, abortSignal } = options
    const { image, frameImages, inputReferences = [], providerOptions } = options
    const urlOf = (file: GivenFile | undefined) => file && fileUrl(client, file, abortSignal)
    const frameOf = (type: 'first_frame' | 'last_frame') =>
      frameImages?.find(({ frameType }) => frameType === type)?.image
    const urlsOf = (isWanted: (file: GivenFile) => boolean) => {
      const wanted = inputReferences.filter(isWanted)
      return wanted.length === 0
        ? undefined
        : Promise.all(wanted.map((file) => fileUrl(client, file, abortSignal)))
    }
    const settings: readonly Setting[] = [
      { feature: 'prompt', choices: [{ prompt }] },
      { feature: 'n', choices: [{ num_outputs: n > 1 ? n : undefined }] },
      { feature: 'aspectRatio', choices: [{ aspect_ratio: aspectRatio }] },
      { feature: 'resolution', choices: [{ resolution: resolutionWord(resolution) }, { resolution }] },
      { feature: 'duration', choices: [{ duration }] },
      { feature: 'fps', choices: [{ fps }] },
      { feature: 'seed', choices: [{ seed }] },
      { feature: 'generateAudio', choices: [{ sound: generateAudio }] },
      { feature: 'image', choices: [{ image: await urlOf(frameOf('first_frame') ?? image) }] },
      { feature: 'frameImages', choices: [{ last_frame: await urlOf(frameOf('last_frame')) }] },
      {
        feature: 'inputReferences',
        choices: [{ reference_images: await urlsOf((file) => !isVideo(file)) }],
      },
      { feature: 'inputReferences', choices: [{ reference_videos: await urlsOf(isVideo) }] },
    ]
    return inputOf(settings, await fieldsOf(modelId), providerOptions)
  }

  return {
    specificationVersion: 'v4',
    provider: 'genmount.video',
    modelId,
    async maxVideosPerCall() {
      const field = (await fieldsOf(modelId))?.get('num_outputs')
      return field ? field.schema.maximum : 1
    },
    async doStart(options) {
      const { abortSignal: signal, headers, webhookUrl } = options
      // Before anything is awaited, because the order of the calls decides.
      const idempotencyKey = videoKey(headers)
      const { input, warnings } = await makeInput(options)
      const webhook = webhookUrl === undefined ? {} : { webhook_url: webhookUrl }
      const job = await client.create({ model: modelId, ...input, ...webhook } as never, {
        signal,
        idempotencyKey,
      })
      const { metadata, response } = shownJob(job)
      return { operation: job.id, warnings, providerMetadata: { genmount: metadata }, response }
    },
    async doStatus({ operation, abortSignal: signal }) {
      const job: Job = await client.get(String(operation), { signal })
      const { metadata, response } = shownJob(job)
      const said = { providerMetadata: { genmount: metadata }, response }
      if (job.status === 'processing') return { status: 'pending', ...said }
      if (job.status === 'failed')
        return { status: 'error', error: job.error ?? 'The job has failed.', ...said }
      const outputs = await jobOutputs(client, job, signal)
      const videos = outputs.map((output) => ({ type: 'binary' as const, ...output }))
      return { status: 'completed', videos, warnings: [], ...said }
    },
  }
}

function isVideo({ mediaType }: GivenFile): boolean {
  return mediaType?.startsWith('video/') === true
}

/** The name of a size in pixels: `1280x720` and `720x1280` are both `720p`. */
function resolutionWord(resolution: string | undefined): string | undefined {
  return resolution === undefined ? undefined : `${Math.min(...resolution.split('x').map(Number))}p`
}
