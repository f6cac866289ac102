import { buildPage } from '@genmount/page-kit/build'

/** Builds the page of operators from its sources. */
export const buildOperatorPage = () => buildPage(new URL('../page/', import.meta.url), 'Operator')
