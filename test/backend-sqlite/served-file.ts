import { onTestFinished } from 'vitest'
import type { Campaign } from '../deaths/campaign/campaign.ts'
import { send } from '../deaths/campaign/client.ts'
import { quickWish } from '../deaths/vendor/task-wish.ts'

export type Answer = Awaited<ReturnType<typeof create>>

/** Sends a create. @returns the answer, and how long it took in milliseconds */
export async function create(campaign: Campaign, address: string) {
  const startedAt = performance.now()
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ ...quickWish, model: 'plain', prompt: 'a fox' })
  const reply = await send(campaign, address, '/v1/generate', { method: 'POST', headers, body })
  const { error } = JSON.parse(reply.text) as { readonly error?: { readonly code: string } }
  const retryAfter = reply.headers.get('retry-after') ?? undefined
  return { status: reply.status, code: error?.code, retryAfter, took: performance.now() - startedAt }
}

/** Sends creates at an even pace, and gathers their answers. @returns a function that ends that */
export function createSteadily(campaign: Campaign, address: string, everyMs: number) {
  const answers: Promise<Answer>[] = []
  const timer = setInterval(() => answers.push(create(campaign, address)), everyMs)
  onTestFinished(() => clearInterval(timer))
  return () => {
    clearInterval(timer)
    return Promise.all(answers)
  }
}
