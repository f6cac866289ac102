import type { Page } from '@genmount/page-kit/build'
import { buildPlayground } from './build-playground.ts'

let built: Page | undefined

/**
 * The page. A process that runs from source builds it for its first visitor. The published package contains the built
 * page instead, see `write-page.ts`.
 */
export const page = (): Page => (built ??= buildPlayground())
