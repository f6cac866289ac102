import type { FileFetch, JsonObject } from '@genmount/core'
import { readPicture } from '@genmount/input-fields'
import type { OfferedModel } from '../provider/ai-sdk-options.ts'
import { type ImageInput, type MediaInput, pictureTypes, type VideoInput } from './input-schema.ts'

/**
 * The names that clients know, in the words of the AI SDK, which its packages translate back into names: they look for
 * these very ones, whatever the aspect ratio.
 */
const pixels: Readonly<Record<string, string>> = {
  '480p': '854x480',
  '720p': '1280x720',
  '1080p': '1920x1080',
  '4k': '3840x2160',
}

/**
 * What `doGenerate` or `doStart` of any version takes. Each sees all of its options, `undefined` where they are not given.
 * @throws PictureError when a picture is not to be had
 */
export async function callOptions(
  { outputKind, passImageUrls, providerOptions }: OfferedModel,
  input: MediaInput,
  fetchFile: FileFetch,
  signal: AbortSignal,
) {
  /** A picture as every version of the AI SDK takes it. */
  async function read(picture: string) {
    if (passImageUrls && !/^data:/i.test(picture)) return { type: 'url', url: picture } as const
    const { mediaType, bytes: data } = await readPicture(picture, pictureTypes, fetchFile, signal)
    return { type: 'file', mediaType, data } as const
  }
  const readAll = (pictures: string | readonly string[] | undefined) =>
    pictures === undefined ? undefined : Promise.all([pictures].flat().map(read))

  const options = {
    prompt: input.prompt,
    n: input.num_outputs,
    aspectRatio: input.aspect_ratio,
    seed: input.seed,
    providerOptions: merged(input.provider_options, providerOptions),
  }
  if (outputKind === 'image') {
    const { size, image, mask } = input as ImageInput
    return { ...options, size, files: await readAll(image), mask: mask && (await read(mask)) }
  }
  const { resolution, duration, fps, audio, ...pictures } = input as VideoInput
  const image = pictures.image && (await read(pictures.image))
  const lastFrame = pictures.last_frame && (await read(pictures.last_frame))
  return {
    ...options,
    resolution: resolution && (pixels[resolution] ?? resolution),
    duration,
    fps,
    generateAudio: audio,
    image,
    frameImages: lastFrame && [
      ...(image ? [{ image, frameType: 'first_frame' }] : []),
      { image: lastFrame, frameType: 'last_frame' },
    ],
    inputReferences: await readAll(pictures.reference_images),
  }
}

/** The client's options of each vendor under ours. */
function merged(
  theirs: Readonly<Record<string, JsonObject>> = {},
  ours: Readonly<Record<string, JsonObject>> = {},
): Record<string, JsonObject> {
  const vendors = Object.keys({ ...theirs, ...ours })
  return Object.fromEntries(vendors.map((vendor) => [vendor, { ...theirs[vendor], ...ours[vendor] }]))
}

export type CallOptions = Awaited<ReturnType<typeof callOptions>>
