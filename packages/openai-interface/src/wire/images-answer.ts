import type { DeliveredPicture } from '../images/delivered-pictures.ts'
import type { ImageOrder } from '../input/image-inputs.ts'

/** What the answers and events of one request repeat. */
export type ImageEcho = ImageOrder['echo']

/** The object of `POST images/generations` and `images/edits`. */
export function imagesAnswer(
  createdAt: number,
  pictures: readonly DeliveredPicture[],
  echo: ImageEcho,
  contentType: string | undefined,
) {
  return { created: seconds(createdAt), ...settings(echo, contentType), data: pictures }
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

/** The event with a finished picture. */
export function completedImageEvent(
  kind: 'image_generation' | 'image_edit',
  at: number,
  picture: DeliveredPicture,
  echo: ImageEcho,
  contentType: string | undefined,
) {
  return { type: `${kind}.completed`, created_at: seconds(at), ...settings(echo, contentType), ...picture }
}

/** `auto` is what the model has chosen itself, and what nobody knows. */
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
