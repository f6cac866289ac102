import type { Page } from '@genmount/page-kit/build'
import { buildOperatorPage } from './build-operator-page.ts'

let built: Page | undefined

/**
 * The page. A process that runs from source builds it for its first visitor. The published package contains the built
 * page instead, see `write-built-page.ts`.
 */
export const page = (): Page => (built ??= buildOperatorPage())
