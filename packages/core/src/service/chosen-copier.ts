import { checkChoice, checkCount } from '../errors/check-option.ts'
import { type CopyContext, type OutputCopier, outputCopier } from '../outputs/output-copier.ts'
import type { GenerationServiceOptions } from './generation-service.ts'

/**
 * Reads `keepOutputs`.
 * @returns `undefined` when outputs stay where the provider has them
 * @throws TypeError when it is neither of its values, or asks for copies of a file store that can't fetch
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
