import type { Output, ProviderReport, RunningReport, TaskTokens } from '../contracts/provider-report.ts'
import { type ProviderFailure, providerFailures } from '../errors/error-codes.ts'
import { isAmount } from '../pricing/price.ts'
import { mediaTypeOf } from '../text/media-type.ts'
import { jsonCopy } from '../text/json-values.ts'
import { longestLocation, outputUrlFault, redirectTarget } from '../addresses/output-url.ts'
import { newsIn } from '../sharing/news-in.ts'
import { shortText } from '../text/short-text.ts'

/** The most outputs that can't be delivered of which the log says why. A line of the log has room for some ten of them. */
export const maxNamed = 100
/** How much of a prompt that a vendor has rewritten is kept, in characters. */
const maxPrompt = 4000

/**
 * Checks a provider's report. A report may be invalid, because third parties write providers, some in plain JavaScript,
 * and because the servers of vendors change.
 * @returns a new report, for which each part of the given one was read once; or an error message
 */
export function checkReport(report: unknown): ProviderReport | string {
  try {
    return typeof report === 'object' && report !== null
      ? readReport(report as Readonly<Record<string, unknown>>)
      : 'the report is not an object'
  } catch {
    return 'the report cannot be read'
  }
}

function readReport(word: Readonly<Record<string, unknown>>): ProviderReport | string {
  const { state } = word
  switch (state) {
    case 'running': {
      const handle = jsonCopy(word['handle'])
      if (handle === undefined) return 'a running report has no handle'
      const assumed = word['isAssumed'] === true ? { isAssumed: true } : {}
      const { outputs, furtherSubmit } = word as Partial<RunningReport>
      return {
        state,
        handle,
        ...assumed,
        pollAfterMs: rounded(word['pollAfterMs']),
        ...newsIn(word),
        ...(Array.isArray(outputs) && { outputs: Array.from(outputs, readOutput) }),
        costUsd: amount(word['costUsd']),
        furtherSubmit,
      }
    }
    case 'succeeded': {
      const { outputs, omitted } = word
      if (!Array.isArray(outputs)) return 'a succeeded report has no outputs'
      return {
        state,
        outputs: Array.from(outputs, readOutput),
        ...(Array.isArray(omitted) && { omitted: omitted.slice(0, maxNamed).map(shortText) }),
        costUsd: amount(word['costUsd']),
        inferenceMs: rounded(word['inferenceMs']),
        ...tokensIn(word['tokens']),
      }
    }
    case 'failed': {
      const { code, message } = word
      if (typeof message !== 'string') return 'a failed report has no message'
      return {
        state,
        code: isFailure(code) ? code : 'provider_failed',
        message: shortText(message),
        costUsd: amount(word['costUsd']),
        ...(word['isAccountAtFault'] === true && { isAccountAtFault: true }),
        ...(word['cause'] !== undefined && { cause: word['cause'] }),
        status: statusIn(word['status']),
      }
    }
    case 'refused':
      return {
        state,
        message: shortText(word['message']),
        retryAfterMs: rounded(word['retryAfterMs']),
        status: statusIn(word['status']),
      }
    case 'unknown':
      return { state, message: shortText(word['message']), costUsd: amount(word['costUsd']) }
    default:
      return `the report has the unknown state ${shortText(state)}`
  }
}

/**
 * Checks an output.
 * @param isCopied whether the service copies outputs from their URLs. If not, it sends clients there, and the URL must
 *   fit into a `Location` header
 * @returns what is wrong with the output, as in `is empty`; `undefined` when it is accepted
 */
export function checkOutput(output: Output, isCopied: boolean): string | undefined {
  if ('bytes' in output) {
    if (output.bytes.byteLength === 0) return 'is empty'
    return mediaTypeOf(output.bytes) === undefined ? 'is no picture and no film' : undefined
  }
  const fault = outputUrlFault(output.url)
  if (fault !== undefined || isCopied || redirectTarget(output.url) !== undefined) return fault
  return `has a URL of more than ${longestLocation} bytes`
}

/** Reads one output. If it has both bytes and a URL, the bytes count. One that can't be read has an empty URL. */
function readOutput(output: unknown): Output {
  try {
    const { bytes, url, contentType, revisedPrompt } = (output ?? {}) as Readonly<Record<string, unknown>>
    const texts = {
      ...(typeof contentType === 'string' && { contentType: contentType.toWellFormed() }),
      ...(typeof revisedPrompt === 'string' && {
        revisedPrompt: revisedPrompt.slice(0, maxPrompt).toWellFormed(),
      }),
    }
    return bytes instanceof Uint8Array
      ? { bytes, ...texts }
      : { url: String(url ?? '').toWellFormed(), ...texts }
  } catch {
    return { url: '' }
  }
}

function isFailure(code: unknown): code is ProviderFailure {
  return (providerFailures as readonly unknown[]).includes(code)
}

function statusIn(value: unknown): number | undefined {
  return Number.isInteger(value) ? (value as number) : undefined
}

function amount(value: unknown): number | undefined {
  return isAmount(value) ? value : undefined
}

function rounded(value: unknown): number | undefined {
  const exact = amount(value)
  return exact === undefined ? undefined : Math.round(exact)
}

/** Tokens count only if both sums are there. Gateways write 0 for tokens that nobody has counted. */
function tokensIn(value: unknown): { readonly tokens?: TaskTokens } {
  const word = (value ?? {}) as Readonly<Record<string, unknown>>
  const [input, output] = [rounded(word['input']), rounded(word['output'])]
  if (input === undefined || output === undefined || input + output === 0) return {}
  const [imageInput = 0, textOutput = 0] = [rounded(word['imageInput']), rounded(word['textOutput'])]
  return { tokens: { input, imageInput, output, textOutput } }
}
