import { createHmac, timingSafeEqual } from 'node:crypto'
import type { CallbackRequest, Clock, Json } from '@genmount/core'

const signatureHeader = 'x-fake-signature'
const maxAgeMs = 5 * 60_000

interface FakeCallback {
  readonly handle: Json
  readonly at: number
}

/** Makes the callback that a vendor with this secret sends about a task. */
export function signCallback(secret: string, callback: FakeCallback): CallbackRequest {
  const body = new TextEncoder().encode(JSON.stringify(callback))
  return { headers: { [signatureHeader]: signatureOf(secret, body).toString('hex') }, body }
}

/**
 * Checks a callback and returns the handle of its task.
 * @throws Error when the callback is forged, or when its time is more than five minutes away from the time of the clock
 */
export function readSignedCallback(secret: string, request: CallbackRequest, clock: Clock): Json {
  const signature = Buffer.from(request.headers[signatureHeader] ?? '', 'hex')
  const expected = signatureOf(secret, request.body)
  if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) {
    throw new Error('The callback is forged.')
  }
  const callback = JSON.parse(new TextDecoder().decode(request.body)) as FakeCallback
  if (Math.abs(clock.now() - callback.at) > maxAgeMs) throw new Error('The callback is stale.')
  return callback.handle
}

function signatureOf(secret: string, body: Uint8Array): Buffer {
  return createHmac('sha256', secret).update(body).digest()
}
