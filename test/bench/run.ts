import { mkdir, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import type { Bench } from './bench.ts'
import { allBenches } from './report/benches.ts'
import { chart } from './report/chart.ts'
import { type Finding, machine, resultsPage, verdictOf } from './report/results-page.ts'

/**
 * Runs the benches. `npm run bench` runs all of them and writes `results/`. `npm run bench -- NAME ...` runs
 * only the named ones and prints their results. With `--profile` it prints where their CPU time goes instead.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { profile: { type: 'boolean', default: false } },
})
const benches = await allBenches()
const chosen = positionals.length === 0 ? benches : positionals.map(benchNamed)

if (values.profile) for (const bench of chosen) console.log(await bench.profile?.())
else await runBenches()

function benchNamed(name: string): Bench {
  const bench = benches.find((candidate) => candidate.name === name)
  if (bench) return bench
  throw new Error(`There is no bench ${name}, but ${benches.map((each) => each.name).join(', ')}.`)
}

async function runBenches(): Promise<void> {
  const findings: Finding[] = []
  for (const bench of chosen) {
    const startedAt = Date.now()
    console.log(`\n${bench.title}`)
    try {
      const result = await bench.run()
      for (const row of result.rows) {
        const target = row.target === undefined ? '' : `  (${row.target}: ${verdictOf(row)})`
        console.log(`  ${row.what}: ${row.figure}${target}`)
      }
      if (positionals.length > 0 && result.notes !== undefined) console.log(`\n${result.notes}\n`)
      findings.push({ bench, result })
    } catch (error) {
      // A bench that fails does not stop the others.
      console.error(error)
      process.exitCode = 1
    }
    console.log(`  ${Math.round((Date.now() - startedAt) / 1000)} s`)
  }
  if (positionals.length === 0) await writeResults(findings)
}

async function writeResults(findings: readonly Finding[]): Promise<void> {
  const at = new Date()
  const folder = new URL('results/', import.meta.url)
  await mkdir(folder, { recursive: true })
  await writeFile(new URL('results.md', folder), resultsPage(findings, at))
  const bars = findings.flatMap(({ bench, result }) =>
    (result.bars ?? []).map((bar) => ({ ...bar, group: bar.group ?? bench.title })),
  )
  await writeFile(new URL('chart.svg', folder), chart(bars, `${at.toISOString().slice(0, 10)}, ${machine()}`))
}
