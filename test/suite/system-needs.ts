import { accessSync, constants, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Command } from '../processes/launch.ts'
import { runProgram } from '../processes/run-program.ts'

/** Something that tests need from the system and that npm does not install. */
export interface SystemNeed {
  /** What needs it, for the message about skipped tests. */
  readonly usedFor: string
  /** The program, under one of these names. */
  readonly programs?: readonly string[]
  /** Packages of Debian and Ubuntu that bring it. Without them no package can. */
  readonly debian?: readonly string[]
  /** Packages of Homebrew that bring it. */
  readonly homebrew?: readonly string[]
  /** @default whether a program is found */
  isThere?(): boolean | Promise<boolean>
}

/** Only looks for the folder of Swift's S3, because an import of it would take 0.6 CPU seconds at each start of the tests. */
const swiftIsThere = `import importlib.util, os, sys
swift = importlib.util.find_spec('swift')
places = swift.submodule_search_locations if swift else []
sys.exit(not any(os.path.isdir(os.path.join(place, 'common/middleware/s3api')) for place in places))`

/** A program whose name is also that of its package on Debian and Homebrew. */
const packaged = (name: string, usedFor: string) => ({
  usedFor,
  programs: [name],
  debian: [name],
  homebrew: [name],
})

/**
 * All system needs. A test file says what it needs in its first line, `// @module-tag needs/chromium`, a single test in
 * its options, `{ tags: ['needs/chromium'] }`. Where the need is not met, the test is skipped.
 */
export const systemNeeds = {
  chromium: {
    usedFor: 'pages in a browser',
    // Chromium without windows takes a third of the CPU time.
    programs: [
      'chromium-headless-shell',
      'chromium',
      'chromium-browser',
      'google-chrome',
      'google-chrome-stable',
      'Chromium',
      'Google Chrome',
    ],
    debian: ['chromium-headless-shell'],
    homebrew: ['--cask chromium'],
  },
  curl: packaged('curl', 'the commands of the READMEs'),
  cc: { usedFor: 'the library that slows a disk', programs: ['cc'], debian: ['gcc', 'libc6-dev'] },
  exiftool: {
    usedFor: 'marks in pictures and films, read by others',
    programs: ['exiftool'],
    debian: ['libimage-exiftool-perl'],
    homebrew: ['exiftool'],
  },
  ffmpeg: packaged('ffmpeg', 'films, pictures and sounds of many formats'),
  git: packaged('git', 'the release and the changed files'),
  imagemagick: {
    usedFor: 'pictures of many formats',
    programs: ['magick', 'convert'],
    debian: ['imagemagick', 'libheif-plugin-x265'],
    homebrew: ['imagemagick'],
  },
  pgbouncer: packaged('pgbouncer', 'Postgres behind a pooler'),
  redis: { ...packaged('redis-server', 'wake-ups through BullMQ'), homebrew: ['redis'] },
  sqlite3: { ...packaged('sqlite3', 'the commands of the page about backups'), homebrew: ['sqlite'] },
  script: { usedFor: 'the command line on a terminal', programs: ['script'], debian: ['bsdutils'] },
  swift: {
    usedFor: 'S3 with verified signatures, by OpenStack Swift',
    debian: ['python3-swift'],
    // The system's Python is asked, because Debian's package is for that one.
    isThere: () => succeeds('/usr/bin/python3', '-c', swiftIsThere),
  },
  faketime: packaged('faketime', 'a database whose clock is set'),
  'small-disk': { usedFor: 'full and read-only disks: only root on Linux can mount one', isThere: canMount },
  linux: { usedFor: 'figures that only Linux tells', isThere: () => process.platform === 'linux' },
} satisfies Readonly<Record<string, SystemNeed>>

export type SystemNeedName = keyof typeof systemNeeds

/** @returns the path of an installed program, also from folders that are only in the PATH of root, and of applications on macOS */
function findProgram(need: SystemNeedName): string | undefined {
  const { programs = [] }: SystemNeed = systemNeeds[need]
  const outside = ['/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin', '/opt/homebrew/sbin']
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...outside]
  const applications = programs.map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`)
  const places = folders.flatMap((folder) => programs.map((program) => join(folder, program)))
  return [...places, ...applications].find(isExecutable)
}

/** @returns the path of an installed program. A test that calls this carries the tag `needs/<need>` */
export function programPath(need: SystemNeedName): string {
  const path = findProgram(need)
  if (path === undefined) throw new Error(`${need} is not installed`)
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

/** A container's root may lack the right to mount, CAP_SYS_ADMIN: https://man7.org/linux/man-pages/man7/capabilities.7.html */
function canMount(): boolean {
  if (process.platform !== 'linux') return false
  const [, effective = '0'] = /^CapEff:\s+(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return (BigInt(`0x${effective}`) & (1n << 21n)) !== 0n
}

/** Whether a command succeeds. A program that is not there does not. */
export function succeeds(...command: Command): Promise<boolean> {
  return runProgram(command).then(
    ({ exit }) => exit === 0,
    () => false,
  )
}

function isMet(name: SystemNeedName): boolean | Promise<boolean> {
  const { isThere = () => findProgram(name) !== undefined }: SystemNeed = systemNeeds[name]
  return isThere()
}

/** The needs that this system does not meet. */
export async function missingNeeds(): Promise<SystemNeedName[]> {
  const names = Object.keys(systemNeeds) as SystemNeedName[]
  const answers = await Promise.all(names.map(isMet))
  return names.filter((_name, index) => !answers[index])
}

export const tagOf = (name: SystemNeedName) => `needs/${name}`
