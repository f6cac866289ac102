import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { jobsInFile } from '../deaths/audit/stored-jobs.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { until } from '../until.ts'
import { servedHosted } from './hosted-server.ts'
import { signalled } from './standalone-server.ts'

export interface Stop {
  readonly example: 'standalone-node' | 'hosted-providers'
  /** How long OpenAI takes for a picture, in milliseconds. */
  readonly pictureMs: number
  readonly env?: Readonly<Record<string, string>>
}

const count = 8

function phasesIn(file: string, ids: readonly string[]) {
  const phases = new Map(jobsInFile(file).map(({ id, phase }) => [id, phase]))
  return ids.map((id) => phases.get(id))
}

/** Starts an example that makes eight pictures with OpenAI, which takes long. Resolves when all of them are paid for. */
export async function makingPictures({ example, pictureMs, env = {} }: Stop, onFinished = onTestFinished) {
  const folder = temporaryFolder(onFinished)
  const file = join(folder, 'jobs.db')
  const all = {
    FAKE_KEYS: 'OPENAI_API_KEY',
    OPENAI_TAKES_MS: `${pictureMs}`,
    DATA_DIR: folder,
    JOBS_FILE: file,
    ...env,
  }
  const hosted = await servedHosted(example, all, onFinished)
  const { server, baseUrl, headers } = hosted
  const create = async (prompt: string) => {
    const body = JSON.stringify({ model: 'gpt-image-2.6-flare', prompt })
    return fetch(`${baseUrl}/v1/generate`, { method: 'POST', headers, body })
  }
  /** On a busy machine the store may not answer in time, and then there is no job. */
  const picture = async (prompt: string): Promise<string> => {
    const reply = await create(prompt)
    const { id } = await reply.json()
    return reply.status === 202 ? id : picture(prompt)
  }
  const ids = await Promise.all(Array.from({ length: count }, (_, index) => picture(`lighthouse ${index}`)))
  const charges = () => server.output.match(/OpenAI has charged/g)?.length ?? 0
  await until(() => charges() === count)
  return { ...hosted, create, charges, phases: () => phasesIn(file, ids) }
}

/** Expects that a signal lets OpenAI finish all pictures, and that each of them is delivered. */
export async function expectNoPictureLost(stop: Stop, onFinished = onTestFinished): Promise<void> {
  const { server, create, charges, phases } = await makingPictures(stop, onFinished)
  const ended = signalled(server, 'SIGTERM')
  await until(async () => (await create('too late')).status === 503)
  const { exit, tookMs } = await ended
  expect(phases()).toEqual(Array(count).fill('completed'))
  expect(exit).toBe(0)
  expect(charges()).toBe(count)
  // Without the pictures, the server would wait for as long as OpenAI may take: minutes.
  expect(tookMs).toBeLessThan(stop.pictureMs + 30_000)
  expect(server.output).toMatch(/waits for the answers to 8 submits, .*, for at most \d+ s more/)
}
