import { request } from 'node:http'
import { listen } from '../../loopback.ts'
import type { Step, VendorCase } from '../vendor-case.ts'

/** A proxy between a process and a vendor, so that the process can be killed while an answer is on its way. */
export interface HoldingProxy {
  readonly origin: string
  /** From now on the vendor executes the requests of such a step, but the proxy withholds the answers. */
  hold(step: Step): void
  /** From now on the proxy passes answers on again. */
  letGo(): void
  /** How many answers to such a step were held. */
  held(step: Step): number
  close(): Promise<void>
}

/** @param vendor the origin of the vendor's fake */
export async function holdingProxy(vendor: string, stepOf: VendorCase['stepOf']): Promise<HoldingProxy> {
  const steps: Step[] = []
  let held: Step | undefined

  const { origin, stop } = await listen((incoming, outgoing) => {
    const { method = '', url = '', headers } = incoming
    const step = stepOf(method, new URL(url, `https://${String(headers['x-asked-host'])}`))
    const forwarded = request(vendor + url, { method, headers }, (answer) => {
      if (step !== held) return void answer.pipe(outgoing.writeHead(answer.statusCode ?? 0, answer.headers))
      steps.push(step)
      answer.resume()
    })
    incoming.pipe(forwarded)
    // The fake is closed at the end of the test.
    forwarded.on('error', () => outgoing.destroy())
  })

  return {
    origin,
    hold: (step) => void (held = step),
    letGo: () => void (held = undefined),
    held: (step) => steps.filter((other) => other === step).length,
    close: stop,
  }
}
