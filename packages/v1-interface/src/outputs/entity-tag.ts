import type { StoredFile } from '@genmount/core'

/**
 * The strong entity tag of a file (RFC 9110 section 8.8.3), or `undefined` when its store does not know its
 * hash.
 */
export function entityTag({ sha256 }: StoredFile): string | undefined {
  return sha256 === undefined ? undefined : `"${sha256}"`
}

/**
 * Whether an If-None-Match header contains the tag of the file, as a weak or a strong one (RFC 9110 section
 * 13.1.2).
 */
export function isAmong(tag: string, ifNoneMatch = ''): boolean {
  // The header is searched for the tag with its quotes. No tag has a quote inside, so a match is always a
  // whole tag.
  return ifNoneMatch === '*' || ifNoneMatch.includes(tag)
}

/**
 * Whether the client may get a part of the file: it has sent no If-Range header, or one with the tag of this
 * file, which means that the parts it already has are of the same file (RFC 9110 section 13.1.5). A weak tag
 * or a date is not exact enough for that.
 */
export function mayBeRanged(ifRange: string | undefined, tag: string | undefined): boolean {
  return ifRange === undefined || ifRange === tag
}
