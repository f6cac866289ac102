import type { Provider, ProviderReport } from '@genmount/core'
import { type Answer, filled, media } from './answer-file.ts'
import type { Bend } from './bends.ts'
import { vendorFetch } from './vendor-fetch.ts'
import { vendors } from './vendors.ts'

const { signal } = new AbortController()

/** What becomes of a task after an answer. `lost`: the call said nothing, in these words. */
export type Outcome = { readonly report: ProviderReport } | { readonly lost: Error }

/** Makes what runs a provider against bent answers, without a service. */
export function answerRunner(): (answer: Answer, bend: Bend) => Promise<Outcome> {
  const providers = new Map<
    string,
    { provider: Provider; given: { body: string; step: string | undefined } }
  >()

  function providerOf(name: string) {
    const found = providers.get(name)
    if (found) return found
    const vendor = vendors[name]!
    const given = { body: '', step: undefined as string | undefined }
    const fetch = vendorFetch(vendor, () => ({
      step: given.step,
      status: 200,
      headers: {},
      body: () => given.body,
    }))
    const made = { provider: vendor.provider(fetch), given }
    providers.set(name, made)
    return made
  }

  return async ({ vendor: name, answer }, { json, text }) => {
    const { provider, given } = providerOf(name)
    const { kinds, input, wrap } = vendors[name]!
    const clientToken = '01a2040b-4e52-40c1-a3cf-176bf5490687'
    const asked = { method: 'GET', url: new URL(`http://vendor.test/${clientToken}`) }
    given.step = answer.step
    given.body = text ?? filled(JSON.stringify(wrap && answer.step === undefined ? wrap(json, asked) : json))
    const task = {
      jobId: 'job',
      model: `${name}-${answer.model ?? kinds[0]}`,
      input: { ...input, prompt: 'a fox' },
      clientToken,
    }
    try {
      const begun = await provider.submit(task, { signal })
      return {
        report:
          begun.state === 'running'
            ? await provider.poll({ ...task, handle: begun.handle }, { signal })
            : begun,
      }
    } catch (error) {
      return { lost: error as Error }
    }
  }
}

/** The outputs of a report, as `expect` names them. */
export function outputsIn(report: ProviderReport): readonly string[] {
  if (report.state !== 'succeeded') return []
  return report.outputs.map((output) => {
    if ('url' in output) return output.url
    const isFilm = Buffer.compare(output.bytes, media.mp4) === 0
    return isFilm ? '<mp4>' : Buffer.compare(output.bytes, media.png) === 0 ? '<png>' : 'other bytes'
  })
}
