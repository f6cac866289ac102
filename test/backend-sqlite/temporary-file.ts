import { join } from 'node:path'
import { temporaryFolder } from '../temporary-folder.ts'

/** The path of a file that does not exist yet, in such a folder. */
export const temporaryFile = (...options: Parameters<typeof temporaryFolder>): string =>
  join(temporaryFolder(...options), 'jobs.db')
