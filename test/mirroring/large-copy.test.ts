// @module-tag needs/linux
import { expect, test } from 'vitest'
import { copyLargeFilm } from './copy-large-film.ts'

// The deep suite has a film of 500 MB on Node and Bun.
test('the copy of an output of 100 MB raises the memory of a service on node by less than 64 MB', async () => {
  expect(await copyLargeFilm('node', 100)).toBeLessThan(64)
})
