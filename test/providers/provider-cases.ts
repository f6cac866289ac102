import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import type { Provider, ProviderTask } from '@genmount/core'
import { manualClock, providerSuite, type ProviderSuiteChoices } from '@genmount/testing'
import { vendorCases } from './hosted-vendors.ts'
import { inWords, nowhere, resetAfter, resetBefore, saying, silence, truncated } from './troubles.ts'
import type { VendorCase, VendorWebhook } from './vendor-case.ts'
import { leaksIn, type VendorWorld, vendorWorld } from './vendor-world.ts'
import { withoutWaiting } from './without-waiting.ts'

type Cases = Readonly<Record<string, () => Promise<void>>>

const { signal } = new AbortController()

/** One job in trouble from its beginning to its end; whose key is shown nowhere. */
async function endOf(vendorCase: VendorCase, arrange: (world: VendorWorld) => void = () => {}) {
  const world = await vendorWorld(vendorCase)
  try {
    arrange(world)
    const job = await world.finished(await world.createInTrouble())
    deepEqual(leaksIn(JSON.stringify([job, world.lines]), world.vendor), [])
    const submits = world.asked.filter(({ step }) => step === 'submit').map(({ at }) => at)
    const { outputs, error, phase } = job
    return { outputs, submits, ends: [error?.code ?? phase, world.vendor.taken(), submits.length] }
  } finally {
    await world.close()
  }
}

/** Runs a case at the vendor's fake, without a service. */
async function atVendor(
  { start, model, input }: VendorCase,
  run: (provider: Provider, task: ProviderTask, webhook: VendorWebhook | undefined) => Promise<void>,
) {
  const vendor = await start(60_000)
  const task = { jobId: 'job', model, input, clientToken: '0123456789abcdef' }
  await run(vendor.connect(vendor.fetch), task, vendor.webhook).finally(vendor.close)
}

function casesOf(vendorCase: VendorCase): Cases {
  const { isDurable, finds, dedupes, knowsNonsense, error, ended, strange } = vendorCase
  return {
    async 'completes a job and has its output'() {
      const { ends, outputs } = await endOf(vendorCase)
      deepEqual([ends, outputs.length], [['completed', 1, 1], 1])
      const [{ url, fileKey } = {}] = outputs
      ok(fileKey ?? url?.startsWith('https://'))
    },

    async 'fails a job that the vendor refuses, and its key is in neither job nor log'() {
      const { ends } = await endOf(vendorCase, (world) =>
        world.trouble('submit', saying(422, error(`No, ${world.vendor.secrets[0]}.`))),
      )
      deepEqual(ends, ['provider_rejected', 0, 1])
    },

    async 'submits again when the vendor has asked for a pause'() {
      const { ends, submits } = await endOf(vendorCase, (world) =>
        world.trouble('submit', saying(429, error('Slow down.'), { 'retry-after': '7' }), 1),
      )
      deepEqual(ends, ['completed', 1, 2])
      ok(submits[1]! - submits[0]! >= 7000)
    },

    async 'submits again when the vendor cannot be reached'() {
      const { ends } = await endOf(vendorCase, (world) => world.trouble('submit', nowhere, 2))
      deepEqual(ends, ['completed', 1, 3])
    },

    async 'pays once for a submit whose answer is lost'() {
      for (const trouble of [resetAfter, silence]) {
        const { ends } = await endOf(vendorCase, (world) => world.trouble('submit', trouble, 1))
        deepEqual(ends, [finds || dedupes ? 'completed' : 'submit_ambiguous', 1, dedupes ? 2 : 1])
      }
    },

    async 'fails a job whose output is no link'() {
      const words = ended('javascript:alert(1)')
      const { ends } = await endOf(vendorCase, (world) => world.trouble(words.step, inWords(words)))
      equal(ends[0], isDurable || knowsNonsense ? 'output_invalid' : 'submit_ambiguous')
    },

    ...(isDurable && {
      async 'polls again after answers that say nothing of the task'() {
        const { ends } = await endOf(vendorCase, (world) => {
          for (const trouble of [saying(503, {}), resetBefore, truncated, silence])
            world.trouble('poll', trouble, 1)
          world.trouble(strange!.step, inWords(strange!), 1)
        })
        deepEqual(ends, ['completed', 1, 1])
      },

      async 'polls a task to its end although its model is on offer no more, unless it needs the model'() {
        const { start, model, input, needsModel } = vendorCase
        const vendor = await start()
        const provider = vendor.connect(vendor.fetch)
        const task = { jobId: 'job', model, input, clientToken: '0123456789abcdef' }
        let report = await provider.submit(task, { signal })
        for (let polls = 0; polls < 20 && report.state === 'running'; polls++)
          report = await provider.poll({ ...task, model: 'retired', handle: report.handle }, { signal })
        await vendor.close()
        equal(report.state, needsModel ? 'refused' : 'succeeded')
      },

      'cancels a task at the vendor': () =>
        atVendor(vendorCase, async (provider, task) => {
          if (!provider.cancel) return
          const begun = await provider.submit(task, { signal })
          ok(begun.state === 'running')
          const running = { ...task, handle: begun.handle }
          await provider.cancel(running, { signal })
          equal((await provider.poll(running, { signal })).state, 'failed')
        }),
    }),

    ...(vendorCase.webhooks === 'signed' && {
      'accepts a genuine webhook and refuses a forged and a stale one': () =>
        atVendor(vendorCase, async (provider, task, webhook) => {
          await provider.submit(task, { signal, callbackUrl: 'https://app.example/v1/callbacks/a/b/c' })
          const { headers, body } = webhook!.signed(Date.now())
          ok(await provider.readCallback!({ headers, body }))
          await rejects(provider.readCallback!({ headers, body: new TextEncoder().encode('{"id":"x"}') }))
          await rejects(provider.readCallback!(webhook!.signed(Date.now() - 302_000)))
        }),
    }),
  }
}

/** The suite of providers, faults included. */
const suiteOf = (
  { start, provider, model, input }: VendorCase,
  lacks: ProviderSuiteChoices['lacks'] & {},
): Cases =>
  providerSuite(
    async () => {
      const { origin: vendor, fetch, secrets, close } = await start()
      return {
        provider: (at) => provider({ origin: at, fetch }),
        vendor,
        secrets,
        fetch,
        ...withoutWaiting(),
        // Some fakes date their tasks.
        clock: manualClock(Date.now()),
        close,
      }
    },
    [{ model, input }],
    { lacks },
  )

/** Named promises, each of which rejects when it does not hold. The same on Node, Deno and Bun. */
export const providerCases: Cases = Object.fromEntries([
  // One that answers at once, and one with tasks.
  ...Object.entries({
    openai: ['cancel', 'dedupesSubmits', 'find', 'list', 'readCallback'],
    replicate: ['dedupesSubmits'],
  } as const).flatMap(([provider, lacks]) =>
    Object.entries(suiteOf(vendorCases[provider]!, lacks)).map(([name, run]) => [
      `${provider} in its suite: ${name}`,
      run,
    ]),
  ),
  ...Object.entries(vendorCases).flatMap(([name, vendorCase]) =>
    Object.entries(casesOf(vendorCase)).map(([promise, run]) => [`the provider ${name} ${promise}`, run]),
  ),
])
