import { createHmac, timingSafeEqual } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { CallbackRequest } from '@genmount/core'
import { serviceOrigin } from '../service/server-settings.ts'

/**
 * How often a callback is sent, with which pause between two tries, and how long a try may take, in
 * milliseconds of the service.
 */
const tries = 10
const pauseMs = 6000
const answerMs = 5000

/**
 * The addresses of the service at this moment, and how many seconds its clock runs in one second of the
 * system.
 */
export interface CalledService {
  addresses(): readonly string[]
  readonly speed: number
}

export type CallbackSender = ReturnType<typeof callbackSender>

/** Sends callbacks when tasks have finished. */
export function callbackSender(secret: string, service: CalledService) {
  /** The ids of the tasks about which a server has answered 2xx. */
  const taken = new Set<string>()
  /** How many callbacks are not answered with 2xx yet and have tries left. */
  let pending = 0
  let turn = 0
  const stopping = new AbortController()

  async function isTakenBy(address: string, path: string, taskId: string): Promise<boolean> {
    try {
      const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(answerMs / service.speed)])
      const body = JSON.stringify({ id: taskId })
      const headers = { [signatureHeader]: signatureOf(secret, body).toString('hex') }
      const reply = await fetch(address + path, { method: 'POST', headers, body, signal })
      await reply.bytes()
      return reply.ok
    } catch {
      return false
    }
  }

  async function call(taskId: string, url: string): Promise<void> {
    for (let attempt = 1; attempt <= tries && !stopping.signal.aborted; attempt++) {
      const addresses = service.addresses()
      const address = addresses[turn++ % addresses.length]
      if (address && (await isTakenBy(address, url.replace(serviceOrigin, ''), taskId)))
        return void taken.add(taskId)
      await delay(pauseMs / service.speed)
    }
  }

  return {
    /** Sends the callback about the task to one server after the other, until one has answered 2xx. */
    send(taskId: string, url: string) {
      pending++
      void call(taskId, url).finally(() => pending--)
    },
    taken,
    get pending() {
      return pending
    },
    stop: () => stopping.abort(),
  }
}

const signatureHeader = 'x-vendor-signature'

/** Checks the signature of a callback. @returns the id of its task @throws Error when the vendor has not signed it */
export function readSignedCallback(secret: string, { headers, body }: CallbackRequest): string {
  const signature = Buffer.from(headers[signatureHeader] ?? '', 'hex')
  const expected = signatureOf(secret, body)
  if (signature.length !== expected.length || !timingSafeEqual(signature, expected))
    throw new Error('The callback is forged.')
  return (JSON.parse(new TextDecoder().decode(body)) as { readonly id: string }).id
}

function signatureOf(secret: string, body: string | Uint8Array): Buffer {
  return createHmac('sha256', secret).update(body).digest()
}
