import type { FileFetch } from '@genmount/core'
import { withPictures } from '@genmount/provider-kit'

/** A picture of a form: the field that it goes into, the name of its file without extension, and its URL or data URI. */
export interface FormPicture {
  readonly name: string
  readonly fileName: string
  readonly source: string
}

/**
 * A submit waits up to 5000 ms for room. While a picture is sent, it takes twice its bytes: the picture, and the form
 * with it.
 */
const reading = { types: ['png', 'jpeg', 'webp'], copies: 2, patienceMs: 5000 } as const

/**
 * Reads pictures and calls `work` with the form that contains them and the parameters.
 * @param line the provider's name
 * @throws an error that `pictureRefusal` turns into a report, when a picture cannot be read
 */
export async function withPictureForm<T>(
  parameters: Readonly<Record<string, unknown>>,
  formPictures: readonly FormPicture[],
  fetching: {
    readonly line: string
    readonly fetchFile: FileFetch
    readonly signal: AbortSignal
    readonly owner: string | undefined
  },
  work: (form: FormData) => Promise<T>,
): Promise<T> {
  const sources = formPictures.map(({ source }) => source)
  return withPictures(sources, { ...reading, ...fetching }, (pictures) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(parameters)) {
      if (value === undefined || value === null) continue
      form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
    }
    for (const [index, { bytes, mediaType }] of pictures.entries()) {
      const { name, fileName } = formPictures[index]!
      const file = `${fileName}.${mediaType.replace('image/', '')}`
      form.append(name, new Blob([bytes], { type: mediaType }), file)
    }
    return work(form)
  })
}
