import { mediaTypeOf } from '@genmount/core'
import type { FileEnds } from './file-ends.ts'
import { filmFacts } from './film-facts.ts'
import { isoFilm } from './iso-film.ts'
import type { OutputFacts } from './facts.ts'
import { pictureSize } from './picture-size.ts'

const isIsoFilm = /^(?:video\/(?:3gpp|mp4|quicktime)|audio\/mp4)$/

/**
 * The facts that the beginning and the end of a file show.
 * @param storedType the media type with which the file is stored, for a file whose first bytes show none
 */
export async function factsOfEnds(ends: FileEnds, storedType: string): Promise<OutputFacts> {
  const { head, size } = ends
  const contentType = mediaTypeOf(head, storedType) ?? storedType
  if (!contentType.startsWith('image/'))
    return {
      contentType,
      bytes: size,
      ...(isIsoFilm.test(contentType) ? isoFilm(ends) : await filmFacts(ends)),
    }
  return { contentType, bytes: size, ...pictureSize(head, contentType), hasSound: false }
}
