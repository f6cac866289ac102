import type { ModelCall } from '../tasks/model-call.ts'
import type { JsonObject } from '@genmount/core'
import { withPictures } from '@genmount/provider-kit'
import type { OfferedModel } from '../provider/ai-sdk-options.ts'
import { type MediaInput, pictureTypes } from './input-schema.ts'

/**
 * The AI SDK's texts for the resolutions that clients name. Its packages compare a resolution with exactly these texts,
 * whatever the aspect ratio, and turn them back into the vendor's names.
 */
const pixels: Readonly<Record<string, string>> = {
  '480p': '854x480',
  '720p': '1280x720',
  '1080p': '1920x1080',
  '4k': '3840x2160',
}

/**
 * A submit waits up to 5000 ms for room. While a picture is sent, it takes four times its bytes: the picture, its
 * base64, the JSON text and the bytes of the request.
 */
const reading = { types: pictureTypes, line: 'ai-sdk', copies: 4, patienceMs: 5000 }

/**
 * Builds the options of `doGenerate` or `doStart`, which suit every version of the AI SDK, and calls `work` with them.
 * Options that the client has not given are `undefined`.
 * @throws an error that `pictureRefusal` turns into a report, when a picture cannot be read
 */
export async function withCallOptions<T>(
  model: OfferedModel,
  input: MediaInput,
  pictureReading: Pick<Parameters<typeof withPictures>[1], 'fetchFile' | 'signal' | 'owner'>,
  work: (options: ModelCall) => Promise<T>,
): Promise<T> {
  const isPassedOn = (picture: string) => model.passImageUrls && !/^data:/i.test(picture)
  const sources = [...new Set(picturesIn(input))].filter((picture) => !isPassedOn(picture))
  return withPictures(sources, { ...reading, ...pictureReading }, (pictures) =>
    work(
      callOptions(model, input, (picture) => {
        const read = pictures[sources.indexOf(picture)]
        if (!read) return { type: 'url', url: picture }
        return { type: 'file', mediaType: read.mediaType, data: read.bytes }
      }),
    ),
  )
}

/** A picture in the form that every version of the AI SDK accepts. */
type GivenPicture =
  | { readonly type: 'url'; readonly url: string }
  | { readonly type: 'file'; readonly mediaType: string; readonly data: Uint8Array }

function picturesIn({ image, mask, last_frame, reference_images }: MediaInput): readonly string[] {
  return [image, mask, last_frame, reference_images].flat().filter((picture) => picture !== undefined)
}

function callOptions(
  { outputKind, providerOptions }: OfferedModel,
  input: MediaInput,
  give: (picture: string) => GivenPicture,
): ModelCall {
  const giveAll = (pictures: string | readonly string[] | undefined) =>
    pictures === undefined ? undefined : [pictures].flat().map(give)
  const pictures = giveAll(input.image)
  const options = {
    prompt: input.prompt,
    n: input.num_outputs,
    aspectRatio: input.aspect_ratio,
    seed: input.seed,
    providerOptions: merged(input.provider_options, providerOptions),
  }
  if (outputKind === 'image')
    return { ...options, size: input.size, files: pictures, mask: input.mask && give(input.mask) }
  const [image] = pictures ?? []
  const lastFrame = input.last_frame && give(input.last_frame)
  return {
    ...options,
    resolution: input.resolution && (pixels[input.resolution] ?? input.resolution),
    duration: input.duration,
    fps: input.fps,
    generateAudio: input.sound,
    image,
    frameImages: lastFrame && [
      ...(image ? [{ image, frameType: 'first_frame' }] : []),
      { image: lastFrame, frameType: 'last_frame' },
    ],
    inputReferences: giveAll(input.reference_images),
  }
}

/** Merges the options of each vendor. The app's options win over the client's. */
function merged(
  theirs: Readonly<Record<string, JsonObject>> = {},
  ours: Readonly<Record<string, JsonObject>> = {},
): Record<string, JsonObject> {
  const vendors = Object.keys({ ...theirs, ...ours })
  return Object.fromEntries(vendors.map((vendor) => [vendor, { ...theirs[vendor], ...ours[vendor] }]))
}
