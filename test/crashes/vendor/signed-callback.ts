import { createHmac, timingSafeEqual } from 'node:crypto'
import type { CallbackRequest } from '@genmount/core'
import type { TaskCallback } from './vendor-wire.ts'

const signatureHeader = 'x-vendor-signature'

/** Makes the callback about a task, signed with the secret that vendor and customer share. */
export function signedCallback(
  secret: string,
  callback: TaskCallback,
): { headers: Record<string, string>; body: string } {
  const body = JSON.stringify(callback)
  return { headers: { [signatureHeader]: signatureOf(secret, body).toString('hex') }, body }
}

/** Checks the signature and reads the callback. @throws Error when the vendor has not signed it */
export function readSignedCallback(secret: string, { headers, body }: CallbackRequest): TaskCallback {
  const given = Buffer.from(headers[signatureHeader] ?? '', 'hex')
  const expected = signatureOf(secret, body)
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw new Error('The callback is forged.')
  return JSON.parse(new TextDecoder().decode(body)) as TaskCallback
}

function signatureOf(secret: string, body: string | Uint8Array): Buffer {
  return createHmac('sha256', secret).update(body).digest()
}
