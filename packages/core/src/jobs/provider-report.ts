import type { Output, ProviderReport } from '../contracts/provider.ts'

/**
 * Takes a provider at its word only as far as the word makes sense: providers are written by others, in plain
 * JavaScript too, and speak for servers that change.
 * @returns the report, or what is wrong with it
 */
export function checkReport(report: unknown): ProviderReport | string {
  if (typeof report !== 'object' || report === null) return 'the report is not an object'
  const word = report as ProviderReport
  switch (word.state) {
    case 'running':
      return word.handle === undefined ? 'a running report has no handle' : word
    case 'succeeded':
      return Array.isArray(word.outputs) ? withSaneNumbers(word) : 'a succeeded report has no outputs'
    case 'failed':
      return typeof word.message === 'string' ? withSaneNumbers(word) : 'a failed report has no message'
    case 'refused':
      return word
    default:
      return `the report has the unknown state ${JSON.stringify((word as { state?: unknown }).state)}`
  }
}

/** What is wrong with an output that leads nowhere or somewhere it should not, or `undefined`. */
export function checkOutput(output: Output): string | undefined {
  if (typeof output !== 'object' || output === null) return 'an output is neither bytes nor a URL'
  if ('bytes' in output && output.bytes instanceof Uint8Array) {
    return output.bytes.byteLength > 0 ? undefined : 'an output is empty'
  }
  const url = 'url' in output ? URL.parse(output.url) : null
  if (!url) return 'an output is neither bytes nor a URL'
  if (url.protocol !== 'https:') return `an output is at a ${url.protocol} URL and not at an https: one`
  return url.username || url.password ? 'an output URL contains credentials' : undefined
}

function withSaneNumbers<Report extends { costUsd?: number; inferenceMs?: number }>(report: Report): Report {
  const { costUsd, inferenceMs, ...rest } = report
  return {
    ...rest,
    ...(isAmount(costUsd) && { costUsd }),
    ...(isAmount(inferenceMs) && { inferenceMs: Math.round(inferenceMs) }),
  } as Report
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}
