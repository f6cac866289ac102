import { inspect } from 'node:util'
import { serviceWorld, type ServiceWorldOptions } from './service-world.ts'
import type { HostedVendor, Step, VendorCase } from './vendor-case.ts'
import type { Trouble } from './vendor-server.ts'

interface VendorWorldOptions extends Pick<ServiceWorldOptions, 'backend' | 'plugins'> {
  /** How long the model usually takes, if the vendor's case depends on it. */
  readonly typicalMs?: number
}

/** The prompt of jobs whose requests meet with trouble. */
const inTrouble = 'a fox in trouble'

/** The header by which the fake knows their requests. */
const mark = 'x-in-trouble'

/** A service in front of a vendor. Some jobs meet trouble on their way to the vendor, and the other jobs do not. */
export async function vendorWorld(
  vendorCase: VendorCase,
  { typicalMs, ...options }: VendorWorldOptions = {},
) {
  const { model, input, start, stepOf } = vendorCase
  const vendor = await start(typicalMs)
  const lines: string[] = []
  const note = (...words: unknown[]) =>
    void lines.push(words.map((word) => inspect(word, { depth: 20 })).join())
  const asked: { readonly step: Step; readonly at: number }[] = []
  const failures: { readonly step: Step; readonly failure: Error | URL; times: number }[] = []

  const fetchInWorld: typeof fetch = async (input, init = {}) => {
    if (world.task()?.input['prompt'] !== inTrouble) return vendor.fetch(input, init)
    const step = stepOf(init.method ?? 'GET', new URL(input instanceof Request ? input.url : input))
    asked.push({ step, at: world.clock.now() })
    const met = failures.find((entry) => entry.step === step && entry.times > 0)
    if (met) met.times--
    if (met?.failure instanceof Error) throw met.failure
    if (met) return fetch(met.failure, init)
    const headers = new Headers(init.headers)
    headers.set(mark, 'yes')
    return vendor.fetch(input, { ...init, headers })
  }
  const world = serviceWorld(() => [vendor.connect(fetchInWorld)], {
    ...options,
    keepOutputs: 'redirect',
    log: { warn: note, error: note },
    vendor,
  })
  const create = (prompt: string) => world.create(model, { ...input, prompt })

  return {
    ...world,
    get clock() {
      return world.clock
    },
    get service() {
      return world.service
    },
    vendor,
    lines,
    asked,
    /** What goes wrong with the next `times` requests of jobs in trouble: an error is thrown, a URL has no server. */
    trouble(step: Step, trouble: Trouble | Error | URL, times = Infinity): void {
      if (trouble instanceof Error || trouble instanceof URL)
        return void failures.push({ step, failure: trouble, times })
      vendor.trouble(({ method, url, headers }) => mark in headers && stepOf(method, url) === step, {
        ...trouble,
        times,
      })
    },
    /** Removes the troubles that no request has met yet. */
    calm(): void {
      failures.splice(0)
      vendor.calm()
    },
    release: vendor.release,
    create: () => create('a fox'),
    createInTrouble: () => create(inTrouble),

    async close(): Promise<void> {
      vendor.release()
      await world.close()
    },
  }
}

export type VendorWorld = Awaited<ReturnType<typeof vendorWorld>>

/** The secrets of the vendor that a text contains, as they are or URL-encoded. */
export function leaksIn(text: string, { secrets }: HostedVendor): string[] {
  return secrets.filter((secret) => text.includes(secret) || text.includes(encodeURIComponent(secret)))
}
