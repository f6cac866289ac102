import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Bench, BenchResult, Row } from '../bench.ts'
import { cores, pinned } from '../http/pinned.ts'
import { shown, type Spread, spreadOf } from '../http/ratio.ts'
import { importSize, packageNames, packageSize, type ServerImport } from './bundle-size.ts'

const rounds = 15
const roundsForEach = 7
const kilobyte = 1000

const run = promisify(execFile)
const firstRequest = fileURLToPath(new URL('first-request.ts', import.meta.url))

/** Runs Node to its end. @returns what it printed and how long it took, in milliseconds */
async function node(
  ...args: readonly string[]
): Promise<{ readonly printed: string; readonly tookMs: number }> {
  const [command, ...rest] = pinned(cores.server, [process.execPath, ...args])
  const from = performance.now()
  const { stdout } = await run(command, rest, { cwd: import.meta.dirname })
  return { printed: stdout, tookMs: performance.now() - from }
}

async function importMs(packages: readonly string[]): Promise<number> {
  const source = packages.map((name) => `import '@genmount/${name}'`).join('\n')
  return (await node('--input-type=module', '--eval', source)).tookMs
}

async function firstReplyMs(server: 'ours' | 'bare'): Promise<number> {
  return Number((await node(firstRequest, server)).printed)
}

/** How much more time one script takes than the other. The two run in turn. */
async function excess(
  count: number,
  measured: () => Promise<number>,
  bare: () => Promise<number>,
): Promise<Spread> {
  await bare()
  await measured()
  const differences: number[] = []
  for (let round = 0; round < count; round++) {
    const without = await bare()
    differences.push((await measured()) - without)
  }
  return spreadOf(differences)
}

async function runBench(): Promise<BenchResult> {
  const bare = () => importMs([])
  const whole = await excess(rounds, () => importMs(['core', 'node-http']), bare)
  const control = await excess(rounds, bare, bare)
  const reply = await excess(
    rounds,
    () => firstReplyMs('ours'),
    () => firstReplyMs('bare'),
  )
  const rows: Row[] = [
    {
      what: 'Import of core and node-http, over bare Node',
      figure: `${shown(whole, 0)} ms`,
      target: '<= 40 ms',
      meets: whole.median <= 40,
    },
    { what: 'Bare Node over bare Node', figure: `${shown(control, 0)} ms` },
    { what: 'Start to the first reply, over bare node:http', figure: `${shown(reply, 0)} ms` },
    ...(await Promise.all(sizeTargets.map(sizeRow))),
  ]
  return { rows, notes: `${await packageTable()}\n\n${await dependencyTable()}` }
}

const sizeTargets: readonly SizeTarget[] = [
  { name: 'minimal', what: 'core and node-http with jobs in memory and one provider', most: 20 },
  { name: 'sqlite-and-mirror', what: 'The same with jobs in SQLite, and outputs copied into a folder' },
  { name: 'everything', what: 'All exports of core, v1-interface and node-http', most: 30 },
]

interface SizeTarget {
  readonly name: ServerImport
  readonly what: string
  /** The target in kilobytes. @default none */
  readonly most?: number
}

async function sizeRow({ name, what, most }: SizeTarget): Promise<Row> {
  const size = await importSize(name)
  return {
    what: `${what}, with all dependencies, minified and gzipped`,
    figure: `${(size / kilobyte).toFixed(1)} kB`,
    ...(most !== undefined && { target: `<= ${most} kB`, meets: size <= most * kilobyte }),
  }
}

async function packageTable(): Promise<string> {
  const lines: string[] = []
  for (const name of packageNames.filter(isBuilt)) {
    const over = await excess(
      roundsForEach,
      () => importMs([name]),
      () => importMs([]),
    )
    const size = await packageSize(name)
    lines.push(`| ${name} | ${shown(over, 0)} | ${(size / kilobyte).toFixed(1)} |`)
  }
  return `| package | import over bare Node, ms | own code, gzipped, kB |\n|---|---:|---:|\n${lines.join('\n')}`
}

function isBuilt(name: string): boolean {
  return existsSync(new URL(`../../../packages/${name}/dist/index.js`, import.meta.url))
}

/** A table that shows how many bytes each dependency adds. */
async function dependencyTable(): Promise<string> {
  const size = await importSize('everything')
  const dependencies = {
    'p-retry, p-limit': /^(p-|yocto-queue|is-network)/,
    valibot: /^valibot/,
    'itty-router': /^itty-router/,
  }
  const lines: string[] = []
  for (const [name, pattern] of Object.entries(dependencies))
    lines.push(`| ${name} | ${((size - (await importSize('everything', pattern))) / kilobyte).toFixed(1)} |`)
  return `| of the ${(size / kilobyte).toFixed(1)} kB | kB |\n|---|---:|\n${lines.join('\n')}`
}

/** Measures the start-up time and the size. */
export const startUpBench: Bench = { name: 'start-up', title: 'Start-up and size', run: runBench }
