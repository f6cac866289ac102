import { checkChoice, checkCount } from '../errors/check-option.ts'
import { type CopyContext, type OutputCopier, outputCopier } from '../outputs/output-copier.ts'
import type { GenerationServiceOptions } from './generation-service.ts'

/**
 * Makes the copier that the options `keepOutputs` and `maxOutputBytes` ask for.
 * @returns `undefined` when outputs stay at the provider
 * @throws TypeError when one of the options is wrong, or `keepOutputs` is `mirror` and the file store has no `fetch`
 */
export function chosenCopier(
  { keepOutputs, maxOutputBytes = 2 ** 31 }: GenerationServiceOptions,
  context: Omit<CopyContext, 'fetch' | 'maxOutputBytes'>,
): OutputCopier | undefined {
  const { fetch } = context.files
  checkCount('maxOutputBytes', maxOutputBytes)
  if (keepOutputs !== undefined) checkChoice('keepOutputs', keepOutputs, ['mirror', 'redirect'])
  if (keepOutputs === 'mirror' && !fetch)
    throw new TypeError(
      "keepOutputs is 'mirror', but files has no fetch: use a store that has one, or add it, for example { ...files, fetch: guardedFetch }.",
    )
  return fetch && keepOutputs !== 'redirect' ? outputCopier({ ...context, fetch, maxOutputBytes }) : undefined
}
