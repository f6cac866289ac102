import { readFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { outputOf } from '../../processes/run-program.ts'
import { runtimes } from '../../processes/runtimes.ts'
import type { Bench, BenchResult, Row } from '../bench.ts'
import { table } from '../figures.ts'
import { manifestOf } from '../start-up/bundle-size.ts'

export interface Finding {
  readonly bench: Bench
  readonly result: BenchResult
}

/**
 * The results of a complete run, as Markdown. The page "What it costs" shows its section Figures.
 * @param findings empty if nothing was measured since the release
 * @param caption what {@link measuredWith} says
 */
export function resultsPage(findings: readonly Finding[], caption: string): string {
  const sections = findings.flatMap(({ bench, result }) => [
    `### ${bench.title}`,
    result.notes,
    ...(result.rows.length === 0 ? [] : [rowTable(result.rows)]),
  ])
  const figures = [`Measured in one run: ${caption}.`, '![Ratios as bars](chart.svg)', ...sections]
  return [
    '# Results of the bench',
    'The page [What it costs](../../../packages/docs/pages/what-it-costs.md) shows them. `npm run bench` writes them.',
    '## Figures',
    ...(findings.length === 0 ? [`Nothing was measured since the release of ${version()}.`] : figures),
    '',
  ].join('\n\n')
}

/** Whether a page has results of these packages, or says that there are none. Results of an earlier release are neither. */
export function isOfThisRelease(page: string): boolean {
  return page.includes(`genmount ${version()},`) || page.includes(`since the release of ${version()}.`)
}

/** The results that were written last. */
export function writtenResults(): string {
  return readFileSync(new URL('../results/results.md', import.meta.url), 'utf8')
}

function version(): string {
  return manifestOf('core').version
}

/** `meets` or `falls short`, or an empty text without a target. */
export function verdictOf({ meets }: Row): string {
  return meets === undefined ? '' : meets ? 'meets' : 'falls short'
}

function rowTable(rows: readonly Row[]): string {
  const lines = rows.map((row) => [row.what, row.figure, row.target ?? '', verdictOf(row)])
  return table(['what', 'figure', 'target', 'verdict'], lines)
}

/** The date, the version of the packages, the processor and the runtimes, as text. */
export async function measuredWith(): Promise<string> {
  const gigabytes = Math.round(totalmem() / 2 ** 30)
  const [deno, bun] = await Promise.all([versionOf(runtimes.deno[0]), versionOf(runtimes.bun[0])])
  return (
    `${new Date().toISOString().slice(0, 10)}, genmount ${version()}, ` +
    `${cpus()[0]?.model.trim() ?? 'an unknown processor'}, ${availableParallelism()} cores, ${gigabytes} GiB, ` +
    `Node ${process.versions.node}, Deno ${deno}, Bun ${bun}`
  )
}

async function versionOf(binary: string): Promise<string> {
  return /\d+\.\d+\.\d+/.exec(await outputOf([binary, '--version']))?.[0] ?? 'unknown'
}
