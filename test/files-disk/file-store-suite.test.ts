import { mkdtemp, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { diskFiles } from '@genmount/files-disk'
import { fileStoreSuite } from '@genmount/testing'

const suite = fileStoreSuite(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'genmount-files-'))
  return {
    files: diskFiles({ folder }),
    async unusable() {
      const place = join(folder, 'no folder')
      await writeFile(place, '')
      return diskFiles({ folder: place })
    },
    async damage() {
      const [name = ''] = await readdir(folder)
      const { size } = await stat(join(folder, name))
      await truncate(join(folder, name), size - 1)
    },
    close: () => rm(folder, { recursive: true }),
  }
})

describe('files on disk', () => {
  for (const [name, run] of Object.entries(suite)) test(name, run)
})
