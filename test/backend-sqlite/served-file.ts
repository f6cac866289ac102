import { onTestFinished } from 'vitest'
import type { Launched } from '../processes/launch.ts'
import { scriptCommand, startServer } from '../processes/start-server.ts'

const aliceKey = 'the-key-of-alice-in-these-tests'

/** What a create was answered, and how long that took in milliseconds. */
export interface Answer {
  readonly status: number
  readonly code: string | undefined
  readonly retryAfter: string | undefined
  readonly took: number
}

export interface ServedFile extends Launched {
  create(): Promise<Answer>
}

/** A service in a process of its own, on a database that others may share. */
export async function serveFile(file: string): Promise<ServedFile> {
  const { process, origin } = await startServer(
    scriptCommand('node', new URL('processes/serve.ts', import.meta.url), file, aliceKey),
  )
  const headers = { authorization: `Bearer ${aliceKey}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ model: 'fake-image', prompt: 'a fox' })

  async function create(): Promise<Answer> {
    const startedAt = performance.now()
    const response = await fetch(`${origin}/v1/generate`, { method: 'POST', headers, body })
    const { error } = (await response.json()) as { error?: { code?: string } }
    const took = performance.now() - startedAt
    const retryAfter = response.headers.get('retry-after') ?? undefined
    return { status: response.status, code: error?.code, retryAfter, took }
  }
  return Object.assign(process, { create })
}

/** Sends creates at an even pace, and gathers their answers. @returns a function that ends that */
export function createSteadily(create: () => Promise<Answer>, everyMs: number): () => Promise<Answer[]> {
  const answers: Promise<Answer>[] = []
  const timer = setInterval(() => answers.push(create()), everyMs)
  onTestFinished(() => clearInterval(timer))
  return () => {
    clearInterval(timer)
    return Promise.all(answers)
  }
}
