import { execFile } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Bench, BenchResult } from '../bench.ts'
import { type Load, putLoad } from '../http/load.ts'
import { cores } from '../http/pinned.ts'
import { shown, type Spread, spreadOf } from '../http/ratio.ts'
import { type Child, startChild } from '../waiters/child-process.ts'
import type { StoreQuestion } from './full-store.ts'
import type { JobWeight } from './weigh-jobs.ts'

const sizes = [1000, 100_000, 1_000_000] as const
const rounds = 5
const httpSeconds = 1

type Figure = 'read' | 'create' | 'http'
/**
 * The rates of all rounds, by figure and size of the store: how many operations a second of CPU time does.
 */
type Rates = Readonly<Record<Figure, ReadonlyMap<number, number[]>>>

/** Measures how much heap a job takes in the memory backend, in a separate process. */
export async function weighJobs(...nodeArgs: readonly string[]): Promise<JobWeight> {
  const script = fileURLToPath(new URL('weigh-jobs.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', ...nodeArgs, script])
  return JSON.parse(stdout)
}

/** Measures how many bytes a create leaves to a collection of the whole heap, in a separate process. */
export async function weighGarbage(...nodeArgs: readonly string[]): Promise<number> {
  const script = fileURLToPath(new URL('weigh-garbage.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', ...nodeArgs, script])
  return JSON.parse(stdout)
}

async function measure(): Promise<Rates> {
  const empty = () => new Map<number, number[]>(sizes.map((size) => [size, []]))
  const rates = { read: empty(), create: empty(), http: empty() }
  const stores = new Map<number, Child>()
  try {
    for (const size of sizes) {
      const store = await startChild(
        new URL('full-store.ts', import.meta.url),
        { core: cores.server },
        String(size),
      )
      stores.set(size, store)
      // The first question does not count: it compiles the code and lets the heap settle.
      await store.ask('read' satisfies StoreQuestion)
      await getOverHttp(store)
    }
    // All reads come before the first create, because creates push finished jobs out of the store.
    for (const figure of ['read', 'http', 'create'] as const) {
      for (let round = 0; round < rounds; round++) {
        for (const [size, store] of round % 2 === 0 ? stores : [...stores].toReversed()) {
          rates[figure]
            .get(size)!
            .push(await (figure === 'http' ? getOverHttp(store) : store.ask<number>(figure)))
        }
      }
    }
    return rates
  } finally {
    for (const store of stores.values()) await store.stop()
  }
}

async function getOverHttp(store: Child): Promise<number> {
  const load = await store.ask<Load>('where' satisfies StoreQuestion)
  const before = await store.ask<NodeJS.CpuUsage>('cpu' satisfies StoreQuestion)
  const { requests } = await putLoad(load, httpSeconds)
  const after = await store.ask<NodeJS.CpuUsage>('cpu' satisfies StoreQuestion)
  return requests / ((after.user + after.system - before.user - before.system) / 1e6)
}

function ratio(rates: Rates, figure: Figure, size: number): Spread {
  const few = rates[figure].get(sizes[0])!
  return spreadOf(rates[figure].get(size)!.map((rate, round) => rate / few[round]!))
}

async function run(): Promise<BenchResult> {
  const weight = await weighJobs()
  const rates = await measure()
  const compare = (what: string, figure: Figure, size: number, target?: number) => {
    const found = ratio(rates, figure, size)
    const row = {
      what: `${what}, ${size.toLocaleString('en')} finished jobs against 1,000`,
      figure: shown(found),
    }
    if (target === undefined) return row
    return { ...row, target: `>= ${target.toFixed(2)}`, meets: found.median >= target }
  }
  return {
    rows: [
      compare('GET job over HTTP', 'http', 100_000),
      compare('GET job over HTTP', 'http', 1_000_000, 0.9),
      compare('service.get', 'read', 100_000),
      compare('service.get', 'read', 1_000_000),
      compare('service.create, to the end of the job', 'create', 100_000),
      compare('service.create, to the end of the job', 'create', 1_000_000),
      {
        what: 'A finished job in memory',
        figure: `${weight.finished.toFixed(0)} bytes of heap`,
        target: '<= 2.5 kB',
        meets: weight.finished <= 2500,
      },
      { what: 'A processing job in memory', figure: `${weight.processing.toFixed(0)} bytes of heap` },
    ],
    notes: notes(rates),
  }
}

function notes(rates: Rates): string {
  const lines = sizes.map((size) => {
    const cells = (['http', 'read', 'create'] as const).map((figure) => {
      const { median } = spreadOf(rates[figure].get(size)!)
      return (1e6 / median).toFixed(1)
    })
    return `| ${size.toLocaleString('en')} | ${cells.join(' | ')} |`
  })
  return `Each store is in a process of its own, full of finished jobs, so that a new one makes the oldest go. Reads are of
one set of 1,000 jobs that lie apart in the store, so that each is on memory pages of its own: at a million jobs that is
more than the CPU's page table cache (TLB) holds, which costs service.get some 2 us. Reads of the last 1,000 of a million
jobs are as quick as those of 1,000. CPU time counts all threads, the garbage collector's too.

| finished jobs | GET over HTTP, us | service.get, us | service.create, us |
|---:|---:|---:|---:|
${lines.join('\n')}`
}

/** Measures what the operations cost when the memory backend holds more and more jobs. */
export const scaleBench: Bench = { name: 'scale', title: 'Many jobs in memory', run }
