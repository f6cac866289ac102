import { followRedirects, runSuites } from '../run-suites.ts'

Object.assign(globalThis, { followRedirects, runSuites })
