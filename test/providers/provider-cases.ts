import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { vendorCases } from './hosted-vendors.ts'
import { suiteCases } from './suite-cases.ts'
import type { VendorCase } from './vendor-case.ts'
import { nowhere, resetAfter, resetBefore, saying, silence, truncated } from './troubled-fetch.ts'
import { leaksIn, type VendorWorld, vendorWorld } from './vendor-world.ts'

const { signal } = new AbortController()

/** One job in trouble from its beginning to its end; whose key is shown nowhere. */
async function endOf(vendorCase: VendorCase, arrange: (world: VendorWorld) => void = () => {}) {
  const world = await vendorWorld(vendorCase)
  try {
    arrange(world)
    const [job] = await world.until([await world.createInTrouble()])
    deepEqual(leaksIn(JSON.stringify([job, world.lines]), world.vendor), [])
    return {
      end: job?.error?.code ?? job?.phase,
      outputs: job?.outputs ?? [],
      taken: world.vendor.taken(),
      submits: world.asked.filter(({ step }) => step === 'submit').length,
    }
  } finally {
    await world.close()
  }
}

function casesOf(vendorCase: VendorCase): Record<string, () => Promise<void>> {
  const { model, input, isDurable, finds } = vendorCase
  const task = { jobId: 'job', model, input, clientToken: '0123456789abcdef' }
  return {
    async 'runs a job to its end, and has its outputs'() {
      const { end, outputs, taken } = await endOf(vendorCase)
      deepEqual([end, outputs.length, taken], ['completed', 1, 1])
      const [{ url, fileKey } = {}] = outputs
      ok(fileKey ?? url?.startsWith('https://'))
    },

    async 'fails a job that is refused'() {
      const { end, taken } = await endOf(vendorCase, (world) =>
        world.trouble('submit', saying(422, vendorCase.error(`No, ${world.vendor.secrets[0]}.`))),
      )
      deepEqual([end, taken], ['provider_rejected', 0])
    },

    async 'submits again where nobody listens'() {
      const { end, taken, submits } = await endOf(vendorCase, (world) => world.trouble('submit', nowhere, 2))
      deepEqual([end, taken, submits], ['completed', 1, 3])
    },

    async 'pays once for a submit whose answer is lost'() {
      for (const trouble of [resetAfter, silence]) {
        const { end, taken, submits } = await endOf(vendorCase, (world) =>
          world.trouble('submit', trouble, 1),
        )
        deepEqual([end, taken, submits], [finds ? 'completed' : 'submit_ambiguous', 1, 1])
      }
    },

    ...(isDurable && {
      async 'asks again after polls that bring no news'() {
        const { end, taken } = await endOf(vendorCase, (world) => {
          for (const trouble of [saying(503, {}), resetBefore, truncated, silence])
            world.trouble('poll', trouble, 1)
        })
        deepEqual([end, taken], ['completed', 1])
      },

      async 'stops a task that nobody wants any more'() {
        const vendor = await vendorCase.start(60_000)
        try {
          const provider = vendor.connect(vendor.fetch)
          if (!provider.cancel) return
          const begun = await provider.submit(task, { signal })
          ok(begun.state === 'running')
          const running = { ...task, handle: begun.handle }
          await provider.cancel(running, { signal })
          equal((await provider.poll(running, { signal })).state, 'failed')
        } finally {
          await vendor.close()
        }
      },
    }),
  }
}

/** Callbacks of vendors that sign them. */
function callbackCasesOf(vendorCase: VendorCase): Record<string, () => Promise<void>> {
  return {
    async 'tells a genuine webhook from a forged and a stale one'() {
      const vendor = await vendorCase.start()
      try {
        const provider = vendor.connect(vendor.fetch)
        const { model, input } = vendorCase
        const task = { jobId: 'job', model, input, clientToken: 'token' }
        await provider.submit(task, { signal, callbackUrl: 'https://app.example/v1/callbacks/a/b/c' })
        const { headers, body } = vendor.webhook!.signed(Date.now())
        ok(await provider.readCallback!({ headers, body }))
        await rejects(provider.readCallback!({ headers, body: new TextEncoder().encode('{"id":"x"}') }))
        await rejects(provider.readCallback!(vendor.webhook!.signed(Date.now() - 302_000)))
      } finally {
        await vendor.close()
      }
    },
  }
}

/** Named promises, each of which rejects when it does not hold. The same on Node, Deno and Bun. */
export const providerCases: Record<string, () => Promise<void>> = {
  ...suiteCases,
  ...Object.fromEntries(
    Object.entries(vendorCases).flatMap(([name, vendorCase]) => {
      const isSigned = vendorCase.webhooks === 'signed'
      const cases = { ...casesOf(vendorCase), ...(isSigned && callbackCasesOf(vendorCase)) }
      return Object.entries(cases).map(([promise, run]) => [`${name} ${promise}`, run] as const)
    }),
  ),
}
