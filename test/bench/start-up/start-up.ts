import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import type { Command } from '../../processes/launch.ts'
import { repo } from '../../processes/repo.ts'
import type { Runtime } from '../../processes/runtimes.ts'
import { type Bench, type BenchResult, roundsOf, type Row } from '../bench.ts'
import { atMost, inRounds, row, spreadOf, table } from '../figures.ts'
import { commandOf, pinned } from '../measured-process.ts'
import { importSize, type ServerImport } from './bundle-size.ts'
import { type ColdStart, coldStart } from './cold-start.ts'
import { bundled } from './bundled-server.ts'
import { disposableFolder } from '../../disposable-folder.ts'

const rounds = roundsOf(9)
const kilobyte = 1000

/** A server that is started. */
interface Subject {
  readonly label: string
  /** The name of its file in the folder `servers`. */
  readonly server: string
  /** @default workerd */
  readonly runtime?: Runtime
  /** Whether it is bundled into one file. Otherwise it loads its packages. */
  readonly isOneFile: boolean
}

const onNode = { runtime: 'node', isOneFile: false } as const
const subjects: readonly Subject[] = [
  { ...onNode, label: 'Node: bare node:http', server: 'bare-node' },
  { ...onNode, label: 'Node: Express 5', server: 'express-node' },
  { ...onNode, label: 'Node: Express 5, one file', server: 'express-node', isOneFile: true },
  { ...onNode, label: 'Node: genmount', server: 'genmount-node' },
  { ...onNode, label: 'Node: genmount, one file', server: 'genmount-node', isOneFile: true },
  { label: 'Bun: bare Bun.serve', server: 'bare-fetch', runtime: 'bun', isOneFile: true },
  { label: 'Bun: genmount, one file', server: 'genmount-fetch', runtime: 'bun', isOneFile: true },
  { label: 'Deno: bare Deno.serve', server: 'bare-fetch', runtime: 'deno', isOneFile: true },
  { label: 'Deno: genmount, one file', server: 'genmount-fetch', runtime: 'deno', isOneFile: true },
  { label: 'workerd: a bare worker', server: 'bare-worker', isOneFile: true },
  { label: 'workerd: genmount, one file', server: 'genmount-worker', isOneFile: true },
]

const what = `A server starts, on a core of its own, and answers its first request: for a job that it does not have. CPU time counts
all threads; memory is what of the process is in RAM then. Linux counts CPU time in steps of 10 ms, so it is the mean of
${rounds} starts. genmount keeps its jobs in memory here, and has one provider. "One file" is a bundle with all
dependencies, whose size is minified and gzipped; a bundle has in it also what the packages load later, if ever. An isolate of
a platform shares its process with others: what genmount adds to a bare worker is what it costs there.`

/** The command that starts a server on a port. */
function commandFor({ runtime }: Subject, file: string, port: number): Command {
  if (runtime !== undefined) return commandOf({ runtime }, file, String(port))
  const config = file.replace(/mjs$/, 'capnp')
  writeFileSync(
    config,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "${basename(file)}")],
  compatibilityDate = "2026-07-01",
);`,
  )
  return pinned([workerd(), 'serve', config])
}

/** The program that Miniflare runs. */
function workerd(): string {
  const miniflare = createRequire(import.meta.url).resolve('miniflare')
  return (createRequire(miniflare)('workerd') as { default: string }).default
}

async function run(): Promise<BenchResult> {
  // Servers that are not one file find their packages from here.
  using folder = disposableFolder(join(repo, 'node_modules/.cache/bench-'))
  const sizes = new Map<Subject, number>()
  const measured: { readonly subject: Subject; readonly file: string }[] = []
  for (const subject of subjects) {
    const { server, isOneFile } = subject
    const { file, gzipped } = await bundled(server, isOneFile, folder.path)
    if (isOneFile) sizes.set(subject, gzipped)
    measured.push({ subject, file })
  }
  const start = ({ subject, file }: (typeof measured)[number]) =>
    coldStart((port) => commandFor(subject, file, port))
  // The first start of each reads its files from the disk.
  for (const each of measured) await start(each)
  const starts = await inRounds(rounds, measured, start)
  const lines = subjects.map((subject, index) => lineOf(subject, starts[index]!, sizes.get(subject)))
  const heads = ['start to the first reply', 'CPU, ms', 'time, ms', 'memory, MB', 'one file, kB']
  return { rows: [...rowsOf(starts), ...(await sizeRows())], notes: `${table(heads, lines)}\n\n${what}` }
}

function meanOf(starts: readonly ColdStart[], figure: keyof ColdStart): number {
  return starts.reduce((sum, start) => sum + start[figure], 0) / starts.length
}

function lineOf({ label }: Subject, starts: readonly ColdStart[], size?: number): readonly string[] {
  return [
    label,
    meanOf(starts, 'cpuMs').toFixed(0),
    spreadOf(starts.map(({ ms }) => ms)).median.toFixed(0),
    spreadOf(starts.map(({ megabytes }) => megabytes)).median.toFixed(0),
    size === undefined ? '' : (size / kilobyte).toFixed(1),
  ]
}

function rowsOf(starts: readonly (readonly ColdStart[])[]): readonly Row[] {
  const cpuMs = (label: string) =>
    meanOf(starts[subjects.findIndex((subject) => subject.label === label)]!, 'cpuMs')
  const over = (label: string, bound?: number) => {
    const more = cpuMs(label) - cpuMs('Node: bare node:http')
    const target = bound === undefined ? undefined : atMost(bound, `${bound} ms`)
    return row(`${label}, CPU over bare node:http`, `${more.toFixed(0)} ms`, more, target)
  }
  return [over('Node: genmount, one file', 30), over('Node: Express 5, one file')]
}

function sizeRows(): Promise<readonly Row[]> {
  return Promise.all([
    sizeRow('minimal', 'core and node-http with jobs in memory and one provider', 20),
    sizeRow('sqlite-and-mirror', 'The same with jobs in SQLite, and outputs copied into a folder'),
    sizeRow('everything', 'All exports of core, v1-interface and node-http', 30),
  ])
}

/** @param most the target in kilobytes */
async function sizeRow(name: ServerImport, what: string, most?: number): Promise<Row> {
  const size = (await importSize(name)) / kilobyte
  const words = `${what}: what is loaded at the start, minified and gzipped`
  return row(words, `${size.toFixed(1)} kB`, size, most === undefined ? most : atMost(most, `${most} kB`))
}

/** Measures what a cold start costs, and how large the code is. */
export const bench: Bench = { title: 'A cold start', run }
