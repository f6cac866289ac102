import { isMainThread } from 'node:worker_threads'

/*
 * To be imported before a program: puts fakes in the place of the vendors' hosts, and their keys into its environment,
 * unless FAKE_KEYS names the only variables that are to be set. Variables that are set already stay as they are.
 * `FAL_ANSWERS=429` has fal answer every submit so, and with
 * `FAL_ANSWERS=never` fal accepts the connection and says nothing.
 */

// Node imports this module in the threads of worker pools too. The program and its threads share one set of fakes.
if (isMainThread) await import('./start-vendor-fakes.ts')
