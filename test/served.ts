import type { RequestListener } from 'node:http'
import { onTestFinished } from 'vitest'
import { listen } from './loopback.ts'

/** @returns the origin of a server on the loopback interface that stops when the test has ended */
export async function served(listener: RequestListener): Promise<string> {
  const { origin, stop } = await listen(listener)
  onTestFinished(stop)
  return origin
}
