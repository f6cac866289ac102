import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { FileStore } from '@genmount/core'
import { fakeWorld, fileStoreSuite } from '@genmount/testing'
import { temporaryFolder } from '../temporary-folder.ts'
import { codeBlocks } from './code-blocks.ts'
import { readerFolder } from './reader-folder.ts'

const page = 'packages/docs/pages/write-a-file-store.md'
const [snippet = ''] = codeBlocks('ts').flatMap(({ readme, code }) => (readme === page ? [code] : []))
// The end of the block makes the reader's own service.
const store = snippet.slice(0, snippet.indexOf('const stored ='))
const folder = readerFolder({ 'package.json': { type: 'module' }, 'table-files.ts': store })
const { tableFiles }: { readonly tableFiles: (options: { file: string }) => FileStore } = await import(
  join(folder, 'table-files.ts')
)
const newFile = () => join(temporaryFolder(), 'files.db')

test('the file store on the page about writing a file store has at most 60 lines', () => {
  expect(store.trim().split('\n').length).toBeLessThanOrEqual(60)
})

test('the file store on the page about writing a file store keeps the output of a job', async () => {
  const files = tableFiles({ file: newFile() })
  const { create, clock, service } = fakeWorld({}, { files })
  const { id } = await create()
  await clock.advance(60_000)
  await service.settled()
  expect((await files.open?.(`${id}-0`))?.size).toBeGreaterThan(0)
  await service.close()
})

describe('the file store on the page about writing a file store keeps the contract of file stores', () => {
  const suite = fileStoreSuite(() => {
    const files = tableFiles({ file: newFile() })
    return {
      files,
      unusable: () => tableFiles({ file: join(newFile(), 'in-a-file-that-is-no-folder.db') }),
      close: () => files.close?.(),
    }
  })
  for (const [name, run] of Object.entries(suite)) test(name, run)
})
