import type { StoredFile } from '@genmount/core'

/** A strong validator of a file (RFC 9110 section 8.8.3), or `undefined` where its store has no hash of it. */
export function entityTag({ sha256 }: StoredFile): string | undefined {
  return sha256 === undefined ? undefined : `"${sha256}"`
}

/** Whether an If-None-Match header names the file, weakly or strongly (RFC 9110 section 13.1.2). */
export function isAmong(tag: string, ifNoneMatch = ''): boolean {
  // Quotes stand in no tag, so that a tag found with its own is a whole one of the list.
  return ifNoneMatch === '*' || ifNoneMatch.includes(tag)
}

/**
 * Whether an If-Range header lets a part of the file be given: the client's other parts are of this very file (RFC 9110
 * section 13.1.5). Weak tags and dates tell too little.
 */
export function mayBeRanged(ifRange: string | undefined, tag: string | undefined): boolean {
  return ifRange === undefined || ifRange === tag
}
