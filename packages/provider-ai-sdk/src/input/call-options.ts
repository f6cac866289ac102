import type { JsonObject } from '@genmount/core'
import type { ModelEntry } from '../models/model-entry.ts'
import type { MediaInput } from './input-schema.ts'
import type { ReadPicture } from './read-picture.ts'

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
 * @throws what `readPicture` throws
 */
export async function callOptions(entry: ModelEntry, input: MediaInput, readPicture: ReadPicture) {
  const options = {
    prompt: input.prompt,
    n: input.num_outputs,
    aspectRatio: input.aspect_ratio,
    seed: input.seed,
    providerOptions: merged(input.provider_options, entry.providerOptions),
  }
  const readAll = (pictures: string | readonly string[] | undefined) =>
    pictures === undefined ? undefined : Promise.all([pictures].flat().map(readPicture))

  if (entry.publicModel.outputKind === 'image') {
    const { size, image, mask } = input as Extract<MediaInput, { mask?: unknown }>
    return { ...options, size, files: await readAll(image), mask: mask && (await readPicture(mask)) }
  }

  const {
    resolution = '',
    duration,
    fps,
    audio,
    ...pictures
  } = input as Exclude<MediaInput, { mask?: unknown }>
  const image = pictures.image && (await readPicture(pictures.image))
  const lastFrame = pictures.last_frame && (await readPicture(pictures.last_frame))
  return {
    ...options,
    resolution: pixels[resolution] ?? (resolution || undefined),
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
  given: Readonly<Record<string, JsonObject>> = {},
  ours: Readonly<Record<string, JsonObject>> = {},
): Record<string, JsonObject> {
  const vendors = [...new Set([...Object.keys(given), ...Object.keys(ours)])]
  return Object.fromEntries(vendors.map((vendor) => [vendor, { ...given[vendor], ...ours[vendor] }]))
}

export type CallOptions = Awaited<ReturnType<typeof callOptions>>
