import type { builtPages } from '../built-pages.ts'
import { sharedServer } from '../shared-server.ts'

/** The pages that all test files of this run share. */
export const sharedPages: ReturnType<typeof builtPages> = JSON.parse(await sharedServer('pages'))
