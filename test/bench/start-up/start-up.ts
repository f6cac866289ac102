import { fileURLToPath } from 'node:url'
import { type Bench, type BenchResult, full, type Row } from '../bench.ts'
import { atMost, row, shown, type Spread, spreadOf } from '../figures.ts'
import { outputOfNode } from '../measured-process.ts'
import { importSize, type ServerImport } from './bundle-size.ts'

const rounds = full(15)
const kilobyte = 1000
const firstRequest = fileURLToPath(new URL('first-request.ts', import.meta.url))

/** How long Node takes to import packages, in milliseconds. */
async function importMs(...packages: readonly string[]): Promise<number> {
  const source = packages.map((name) => `import '@genmount/${name}'`).join('\n')
  const from = performance.now()
  await outputOfNode({}, '--input-type=module', '--eval', source)
  return performance.now() - from
}

async function firstReplyMs(server: 'ours' | 'bare'): Promise<number> {
  return Number(await outputOfNode({}, firstRequest, server))
}

/** How much more time one script takes than the other. The two run in turn. */
async function excess(measured: () => Promise<number>, bare: () => Promise<number>): Promise<Spread> {
  await bare()
  await measured()
  const differences: number[] = []
  for (let round = 0; round < rounds; round++) {
    const without = await bare()
    differences.push((await measured()) - without)
  }
  return spreadOf(differences)
}

async function run(): Promise<BenchResult> {
  const bare = () => importMs()
  const whole = await excess(() => importMs('core', 'node-http'), bare)
  const control = await excess(bare, bare)
  const reply = await excess(
    () => firstReplyMs('ours'),
    () => firstReplyMs('bare'),
  )
  return {
    rows: [
      row(
        'Import of core and node-http, over bare Node',
        `${shown(whole, 0)} ms`,
        whole.median,
        atMost(40, '40 ms'),
      ),
      row('Bare Node over bare Node', `${shown(control, 0)} ms`),
      row('Start to the first reply, over bare node:http', `${shown(reply, 0)} ms`),
      await sizeRow('minimal', 'core and node-http with jobs in memory and one provider', 20),
      await sizeRow('sqlite-and-mirror', 'The same with jobs in SQLite, and outputs copied into a folder'),
      await sizeRow('everything', 'All exports of core, v1-interface and node-http', 30),
    ],
    notes: '`npm run sizes` prints the size of each package.',
  }
}

/** @param most the target in kilobytes */
async function sizeRow(name: ServerImport, what: string, most?: number): Promise<Row> {
  const size = (await importSize(name)) / kilobyte
  const words = `${what}, with all dependencies, minified and gzipped`
  return row(words, `${size.toFixed(1)} kB`, size, most === undefined ? most : atMost(most, `${most} kB`))
}

/** Measures the start-up time and the size. */
export const bench: Bench = { title: 'Start-up and size', run }
