import { guardedFetchBy, type GuardedFetch } from '../fetch/guarded-fetch.ts'
import { guardedPostBy, type GuardedPost } from '../fetch/guarded-post.ts'
import { openByFetch } from './open-by-fetch.ts'

/** `guardedFetch` in a Worker: see the README for what it can check there. */
export const guardedFetch: GuardedFetch = guardedFetchBy(openByFetch)

/** `guardedPost` in a Worker: see the README for what it can check there. */
export const guardedPost: GuardedPost = guardedPostBy(openByFetch)
