import type { Row } from './bench.ts'

/** A figure from several rounds. */
export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const median = (sorted[Math.ceil(middle) - 1]! + sorted[Math.floor(middle)]!) / 2
  return { median, min: sorted[0]!, max: sorted.at(-1)! }
}

/** The value below which this part of the values lies, from 0 to 1. */
export function quantile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(part * (values.length - 1))]!
}

/** Compares figures round by round, so that it does not matter if the machine was slow in a whole round. */
export function ratioOf(ours: readonly number[], theirs: readonly number[]): Spread {
  return spreadOf(ours.map((figure, round) => figure / theirs[round]!))
}

/** The figure as text, for example `1.04 (0.99 to 1.08)`. */
export function shown({ median, min, max }: Spread, digits = 2): string {
  return `${median.toFixed(digits)} (${min.toFixed(digits)} to ${max.toFixed(digits)})`
}

/**
 * Measures subjects in turn, in several rounds. Every second round has the reverse order.
 * @returns the samples of each subject, in the order of the subjects
 */
export async function inRounds<Subject, Sample>(
  rounds: number,
  subjects: readonly Subject[],
  measure: (subject: Subject) => Promise<Sample>,
): Promise<readonly (readonly Sample[])[]> {
  const samples = subjects.map((): Sample[] => [])
  for (let round = 0; round < rounds; round++)
    for (const index of round % 2 === 0 ? subjects.keys() : [...subjects.keys()].toReversed())
      samples[index]!.push(await measure(subjects[index]!))
  return samples
}

/** What a figure is to reach, and whether it does. */
export type Target = (figure: number) => Required<Pick<Row, 'target' | 'meets'>>

export function atLeast(bound: number): Target {
  return (figure) => ({ target: `>= ${bound.toFixed(2)}`, meets: figure >= bound })
}

export function above(bound: number): Target {
  return (figure) => ({ target: `> ${bound.toFixed(2)}`, meets: figure > bound })
}

export function atMost(bound: number, text = bound.toFixed(2)): Target {
  return (figure) => ({ target: `<= ${text}`, meets: figure <= bound })
}

/** A row of the results. @param value what is compared with the target, if there is one */
export function row(what: string, figure: string, value = NaN, target?: Target): Row {
  return { what, figure, ...target?.(value) }
}

/** A row whose figure is a ratio, or another spread whose unit stands in its name. */
export function spreadRow(what: string, spread: Spread, target?: Target, digits = 2): Row {
  return row(what, shown(spread, digits), spread.median, target)
}

/** A table in Markdown whose cells are at the right, but for those of the first column. */
export function table(heads: readonly string[], lines: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`
  return [line(heads), `|---|${'---:|'.repeat(heads.length - 1)}`, ...lines.map(line)].join('\n')
}
