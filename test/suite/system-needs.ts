import { accessSync, constants, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { runProgram } from '../processes/run-program.ts'

/** Something that tests need from the system and that npm does not install. */
export interface SystemNeed {
  /** What needs it, for the message about skipped tests. */
  readonly usedFor: string
  /** Packages of Debian and Ubuntu that bring it. Without them no package can. */
  readonly debian?: readonly string[]
  /** Packages of Homebrew that bring it. */
  readonly homebrew?: readonly string[]
  isThere(): boolean | Promise<boolean>
}

const programNames = {
  chromium: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
  curl: ['curl'],
  cc: ['cc'],
  git: ['git'],
  pgbouncer: ['pgbouncer'],
  'redis-server': ['redis-server'],
  script: ['script'],
} as const

export type ProgramName = keyof typeof programNames

/** @returns the path of an installed program, also from folders that are only in the PATH of root */
export function findProgram(name: ProgramName): string | undefined {
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    '/usr/sbin',
    '/usr/local/sbin',
    '/opt/homebrew/bin',
    '/opt/homebrew/sbin',
  ]
  const places = folders.flatMap((folder) => programNames[name].map((program) => join(folder, program)))
  const applications = ['Chromium', 'Google Chrome'].map(
    (app) => `/Applications/${app}.app/Contents/MacOS/${app}`,
  )
  return [...places, ...(name === 'chromium' ? applications : [])].find(isExecutable)
}

/** @returns the path of an installed program. A test that calls this carries the tag `needs/<program>` */
export function programPath(name: ProgramName): string {
  const path = findProgram(name)
  if (path === undefined) throw new Error(`${name} is not installed`)
  return path
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const program = (name: ProgramName) => () => findProgram(name) !== undefined

/**
 * All system needs. A test file says what it needs in its first line, `// @module-tag needs/chromium`, a single test in
 * its options, `{ tags: ['needs/chromium'] }`. Where the need is not met, the test is skipped.
 */
export const systemNeeds = {
  chromium: {
    usedFor: 'pages in a browser',
    debian: ['chromium'],
    homebrew: ['--cask chromium'],
    isThere: program('chromium'),
  },
  curl: {
    usedFor: 'the commands of the READMEs',
    debian: ['curl'],
    homebrew: ['curl'],
    isThere: program('curl'),
  },
  cc: { usedFor: 'the library that slows a disk', debian: ['gcc', 'libc6-dev'], isThere: program('cc') },
  git: {
    usedFor: 'the release and the changed files',
    debian: ['git'],
    homebrew: ['git'],
    isThere: program('git'),
  },
  pgbouncer: {
    usedFor: 'Postgres behind a pooler',
    debian: ['pgbouncer'],
    homebrew: ['pgbouncer'],
    isThere: program('pgbouncer'),
  },
  redis: {
    usedFor: 'wake-ups through BullMQ',
    debian: ['redis-server'],
    homebrew: ['redis'],
    isThere: program('redis-server'),
  },
  script: { usedFor: 'the command line on a terminal', debian: ['bsdutils'], isThere: program('script') },
  swift: {
    usedFor: 'S3 with verified signatures, by OpenStack Swift',
    debian: ['python3-swift'],
    isThere: hasSwift,
  },
  'small-disk': { usedFor: 'full and read-only disks: only root on Linux can mount one', isThere: canMount },
  linux: { usedFor: 'figures that only Linux tells', isThere: () => process.platform === 'linux' },
} satisfies Readonly<Record<string, SystemNeed>>

export type SystemNeedName = keyof typeof systemNeeds

/** A container's root may lack the right to mount, CAP_SYS_ADMIN: https://man7.org/linux/man-pages/man7/capabilities.7.html */
function canMount(): boolean {
  if (process.platform !== 'linux') return false
  const [, effective = '0'] = /^CapEff:\s+(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return (BigInt(`0x${effective}`) & (1n << 21n)) !== 0n
}

/** The system's Python is asked, because Debian's package is for that one. */
async function hasSwift(): Promise<boolean> {
  const command = ['/usr/bin/python3', '-c', 'import swift.common.middleware.s3api'] as const
  return runProgram(command).then(
    ({ exit }) => exit === 0,
    () => false,
  )
}

/** The needs that this system does not meet. */
export async function missingNeeds(): Promise<SystemNeedName[]> {
  const names = Object.keys(systemNeeds) as SystemNeedName[]
  const answers = await Promise.all(names.map((name) => systemNeeds[name].isThere()))
  return names.filter((_name, index) => !answers[index])
}

export const tagOf = (name: SystemNeedName) => `needs/${name}`
