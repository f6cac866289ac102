import { buildPage } from './build-page.ts'
import type { Page } from './page-type.ts'

/**
 * The page. A process that runs from source builds it at start. The published package contains the built page instead,
 * see `write-page.ts`.
 */
export const page: Page = buildPage()
