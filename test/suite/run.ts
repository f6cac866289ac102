import { readFileSync } from 'node:fs'
import { runVisibly } from '../../packages/release/src/run-visibly.ts'
import { installNeeds } from './install-needs.ts'

/**
 * `npm test` is what every change must pass: lint, types, build, and each promise once on every host, runtime and backend.
 * `npm run test:deep` searches for faults that nobody has thought of: storms, all kill points, all attacks. Both first
 * install what they need from the system, and end with their time and the tally of the tests.
 */
const isDeep = process.argv.includes('--deep')
const startedAt = performance.now()

/** Runs a command with its output shown. @returns whether it has succeeded */
async function succeeds(program: string, ...args: string[]): Promise<boolean> {
  return (await runVisibly([program, ...args])).exit === 0
}

const node = (...args: string[]) => succeeds(process.execPath, ...args)
const npmRun = (script: string) => succeeds('npm', 'run', '--silent', script)

function vitest(): Promise<boolean> {
  const projects = isDeep ? ['deep', 'deep alone'] : ['units', 'promises', 'alone']
  const flags = projects.map((name) => `--project=${name}`)
  return node('node_modules/vitest/vitest.mjs', 'run', '--config', 'test/vitest.config.ts', ...flags)
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
  // Lint and the build use one core each.
  if (!isDeep && (await Promise.all([npmRun('lint'), npmRun('build')])).includes(false)) return false
  return vitest()
}

const isGreen = await run()
const wallSeconds = Math.round((performance.now() - startedAt) / 1000)
console.log(`${isDeep ? 'npm run test:deep' : 'npm test'} took ${wallSeconds} s, ${cpuSeconds()}`)
process.exitCode = isGreen ? 0 : 1
