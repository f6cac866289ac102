import { type ImageInput, sizes } from './image-input.ts'

/** Where a job's input goes, and as what. Edits go as JSON, in which pictures are URLs or data URIs. */
export function imageRequest(model: string, input: ImageInput): { path: string; json: object } {
  const { prompt, image, mask, aspect_ratio, quality, format, num_outputs, provider_options } = input
  const shared = {
    ...provider_options,
    model,
    prompt,
    n: num_outputs,
    ...(aspect_ratio && { size: sizes[aspect_ratio] }),
    ...(quality && { quality }),
    ...(format && { output_format: format }),
    // The answer is to come as one piece of JSON; what is undefined is not sent.
    stream: undefined,
  }
  if (image === undefined) return { path: '/images/generations', json: shared }
  const images = [image].flat().map((image_url) => ({ image_url }))
  return { path: '/images/edits', json: { ...shared, images, ...(mask && { mask: { image_url: mask } }) } }
}
