export { buildPage } from './build/build-page.ts'
export type { Page } from './build/page-type.ts'
export { writePage } from './build/write-page.ts'
