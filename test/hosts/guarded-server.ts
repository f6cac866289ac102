/** Serves `guardedFetch` on Bun or Deno. The argument is its guard. */
import process from 'node:process'
import { serveOnRuntime } from '../processes/serve-on-runtime.ts'
import { guardedFetch } from './guarded-fetch.ts'

serveOnRuntime(guardedFetch(process.argv[2] ?? ''))
