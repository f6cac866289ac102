import { buildPage } from './build-page.ts'
import type { Page } from './page-type.ts'

/**
 * The page, built anew in each process that runs from source. The published package has the built page in its place, see
 * `write-page.ts`.
 */
export const page: Page = buildPage()
