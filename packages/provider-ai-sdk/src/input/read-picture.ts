import { type FileFetch, mediaTypeOf } from '@genmount/core'

/** A picture as every version of the AI SDK takes it. */
export type Picture =
  | { readonly type: 'file'; readonly mediaType: string; readonly data: string | Uint8Array }
  | { readonly type: 'url'; readonly url: string }

/** Turns a client's URL or data URI into what a model takes. @throws PictureError when there is no picture to be had */
export type ReadPicture = (picture: string) => Promise<Picture>

/** A picture that can't be had, with a message for whoever gave its URL. */
export class PictureError extends Error {
  override readonly name = 'PictureError'
}

const limits = {
  accept: ['image/*', 'application/octet-stream', 'binary/octet-stream'],
  maxBytes: 20 * 1024 * 1024,
  timeoutMs: 30_000,
}

/** Reads data URIs in place and fetches URLs, unless they are to be passed on. */
export function pictureReader(fetchFile: FileFetch, passUrls: boolean, signal: AbortSignal): ReadPicture {
  return async (picture) => {
    const [head, mediaType] = /^data:([\w/+-]+);base64,/i.exec(picture.slice(0, 40)) ?? []
    if (head !== undefined && mediaType !== undefined)
      return { type: 'file', mediaType: mediaType.toLowerCase(), data: picture.slice(head.length) }
    if (passUrls) return { type: 'url', url: picture }
    const data = await fetched(picture, fetchFile, signal)
    // Whatever the server claims: the bytes tell.
    if (mediaTypeOf(data).startsWith('image/')) return { type: 'file', mediaType: mediaTypeOf(data), data }
    throw new PictureError('What an image URL gives is no PNG, JPEG, WebP, GIF or AVIF picture.')
  }
}

async function fetched(url: string, fetchFile: FileFetch, signal: AbortSignal): Promise<Uint8Array> {
  try {
    const { body } = await fetchFile(url, { ...limits, signal })
    return new Uint8Array(await new Response(body as BodyInit).arrayBuffer())
  } catch (error) {
    // The messages of guardedFetch are made to be shown; anybody else's may say too much.
    const isForAll = error instanceof Error && error.name === 'FetchRefusedError'
    throw new PictureError(isForAll ? error.message : 'An image URL could not be fetched.', { cause: error })
  }
}
