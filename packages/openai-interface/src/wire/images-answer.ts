import type { Job, TaskTokens } from '@genmount/core'
import type { Delivery } from '../images/delivered-pictures.ts'
import type { ImageOrder } from '../input/image-inputs.ts'

/** The tokens of jobs, as OpenAI's API counts them. */
interface Usage {
  readonly input_tokens: number
  readonly input_tokens_details: { readonly image_tokens: number; readonly text_tokens: number }
  readonly output_tokens: number
  readonly output_tokens_details: { readonly image_tokens: number; readonly text_tokens: number }
  readonly total_tokens: number
}

/** What the answers and events of one request repeat. */
export type ImageEcho = ImageOrder['echo']

/** The object of `POST images/generations` and `images/edits`. */
export function imagesAnswer(
  jobs: readonly Job[],
  { pictures, contentType }: Delivery,
  { size, quality, background, output_format }: ImageEcho,
) {
  return {
    created: seconds(jobs[0]!.createdAt),
    size,
    quality,
    background,
    output_format: formatOf(contentType) ?? output_format,
    data: pictures,
    usage: usageOf(jobs),
  }
}

/** The tokens of all these jobs. `undefined` unless the vendor has counted them for each. */
function usageOf(jobs: readonly Job[]): Usage | undefined {
  const counts = jobs.flatMap(({ tokens }) => tokens ?? [])
  if (counts.length === 0 || counts.length < jobs.length) return undefined
  const sum = (part: keyof TaskTokens) => counts.reduce((total, tokens) => total + (tokens[part] ?? 0), 0)
  const [input, imageInput, output, textOutput] = [
    sum('input'),
    sum('imageInput'),
    sum('output'),
    sum('textOutput'),
  ]
  return {
    input_tokens: input,
    input_tokens_details: { image_tokens: imageInput, text_tokens: input - imageInput },
    output_tokens: output,
    output_tokens_details: { image_tokens: output - textOutput, text_tokens: textOutput },
    total_tokens: input + output,
  }
}

/** The event with a preview. */
export function partialImageEvent(
  kind: 'image_generation' | 'image_edit',
  index: number,
  preview: { readonly base64: string; readonly contentType: string; readonly at: number },
  echo: ImageEcho,
) {
  return {
    type: `${kind}.partial_image`,
    b64_json: preview.base64,
    partial_image_index: index,
    created_at: seconds(preview.at),
    ...settings(echo, preview.contentType),
  }
}

/** The events with the finished pictures of a job. The first one has the tokens of the job. */
export function completedImageEvents(
  kind: 'image_generation' | 'image_edit',
  at: number,
  job: Job,
  { pictures, contentType }: Delivery,
  echo: ImageEcho,
) {
  return pictures.map((picture, index) => ({
    type: `${kind}.completed`,
    created_at: seconds(at),
    ...settings(echo, contentType),
    ...picture,
    usage: index === 0 ? usageOf([job]) : undefined,
  }))
}

/** The events of OpenAI's API have all of these. `auto` is what the model has chosen itself, and what nobody knows. */
function settings({ size, quality, background, output_format }: ImageEcho, contentType: string | undefined) {
  return {
    size: size ?? 'auto',
    quality: quality ?? 'auto',
    background: background ?? 'auto',
    output_format: formatOf(contentType) ?? output_format ?? 'png',
  }
}

/** The format of the file itself, which may differ from the wanted one. */
function formatOf(contentType: string | undefined): string | undefined {
  return /^image\/([\w-]+)/.exec(contentType ?? '')?.[1]
}

/** OpenAI's instants are whole seconds since the Unix epoch. */
export function seconds(ms: number): number {
  return Math.floor(ms / 1000)
}
