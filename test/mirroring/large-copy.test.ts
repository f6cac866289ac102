// @module-tag needs/linux
import { expect, test } from 'vitest'
import { copyLargeFilm } from './copy-large-film.ts'

// Not on Deno 2.9: its node:tls reads on, however slow its reader is, and has the whole film in memory.
test.each(['node', 'bun'] as const)(
  'the copy of an output of 100 MB raises the memory of a service on %s by less than 64 MB',
  async (runtime) => {
    expect(await copyLargeFilm(runtime, 100)).toBeLessThan(64)
  },
)
