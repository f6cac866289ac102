import type { FileFetch } from '@genmount/core'
import { withPictures } from '@genmount/provider-kit'

/** The parameters of an edit, and its pictures as URLs or data URIs. */
export interface Edit {
  readonly parameters: Readonly<Record<string, unknown>>
  readonly images: readonly string[]
  readonly mask: string | undefined
}

/**
 * A submit waits up to 5000 ms for room. While a picture is sent, it takes twice its bytes: the picture, and the form
 * with it.
 */
const reading = {
  types: ['png', 'jpeg', 'webp'],
  line: 'openai-compatible',
  copies: 2,
  patienceMs: 5000,
} as const

/**
 * Reads the pictures of an edit and calls `work` with the form that contains them. The form is the one of OpenAI's own
 * SDK: `image` for a single picture, `image[]` for each of several.
 * @throws an error that `pictureRefusal` turns into a report, when a picture cannot be read
 */
export async function withEditForm<T>(
  { parameters, images, mask }: Edit,
  fetching: {
    readonly fetchFile: FileFetch
    readonly signal: AbortSignal
    readonly owner: string | undefined
  },
  work: (form: FormData) => Promise<T>,
): Promise<T> {
  const sources = mask === undefined ? images : [...images, mask]
  return withPictures(sources, { ...reading, ...fetching }, (pictures) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(parameters)) {
      if (value === undefined || value === null) continue
      form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
    }
    for (const [index, { bytes, mediaType }] of pictures.entries()) {
      const isMask = index === images.length
      const name = isMask ? 'mask' : images.length === 1 ? 'image' : 'image[]'
      const fileName = `${isMask ? 'mask' : `image-${index}`}.${mediaType.replace('image/', '')}`
      form.append(name, new Blob([bytes], { type: mediaType }), fileName)
    }
    return work(form)
  })
}
