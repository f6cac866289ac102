import { expect, test } from 'vitest'
import { mediaExtension } from '../../packages/cli/src/output/media-extension.ts'
import { mediaKinds } from '../../packages/core/src/text/media-kinds.ts'

test('the CLI saves every type that the service recognises under the name that the service gives it', () => {
  expect(mediaKinds.length).toBeGreaterThan(30)
  for (const { type, extension } of mediaKinds)
    expect([type, mediaExtension(type)]).toEqual([type, `.${extension}`])
  expect(mediaExtension('text/html; charset=utf-8')).toBe('.bin')
})
