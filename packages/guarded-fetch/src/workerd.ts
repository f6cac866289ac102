export { guardedFetch, guardedPost } from './workerd/guarded-fetch.ts'
export * from './fetch/exports.ts'
