import { availableParallelism, cpus, totalmem } from 'node:os'
import { outputOf } from '../../processes/run-program.ts'
import { runtimes } from '../../processes/runtimes.ts'
import type { Bench, BenchResult, Row } from '../bench.ts'
import { table } from '../figures.ts'

export interface Finding {
  readonly bench: Bench
  readonly result: BenchResult
}

/** The results page of a complete run, as Markdown. @param caption the date, and {@link machine} */
export function resultsPage(findings: readonly Finding[], caption: string): string {
  const sections = findings.flatMap(({ bench, result }) => [
    `## ${bench.title}`,
    rowTable(result.rows),
    ...(result.notes === undefined ? [] : [result.notes]),
  ])
  return [
    '# What genmount costs',
    `Measured by \`npm run bench\`, in one run: ${caption}.`,
    '![Ratios as bars](chart.svg)',
    ...sections,
    '',
  ].join('\n\n')
}

/** `meets` or `falls short`, or an empty text without a target. */
export function verdictOf({ meets }: Row): string {
  return meets === undefined ? '' : meets ? 'meets' : 'falls short'
}

function rowTable(rows: readonly Row[]): string {
  const lines = rows.map((row) => [row.what, row.figure, row.target ?? '', verdictOf(row)])
  return table(['what', 'figure', 'target', 'verdict'], lines)
}

/** The processor and the runtimes, as text. */
export async function machine(): Promise<string> {
  const gigabytes = Math.round(totalmem() / 2 ** 30)
  const [deno, bun] = await Promise.all([versionOf(runtimes.deno[0]), versionOf(runtimes.bun[0])])
  return (
    `${cpus()[0]?.model.trim() ?? 'an unknown processor'}, ${availableParallelism()} cores, ${gigabytes} GiB, ` +
    `Node ${process.versions.node}, Deno ${deno}, Bun ${bun}`
  )
}

async function versionOf(binary: string): Promise<string> {
  return /\d+\.\d+\.\d+/.exec(await outputOf([binary, '--version']))?.[0] ?? 'unknown'
}
