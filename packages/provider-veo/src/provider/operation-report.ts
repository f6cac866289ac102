import { costOf, type JsonObject, type Price, type ProviderReport, type RunningTask } from '@genmount/core'
import { filmsIn, filmsReport, type GoogleClient, isPolicyRefusal } from '@genmount/google-http'
import { failed, madeFiles, numberIn, partWith, recordOf, vendorReason } from '@genmount/vendor-http'

/** INVALID_ARGUMENT of gRPC. */
const invalidArgument = 3

/**
 * Reports the state of an operation. If it has ended, its films are downloaded.
 * @throws Error when the answer says nothing about the operation, or a film cannot be downloaded at present
 */
export async function operationReport(
  answer: unknown,
  { handle, input, owner }: RunningTask,
  price: Price | undefined,
  client: GoogleClient,
  signal: AbortSignal,
): Promise<ProviderReport> {
  const operation = partWith('response', partWith('done', answer))
  const { done, error, response } = operation
  const films = filmsIn(response, 'response')
  if (done !== true && done !== 'true' && !films.some(({ output }) => output) && !hasValue(error))
    return { state: 'running', handle }
  if (hasValue(error)) return failure(error)

  const generated = partWith('generatedSamples', response)['generatedSamples']
  const count = Array.isArray(generated) ? generated.length : madeFiles(films)
  const costUsd = count === 0 ? undefined : costOf(price, { input, units: Number(input['duration']) * count })
  const made = partWith('raiMediaFilteredCount', response)
  if ((numberIn(made['raiMediaFilteredCount']) ?? 0) > 0 && films.length === 0)
    return failed('content_policy', vendorReason(made)?.message || 'Google has filtered the video.')
  const task = { vendor: 'Google', kind: 'video', answer: operation, costUsd } as const
  return filmsReport(films, client, { signal, owner }, { ...task, handle: handle as JsonObject })
}

/** An error that is empty is none. */
function hasValue(error: unknown): boolean {
  return typeof error === 'string' ? error !== '' : Object.keys(recordOf(error)).length > 0
}

/** Reads a google.rpc.Status. Its code is a gRPC code, not an HTTP status. */
function failure(error: unknown): ProviderReport {
  const message = vendorReason({ error })?.message || 'Google gave no reason.'
  if (isPolicyRefusal(message)) return failed('content_policy', message)
  const isInvalid = numberIn(recordOf(error)['code']) === invalidArgument
  return failed(isInvalid ? 'provider_rejected' : 'provider_failed', message)
}
