import { guardedFetch, type GuardedFetch } from '@genmount/guarded-fetch'

/** The guarded fetch of a world in which the loopback is public. */
export const fetchLoopbackFile: GuardedFetch = (url, options) =>
  guardedFetch(url, { ...options, allowAddress: (address) => address === '127.0.0.1' })
