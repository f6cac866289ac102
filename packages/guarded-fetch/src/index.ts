export { guardedFetch, guardedPost } from './node/guarded-fetch.ts'
export * from './fetch/exports.ts'
