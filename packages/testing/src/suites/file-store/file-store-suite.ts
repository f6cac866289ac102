import { readyCases } from '../ready-cases.ts'
import { suiteOf, type Suite } from '../suite.ts'
import { keyCases } from './key-cases.ts'
import { listCases } from './list-cases.ts'
import { readCases } from './read-cases.ts'
import type { FileStoreSubject } from './stored-file.ts'
import { writeCases } from './write-cases.ts'

/**
 * The promises of every `FileStore`, as cases. They read files through `open` if the store has it, otherwise through
 * `link`.
 * @param create makes an empty store. Each case calls it once.
 * @example const suite = fileStoreSuite(() => ({ files: memoryFileStore() }))
 */
export function fileStoreSuite(create: () => FileStoreSubject | Promise<FileStoreSubject>): Suite {
  return suiteOf(create, {
    ...readyCases('a store', ({ files }: FileStoreSubject) => files),
    ...writeCases,
    ...keyCases,
    ...listCases,
    ...readCases,
  })
}
