import { serviceOrigin } from '../service/server-settings.ts'
import { setTimeout as delay } from 'node:timers/promises'
import type { CalledService } from './callback-sender.ts'
import { pngSignature } from './vendor-file.ts'

/**
 * For how long a link is tried, and the pause between two tries, in milliseconds of the system. On a busy machine, all
 * servers may be dead or about to start for minutes.
 */
const patienceMs = 300_000
const pauseMs = 100
const answerMs = 5000

/** The picture that the client of this prompt uploads. A client who tries again has another prompt and the same picture. */
export function uploadedPicture(prompt: string): Buffer<ArrayBuffer> {
  return Buffer.concat([pngSignature, Buffer.from(prompt.split(',')[0] ?? '')])
}

/**
 * Reads the picture in the input of a task at one server after the other, as a vendor does.
 * @returns `'whole'`, or what the last server answered
 */
export async function readPicture(
  link: string,
  picture: Uint8Array,
  service: CalledService,
): Promise<string> {
  let last = 'no server'
  const until = Date.now() + patienceMs
  for (let attempt = 0; Date.now() < until; attempt++) {
    const addresses = service.addresses()
    const address = addresses[attempt % addresses.length]
    if (address) last = await readAt(link.replace(serviceOrigin, address), picture).catch(String)
    // A server that answers 404 knows the job, so the others know it, too.
    if (last === 'whole' || last === 'status 404') return last
    await delay(pauseMs, undefined, { ref: false })
  }
  return last
}

async function readAt(link: string, picture: Uint8Array): Promise<string> {
  const response = await fetch(link, { signal: AbortSignal.timeout(answerMs) })
  const bytes = Buffer.from(await response.arrayBuffer())
  if (response.status !== 200) return `status ${response.status}`
  return bytes.equals(picture) ? 'whole' : `${bytes.byteLength} bytes that are not the picture`
}
