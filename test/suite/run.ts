import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { runProgram } from '../processes/run-program.ts'
import { installNeeds } from './install-needs.ts'

/**
 * `npm test` is what every change must pass: types, lint, and each promise once on every host, runtime and backend.
 * `npm run test:deep` searches for faults that nobody has thought of: storms, all kill points, all attacks. Both first
 * install what they need from the system, and end with their time and the tally of the tests.
 */
const isDeep = process.argv.includes('--deep')
const startedAt = performance.now()

/** Starts the tests. @returns whether they pass, and what stops them */
function startTests() {
  const projects = isDeep ? ['deep', 'deep alone'] : ['units', 'promises', 'alone']
  const flags = projects.map((name) => `--project=${name}`)
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/vitest.config.ts']
  const child = spawn(process.execPath, [...vitest, ...flags], { stdio: ['ignore', 'inherit', 'inherit'] })
  return { passed: once(child, 'close').then(([code]) => code === 0), stop: () => child.kill('SIGINT') }
}

/** Checks types and lint beside the tests, with `nice`, because some tests are timed. @returns what is wrong, or nothing */
async function findErrors(): Promise<string> {
  for (const script of ['types', 'lint']) {
    const command = ['nice', 'npm', 'run', '--silent', script] as const
    const { exit, stdout, stderr } = await runProgram(command, { timeoutMs: 1_200_000 })
    if (exit !== 0) return `npm run ${script} has failed:\n${stdout}${stderr}`
  }
  return ''
}

/** The processor time of all processes that this one has started, in seconds, where the system tells it. */
function cpuSeconds(): string {
  try {
    // Fields 16 and 17 count the ended children, in hundredths of a second:
    // https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
    return `${Math.round((Number(fields[13]) + Number(fields[14])) / 100)} CPU seconds`
  } catch {
    return 'CPU seconds are not known on this system'
  }
}

async function run(): Promise<boolean> {
  if (!(await installNeeds())) return false
  const { passed, stop } = startTests()
  const errors = isDeep ? '' : await findErrors()
  if (errors !== '') stop()
  const isGreen = await passed
  if (errors !== '') console.error(errors)
  return isGreen && errors === ''
}

const isGreen = await run()
const wallSeconds = Math.round((performance.now() - startedAt) / 1000)
console.log(`${isDeep ? 'npm run test:deep' : 'npm test'} took ${wallSeconds} s, ${cpuSeconds()}`)
process.exitCode = isGreen ? 0 : 1
