import { Buffer } from 'node:buffer'
import {
  choiceField,
  closedInput,
  onlyWith,
  onlyWithout,
  PictureError,
  pictureField,
  pictureListField,
  picturesField,
  providerOptionsField,
  type ProviderOptionsRule,
  textField,
  wholeNumberField,
  withPictures,
} from '@genmount/input-fields'
import * as v from 'valibot'
import type { GoogleApi, TaskFetching } from './google-api.ts'

const types = ['png', 'jpeg', 'webp'] as const
const films = ['mp4'] as const

const shared = (rule: ProviderOptionsRule) => ({
  prompt: textField('prompt', 32_000),
  seed: v.optional(wholeNumberField('seed', 0, 2_147_483_647)),
  provider_options: v.optional(providerOptionsField(rule)),
})

/** The input of a Veo job. Length and resolution have defaults here, because the price depends on them. */
export const videoInput = (rule: ProviderOptionsRule) =>
  closedInput({
    ...shared(rule),
    image: v.optional(pictureField('image', { types })),
    last_frame: v.optional(pictureField('last_frame', { types })),
    negative_prompt: v.optional(textField('negative_prompt', 32_000)),
    aspect_ratio: v.optional(choiceField('aspect_ratio', ['16:9', '9:16'])),
    resolution: v.optional(choiceField('resolution', ['720p', '1080p', '4k']), '720p'),
    duration: v.optional(wholeNumberField('duration', 4, 8), 8),
    num_outputs: v.optional(wholeNumberField('num_outputs', 1, 4), 1),
  })

/** The input of a Gemini Omni job. Length and resolution have defaults here, because the price depends on them. */
export const omniInput = (rule: ProviderOptionsRule) =>
  v.pipe(
    closedInput({
      prompt: textField('prompt', 32_000),
      image: v.optional(pictureField('image', { types })),
      last_frame: v.optional(pictureField('last_frame', { types })),
      reference_images: v.optional(pictureListField('reference_images', 10, { types })),
      video: v.optional(pictureField('video', { types: films })),
      aspect_ratio: v.optional(choiceField('aspect_ratio', ['16:9', '9:16'])),
      resolution: v.optional(choiceField('resolution', ['360p', '720p', '1080p', '4k']), '720p'),
      duration: v.optional(wholeNumberField('duration', 3, 15), 8),
      num_outputs: v.optional(v.literal(1, 'num_outputs must be 1: this model makes one film per job.')),
      provider_options: v.optional(providerOptionsField(rule)),
    }),
    onlyWith('last_frame', 'image'),
    onlyWithout('image', 'video'),
  )

const imageRatios = '1:1 2:3 3:2 3:4 4:3 4:5 5:4 9:16 16:9 21:9 1:4 4:1 1:8 8:1'.split(' ')

/** The input of a Gemini image job. */
export const imageInput = (rule: ProviderOptionsRule) =>
  closedInput({
    ...shared(rule),
    image: v.optional(picturesField('image', 14, { types })),
    aspect_ratio: v.optional(choiceField('aspect_ratio', imageRatios)),
    resolution: v.optional(choiceField('resolution', ['512', '1K', '2K', '4K'])),
    num_outputs: v.optional(v.literal(1, 'num_outputs must be 1: this model makes one image per job.')),
  })

/** The names in Veo's `parameters` that the interface's own fields set. */
export const ownOfVeo = [
  'aspectRatio',
  'negativePrompt',
  'seed',
  'sampleCount',
  'resolution',
  'durationSeconds',
]

/** The names in Gemini's request that the interface's own fields set, and those that make it one image per job. */
export const ownOfGemini = [
  'contents',
  ...['seed', 'candidateCount', 'responseModalities', 'imageConfig.aspectRatio', 'imageConfig.imageSize'].map(
    (name) => `generationConfig.${name}`,
  ),
]

/** The names in a request for a film of Gemini Omni that the interface's own fields or the provider set. */
export const ownOfOmni =
  'model input background store stream response_format response_modalities previous_interaction_id webhook_config agent tools generation_config.video_config.task'.split(
    ' ',
  )

export type OmniInput = v.InferOutput<ReturnType<typeof omniInput>>
export type VideoInput = v.InferOutput<ReturnType<typeof videoInput>>
export type ImageInput = v.InferOutput<ReturnType<typeof imageInput>>

/** A picture or a film as the API expects it: in base64 within the request. */
export interface EncodedFile {
  readonly mimeType: string
  readonly data: string
}

/**
 * A submit waits up to 5000 ms for room. While a file is sent, it takes four times its bytes: the file, its base64, the
 * JSON text and the bytes of the request.
 */
const reading = { line: 'google', copies: 4, patienceMs: 5000 }

/**
 * Reads the pictures and the film, encodes them and calls `work` with them.
 * @param film the film among the sources. @default all are pictures
 * @throws an error that `pictureRefusal` turns into a report, when they cannot be read. Nothing has been spent by then
 */
export async function withEncoded<T>(
  sources: readonly string[],
  { fetchFile }: GoogleApi,
  fetching: TaskFetching,
  work: (files: readonly EncodedFile[]) => Promise<T>,
  film?: string,
): Promise<T> {
  const accepted = film === undefined ? types : [...types, ...films]
  return withPictures(sources, { ...reading, ...fetching, types: accepted, fetchFile }, (files) => {
    const encoded = files.map(({ mediaType, bytes }, index) => {
      if ((sources[index] === film) !== mediaType.startsWith('video/'))
        throw new PictureError(
          sources[index] === film
            ? 'The URL of the film does not lead to an MP4 film.'
            : 'The URL of a picture leads to a film.',
        )
      return { mimeType: mediaType, data: Buffer.from(bytes.buffer).toString('base64') }
    })
    return work(encoded)
  })
}
