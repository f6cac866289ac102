import { fileURLToPath } from 'node:url'
import { type Bench, type BenchResult, full } from '../bench.ts'
import { atLeast, atMost, ratioOf, row, spreadOf, spreadRow, table } from '../figures.ts'
import { type Load, putLoad } from '../http/load.ts'
import { type Measured, outputOfNode, startMeasured } from '../measured-process.ts'
import type { StoreQuestion } from './full-store.ts'

const sizes = [1000, full(100_000), full(1_000_000)] as const
const rounds = full(5)
const httpSeconds = 1

const figures = ['read', 'http', 'create'] as const
type Figure = (typeof figures)[number]
/** How many operations a second of CPU time does: the rates of all rounds, by figure and size of the store. */
type Rates = Readonly<Record<Figure, ReadonlyMap<number, number[]>>>
type Store = Measured<Load>

/** How many bytes of heap a job takes in the memory backend of a process of its own. */
export function weighJobs(): Promise<{ readonly finished: number; readonly processing: number }> {
  return weigh('jobs')
}

/** How many bytes a create leaves to a collection of the whole heap, in a process of its own. */
export function weighGarbage(): Promise<number> {
  return weigh('garbage')
}

async function weigh<Weights>(what: 'jobs' | 'garbage'): Promise<Weights> {
  const script = fileURLToPath(new URL('weigh.ts', import.meta.url))
  return JSON.parse(await outputOfNode({ flags: ['--expose-gc'] }, script, what))
}

async function measure(): Promise<Rates> {
  const empty = () => new Map<number, number[]>(sizes.map((size) => [size, []]))
  const rates = { read: empty(), create: empty(), http: empty() }
  const stores = new Map<number, Store>()
  try {
    for (const size of sizes) {
      const flags = ['--max-old-space-size=8192']
      const store: Store = await startMeasured(
        new URL('full-store.ts', import.meta.url),
        { flags },
        String(size),
      )
      stores.set(size, store)
      // The first question does not count: it compiles the code and lets the heap settle.
      await rateOf(store, 'read')
      await rateOf(store, 'http')
    }
    // All reads come before the first create, because creates push finished jobs out of the store.
    for (const figure of figures)
      for (let round = 0; round < rounds; round++)
        for (const [size, store] of round % 2 === 0 ? stores : [...stores].toReversed())
          rates[figure].get(size)!.push(await rateOf(store, figure))
    return rates
  } finally {
    for (const store of stores.values()) await store.stop()
  }
}

async function rateOf({ ask, greeting: load }: Store, figure: Figure): Promise<number> {
  if (figure !== 'http') return ask<number>(figure satisfies StoreQuestion)
  const before = await ask<number>('cpu' satisfies StoreQuestion)
  const { requests } = await putLoad(load, httpSeconds)
  return (requests * 1000) / ((await ask<number>('cpu' satisfies StoreQuestion)) - before)
}

async function run(): Promise<BenchResult> {
  const weight = await weighJobs()
  const rates = await measure()
  const [few, many, most] = sizes
  const compare = (what: string, figure: Figure, size: number, target?: number) => {
    const ratio = ratioOf(rates[figure].get(size)!, rates[figure].get(few)!)
    const words = `${what}, ${size.toLocaleString('en')} finished jobs against 1,000`
    return spreadRow(words, ratio, target === undefined ? undefined : atLeast(target))
  }
  return {
    rows: [
      compare('GET job over HTTP', 'http', many),
      compare('GET job over HTTP', 'http', most, 0.9),
      compare('service.get', 'read', many),
      compare('service.get', 'read', most),
      compare('service.create, to the end of the job', 'create', many),
      compare('service.create, to the end of the job', 'create', most),
      row(
        'A finished job in memory',
        `${weight.finished.toFixed(0)} bytes of heap`,
        weight.finished,
        atMost(2500, '2.5 kB'),
      ),
      row('A processing job in memory', `${weight.processing.toFixed(0)} bytes of heap`),
    ],
    notes: notes(rates),
  }
}

function notes(rates: Rates): string {
  const lines = sizes.map((size) => {
    const us = (figure: Figure) => (1e6 / spreadOf(rates[figure].get(size)!).median).toFixed(1)
    return [size.toLocaleString('en'), us('http'), us('read'), us('create')]
  })
  return `Each store is in a process of its own, full of finished jobs, so that a new one makes the oldest go. Reads are of
one set of 1,000 jobs that lie apart in the store, so that each is on memory pages of its own: at a million jobs that is
more than the CPU's page table cache (TLB) holds, which costs service.get some 2 us. Reads of the last 1,000 of a million
jobs are as quick as those of 1,000. CPU time counts all threads, the garbage collector's too.

${table(['finished jobs', 'GET over HTTP, us', 'service.get, us', 'service.create, us'], lines)}`
}

/** Measures what the operations cost when the memory backend holds more and more jobs. */
export const scaleBench: Bench = { name: 'scale', title: 'Many jobs in memory', run }
