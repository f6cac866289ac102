import { buildPage } from '@genmount/page-kit/build'

/** Builds the page of the playground from its sources. */
export const buildPlayground = () => buildPage(new URL('../page/', import.meta.url), 'Playground')
