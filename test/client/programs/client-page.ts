import { followRedirects, runSuites, surviveLosses } from '../run-suites.ts'

Object.assign(globalThis, { followRedirects, runSuites, surviveLosses })
