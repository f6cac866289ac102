import type { StoredFile } from '@genmount/core'
import { expect, test } from 'vitest'
import { entityTag, isAmong, mayBeRanged } from './entity-tag.ts'

const file = (sha256?: string) =>
  ({ size: 1, contentType: 'image/png', ...(sha256 && { sha256 }) }) as StoredFile
const tag = '"4f1c"'

test('the ETag of a file is strong and made of its hash; a file without a hash has none', () => {
  expect(entityTag(file('4f1c'))).toBe(tag)
  expect(entityTag(file())).toBeUndefined()
})

test('If-None-Match matches the ETag of a file, weak or strong, in a list, or as a star', () => {
  for (const header of ['"4f1c"', 'W/"4f1c"', '"a", "4f1c"', '"a,b",W/"4f1c" , "c"', '*'])
    expect(isAmong(tag, header), header).toBe(true)
  for (const header of [undefined, '', '4f1c', '"4f1"', '"x4f1c"', '"4f1c x"', '"*"', '"4f1", "c"', '**'])
    expect(isAmong(tag, header), header).toBe(false)
})

test('a range is served without If-Range or with the strong ETag; a weak ETag, a date or a list gives the whole file', () => {
  expect(mayBeRanged(undefined, tag)).toBe(true)
  expect(mayBeRanged(undefined, undefined)).toBe(true)
  expect(mayBeRanged(tag, tag)).toBe(true)
  for (const header of ['W/"4f1c"', '"4f1"', '4f1c', '"4f1c", "a"', 'Sat, 01 Jan 2028 00:00:00 GMT', '*', ''])
    expect(mayBeRanged(header, tag), header).toBe(false)
  expect(mayBeRanged(tag, undefined)).toBe(false)
})
