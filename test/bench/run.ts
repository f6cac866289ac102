import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import type { Bench } from './bench.ts'
import { chart } from './report/chart.ts'
import { type Finding, machine, resultsPage, verdictOf } from './report/results-page.ts'

const names = ['http', 'hop', 'waiters', 'stores', 'cluster', 'economy', 'start-up']
const usage = `npm run bench             runs all benches and writes test/bench/results
npm run bench -- NAME ... runs only these, and prints their results: ${names.join(', ')}
  --short   runs each in seconds, to see that it works; its figures mean nothing, and nothing is written
  --source  measures the sources of the packages and not their build`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
    source: { type: 'boolean', default: false },
  },
})
const isWhole = positionals.length === 0

if (values.help) console.log(usage)
else if (!positionals.every((name) => names.includes(name)))
  throw new Error(`There is no such bench.\n${usage}`)
else {
  // The benches look at this when they are loaded.
  process.env['BENCH_SHORT'] = values.short ? '1' : '0'
  process.env['BENCH_BUILT'] = values.source ? '0' : '1'
  const findings: Finding[] = []
  for (const name of isWhole ? names : positionals) {
    const startedAt = Date.now()
    try {
      const { bench } = (await import(`./${name}/${name}.ts`)) as { readonly bench: Bench }
      console.log(`\n${bench.title}`)
      const result = await bench.run()
      for (const row of result.rows) {
        const target = row.target === undefined ? '' : `  (${row.target}: ${verdictOf(row)})`
        console.log(`  ${row.what}: ${row.figure}${target}`)
      }
      if (!isWhole && result.notes !== undefined) console.log(`\n${result.notes}\n`)
      findings.push({ bench, result })
    } catch (error) {
      // A bench that fails does not stop the others.
      console.error(error)
      process.exitCode = 1
    }
    console.log(`  ${Math.round((Date.now() - startedAt) / 1000)} s`)
  }
  if (isWhole && !values.short) await writeResults(findings)
}

async function writeResults(findings: readonly Finding[]): Promise<void> {
  const caption = `${new Date().toISOString().slice(0, 10)}, ${await machine()}`
  const folder = new URL('results/', import.meta.url)
  await writeFile(new URL('results.md', folder), resultsPage(findings, caption))
  const bars = findings.flatMap(({ result }) => result.bars ?? [])
  await writeFile(new URL('chart.svg', folder), chart(bars, caption))
}
