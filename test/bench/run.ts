import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import type { Bench, BenchLength } from './bench.ts'
import { chart } from './report/chart.ts'
import { type Finding, measuredWith, resultsPage, verdictOf } from './report/results-page.ts'

const names = ['hop', 'http', 'waiters', 'stores', 'postgres', 'budgets', 'start-up', 'economy']
/** What takes minutes, and answers what few users ask. */
const longNames = ['cluster']
const usage = `npm run bench             runs ${names.join(', ')}, and writes test/bench/results
npm run bench -- --long   runs also ${longNames.join(', ')}, with three times as many rounds
npm run bench -- NAME ... runs only these, and prints their results
  --short   runs each in seconds, to see that it works; its figures mean nothing, and nothing is written
  --source  measures the sources of the packages and not their build
npm run bench -- --clear  writes that nothing was measured since the release, and runs nothing`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    source: { type: 'boolean', default: false },
    clear: { type: 'boolean', default: false },
  },
})
const isWhole = positionals.length === 0

if (values.help) console.log(usage)
else if (!positionals.every((name) => [...names, ...longNames].includes(name)))
  throw new Error(`There is no such bench.\n${usage}`)
else if (values.clear) await writeResults([])
else {
  // The benches look at this when they are loaded.
  const length: BenchLength = values.short ? 'short' : values.long ? 'long' : 'usual'
  process.env['BENCH_LENGTH'] = length
  process.env['BENCH_BUILT'] = values.source ? '0' : '1'
  const startedAt = Date.now()
  const findings: Finding[] = []
  for (const name of isWhole ? [...names, ...(values.long ? longNames : [])] : positionals) {
    const finding = await findingOf(name)
    if (finding !== undefined) findings.push(finding)
  }
  console.log(`\n${secondsSince(startedAt)} s in all`)
  if (isWhole && !values.short) await writeResults(findings)
}

/** Runs a bench and prints what it has found. A bench that fails does not stop the others. */
async function findingOf(name: string): Promise<Finding | undefined> {
  const startedAt = Date.now()
  try {
    const { bench } = (await import(`./${name}/${name}.ts`)) as { readonly bench: Bench }
    console.log(`\n${bench.title}`)
    const result = await bench.run()
    for (const row of result.rows) {
      const target = row.target === undefined ? '' : `  (${row.target}: ${verdictOf(row)})`
      console.log(`  ${row.what}: ${row.figure}${target}`)
    }
    if (!isWhole) console.log(`\n${result.notes}\n`)
    console.log(`  ${secondsSince(startedAt)} s`)
    return { bench, result }
  } catch (error) {
    console.error(error)
    process.exitCode = 1
    return undefined
  }
}

function secondsSince(instant: number): number {
  return Math.round((Date.now() - instant) / 1000)
}

async function writeResults(findings: readonly Finding[]): Promise<void> {
  const caption = await measuredWith()
  const folder = new URL('results/', import.meta.url)
  await writeFile(new URL('results.md', folder), resultsPage(findings, caption))
  const bars = findings.flatMap(({ result }) => result.bars ?? [])
  await writeFile(new URL('chart.svg', folder), chart(bars, caption))
}
