import { type CopyContext, type OutputCopier, outputCopier } from '../outputs/output-copier.ts'
import type { checkServiceOptions } from './service-options.ts'

/**
 * Makes the copier that the options `keepOutputs` and `maxOutputBytes` ask for.
 * @returns `undefined` when outputs stay at the provider
 * @throws TypeError when `keepOutputs` is `mirror` and the file store has no `fetch`
 */
export function chosenCopier(
  { keepOutputs, maxOutputBytes }: ReturnType<typeof checkServiceOptions>,
  context: Omit<CopyContext, 'fetch' | 'maxOutputBytes'>,
): OutputCopier | undefined {
  const { fetch } = context.files
  if (keepOutputs === 'mirror' && !fetch)
    throw new TypeError(
      "createGenerationService: keepOutputs is 'mirror', but files has no fetch: use a store that has one, or add it, for example { ...files, fetch: guardedFetch }.",
    )
  return fetch && keepOutputs !== 'redirect' ? outputCopier({ ...context, fetch, maxOutputBytes }) : undefined
}
