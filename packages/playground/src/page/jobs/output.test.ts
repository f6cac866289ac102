import { expect, test } from 'vitest'
import { endingOf } from './output.ts'

test.each([
  ['video/x-matroska', 'attachment; filename="out_1.mkv"', 'video', 'mkv'],
  ['image/svg+xml', 'attachment; filename="out_1.svg"', 'image', 'svg'],
  ['application/octet-stream', 'attachment; filename="out_1"', 'image', 'png'],
  ['image/jpeg', '', 'image', 'jpg'],
  ['image/svg+xml', '', 'image', 'svg'],
  ['video/quicktime; charset=binary', '', 'video', 'mov'],
  ['video/x-matroska', '', 'video', 'mp4'],
  ['', '', 'image', 'png'],
] as const)('a saved file of %s with %j of a %s job ends in .%s', (type, disposition, kind, ending) => {
  const headers = new Headers({ 'content-type': type, 'content-disposition': disposition })
  expect(endingOf({ headers }, { output_kind: kind })).toBe(ending)
})
