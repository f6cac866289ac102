import { Agent, request } from 'node:http'
import { onTestFinished } from 'vitest'
import { type StartedProcess, startProcess } from './started-process.ts'

const aliceKey = 'the-key-of-alice-in-these-tests'

/** What a create was answered, and how long that took in milliseconds. */
export interface Answer {
  readonly status: number | undefined
  readonly code: string | undefined
  readonly retryAfter: string | undefined
  readonly took: number
}

export interface ServedFile extends StartedProcess {
  create(): Promise<Answer>
}

/** A service in a process of its own, on a database that others may share. */
export async function serveFile(file: string): Promise<ServedFile> {
  const started = startProcess('serve.ts', [file, aliceKey])
  const url = `${await started.line()}/v1/generate`
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  const headers = { authorization: `Bearer ${aliceKey}`, 'content-type': 'application/json' }

  function create(): Promise<Answer> {
    const startedAt = performance.now()
    return new Promise((resolve, reject) => {
      const sent = request(url, { method: 'POST', agent, headers }, async (response) => {
        const chunks: Buffer[] = []
        for await (const chunk of response) chunks.push(chunk)
        const { error } = JSON.parse(Buffer.concat(chunks).toString()) as { error?: { code?: string } }
        const took = performance.now() - startedAt
        const retryAfter = response.headers['retry-after']
        resolve({ status: response.statusCode, code: error?.code, retryAfter, took })
      })
      sent.on('error', reject)
      sent.end(JSON.stringify({ model: 'fake-image', prompt: 'a fox' }))
    })
  }
  return { ...started, create }
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
