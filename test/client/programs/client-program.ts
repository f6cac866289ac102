import process from 'node:process'
import { followRedirects, runSuites } from '../run-suites.ts'

const { suites, redirects } = JSON.parse(process.argv[2] ?? '')
console.log(
  JSON.stringify({ failures: await runSuites(suites, 16), redirected: await followRedirects(redirects) }),
)
process.exit()
