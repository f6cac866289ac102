import { suiteOf, type Suite } from '../suite.ts'
import { fileStoreKeyCases } from './key-cases.ts'
import { fileStoreReadCases } from './read-cases.ts'
import type { FileStoreSubject } from './stored-file.ts'
import { fileStoreWriteCases } from './write-cases.ts'

/**
 * What every `FileStore` promises. Files are read through `open` where it is there, else through `link`.
 * @example
 * const suite = fileStoreSuite(() => ({ files: memoryFileStore() }))
 */
export function fileStoreSuite(create: () => FileStoreSubject | Promise<FileStoreSubject>): Suite {
  return suiteOf(create, { ...fileStoreWriteCases, ...fileStoreKeyCases, ...fileStoreReadCases })
}
