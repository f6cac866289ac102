import { toBase64 } from '@genmount/core'
import { PictureError, withPictures } from '@genmount/provider-kit'
import type { GoogleClient, TaskFetching } from '../client/google-client.ts'

/** The types of pictures that Google's models accept. */
export const googlePictures = ['png', 'jpeg', 'webp'] as const
/** The types of films that Google's models accept. */
export const googleFilms = ['mp4'] as const

/** A picture or a film as the APIs expect it: in base64 within the request. */
export interface EncodedFile {
  /** The media type, read from the bytes. */
  readonly mimeType: string
  /** The file in base64. */
  readonly data: string
}

/**
 * A submit waits up to 5000 ms for room. While a file is sent, it takes four times its bytes: the file, its base64, the
 * JSON text and the bytes of the request.
 */
const reading = { copies: 4, patienceMs: 5000 }

/**
 * Reads the pictures and the film of a task, encodes them and calls `work` with them.
 * @param film the film among the sources. @default all are pictures
 * @throws an error that `pictureRefusal` turns into a report, when they cannot be read. Nothing has been spent by then
 */
export async function withEncodedFiles<T>(
  sources: readonly string[],
  { fetchFile, line }: GoogleClient,
  fetching: TaskFetching,
  work: (files: readonly EncodedFile[]) => Promise<T>,
  film?: string,
): Promise<T> {
  const types = film === undefined ? googlePictures : [...googlePictures, ...googleFilms]
  return withPictures(sources, { ...reading, ...fetching, line, types, fetchFile }, (files) => {
    const encoded = files.map(({ mediaType, bytes }, index) => {
      if ((sources[index] === film) !== mediaType.startsWith('video/'))
        throw new PictureError(
          sources[index] === film
            ? 'The URL of the film does not lead to an MP4 film.'
            : 'The URL of a picture leads to a film.',
        )
      return { mimeType: mediaType, data: toBase64(bytes) }
    })
    return work(encoded)
  })
}
