import { execFileSync } from 'node:child_process'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { runtimes } from '../../processes/runtimes.ts'
import type { Bench, BenchResult, Row } from '../bench.ts'

export interface Finding {
  readonly bench: Bench
  readonly result: BenchResult
}

/** The results page of a complete run, as Markdown. */
export function resultsPage(findings: readonly Finding[], at: Date): string {
  const sections = findings.flatMap(({ bench, result }) => [
    `## ${bench.title}`,
    table(result.rows),
    ...(result.notes === undefined ? [] : [result.notes]),
  ])
  return [
    '# What genmount costs',
    `Measured on ${at.toISOString().slice(0, 10)} by \`npm run bench\`, in one run, on ${machine()}.`,
    '![Ratios as bars](chart.svg)',
    ...sections,
    '',
  ].join('\n\n')
}

/** `meets` or `falls short`, or an empty text without a target. */
export function verdictOf({ meets }: Row): string {
  return meets === undefined ? '' : meets ? 'meets' : 'falls short'
}

function table(rows: readonly Row[]): string {
  const lines = rows.map((row) => `| ${row.what} | ${row.figure} | ${row.target ?? ''} | ${verdictOf(row)} |`)
  return ['| what | figure | target | verdict |', '|---|---|---|---|', ...lines].join('\n')
}

/** The processor and the runtimes, as text. */
export function machine(): string {
  const gigabytes = Math.round(totalmem() / 2 ** 30)
  const deno = versionOf(runtimes.deno[0])
  const bun = versionOf(runtimes.bun[0])
  return (
    `${cpus()[0]?.model.trim() ?? 'an unknown processor'}, ${availableParallelism()} cores, ${gigabytes} GiB, ` +
    `Node ${process.versions.node}, Deno ${deno}, Bun ${bun}`
  )
}

function versionOf(binary: string): string {
  return /\d+\.\d+\.\d+/.exec(execFileSync(binary, ['--version'], { encoding: 'utf8' }))?.[0] ?? 'unknown'
}
