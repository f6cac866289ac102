import { join } from 'node:path'

/** The root of the repository. */
export const repo = join(import.meta.dirname, '../..')
