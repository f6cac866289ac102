import { Buffer } from 'node:buffer'
import {
  choiceField,
  closedInput,
  pictureField,
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

const shared = (rule: ProviderOptionsRule) => ({
  prompt: textField('prompt', 32_000),
  seed: v.optional(wholeNumberField('seed', 0, 2_147_483_647)),
  provider_options: v.optional(providerOptionsField(rule)),
})

/** What a job of Veo takes. Length and resolution are always said, because they make the price. */
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

const imageRatios = ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9'] as const

/** What a job of a Gemini image model takes. */
export const imageInput = (rule: ProviderOptionsRule) =>
  closedInput({
    ...shared(rule),
    image: v.optional(picturesField('image', 14, { types })),
    aspect_ratio: v.optional(choiceField('aspect_ratio', imageRatios)),
    resolution: v.optional(choiceField('resolution', ['1K', '2K', '4K'])),
    num_outputs: v.optional(v.literal(1, 'num_outputs must be 1: this model makes one image a job.')),
  })

/** What our fields set of Veo's `parameters`. */
export const ownOfVeo = [
  'aspectRatio',
  'negativePrompt',
  'seed',
  'sampleCount',
  'resolution',
  'durationSeconds',
]

/** What our fields set of Gemini's request, and what makes one image of it. */
export const ownOfGemini = [
  'contents',
  ...['seed', 'candidateCount', 'responseModalities', 'imageConfig.aspectRatio', 'imageConfig.imageSize'].map(
    (name) => `generationConfig.${name}`,
  ),
]

export type VideoInput = v.InferOutput<ReturnType<typeof videoInput>>
export type ImageInput = v.InferOutput<ReturnType<typeof imageInput>>

/** A picture as the API takes it, which follows no links: in the request, in base64. */
export interface EncodedPicture {
  readonly mimeType: string
  readonly data: string
}

/** How long a submit waits for room, and how often a picture is held while it is sent: as base64, as text and as bytes. */
const reading = { types, line: 'google', copies: 4, patienceMs: 5000 }

/**
 * Gives the pictures to `work`, encoded.
 * @throws PictureError when one is not to be had, or what else `pictureRefusal` knows; nothing is spent by then
 */
export async function withEncoded<T>(
  sources: readonly string[],
  { fetchFile }: GoogleApi,
  fetching: TaskFetching,
  work: (pictures: readonly EncodedPicture[]) => Promise<T>,
): Promise<T> {
  return withPictures(sources, { ...reading, ...fetching, fetchFile }, (pictures) =>
    work(
      pictures.map(({ mediaType, bytes }) => ({
        mimeType: mediaType,
        data: Buffer.from(bytes.buffer).toString('base64'),
      })),
    ),
  )
}
