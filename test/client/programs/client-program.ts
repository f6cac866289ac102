import process from 'node:process'
import { followRedirects, runSuites, surviveLosses } from '../run-suites.ts'

const { suites, redirects, lossy } = JSON.parse(process.argv[2] ?? '')
const failures = await runSuites(suites, 16)
const redirected = redirects && (await followRedirects(redirects))
console.log(JSON.stringify({ failures, redirected, survived: lossy && (await surviveLosses(lossy)) }))
process.exit()
