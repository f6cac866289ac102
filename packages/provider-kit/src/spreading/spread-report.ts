import type { ProviderReport, TaskTokens } from '@genmount/core'
import { failed } from '../client/vendor-failure.ts'
import type { PolledParts } from './part-polls.ts'
import type { PartBill, SpreadPart } from './spread-part.ts'

/** The report on a job all of whose parts are over. Those that have ended have reported. */
export function spreadReport({ parts, reports }: PolledParts): ProviderReport {
  const bills = parts.map((part, index) => billOf(part, reports[index]))
  const costUsd = sumOf(bills)
  const failures = parts.filter((part) => part.state === 'failed')
  const [first] = failures
  if (first && failures.length === parts.length) return failed(first.code, first.message, costUsd)
  return {
    state: 'succeeded',
    outputs: parts.flatMap((part, index) =>
      part.state === 'made' ? part.links : (reports[index]?.outputs ?? []),
    ),
    omitted: parts.flatMap((part, index) => {
      const faults =
        part.state === 'failed' ? [`${part.code}: ${part.message}`] : (bills[index]?.omitted ?? [])
      return faults.map((fault) => `part ${index + 1} of ${parts.length}, ${fault}`)
    }),
    costUsd,
    tokens: tokensOf(bills),
  }
}

/** What the parts that have been made or have failed have cost, in US dollars. @returns as {@link sumOf} does */
export function costSoFar(parts: readonly SpreadPart[]): number | undefined {
  return sumOf(
    parts.filter(({ state }) => state === 'made' || state === 'failed').map((part) => billOf(part)),
  )
}

function billOf(part: SpreadPart, report?: PartBill): PartBill {
  return part.state === 'made' || part.state === 'failed' ? part : (report ?? {})
}

/** @returns `undefined` when one cost is not known, because the sum is then too small for a budget */
function sumOf(bills: readonly PartBill[]): number | undefined {
  let sum = 0
  for (const { costUsd } of bills) {
    if (costUsd === undefined) return undefined
    sum += costUsd
  }
  return sum
}

function tokensOf(bills: readonly PartBill[]): TaskTokens | undefined {
  const counts = bills.flatMap(({ tokens }) => tokens ?? [])
  const total = (kind: keyof TaskTokens) => counts.reduce((sum, tokens) => sum + (tokens[kind] ?? 0), 0)
  return counts.length === 0
    ? undefined
    : {
        input: total('input'),
        imageInput: total('imageInput'),
        output: total('output'),
        textOutput: total('textOutput'),
      }
}
