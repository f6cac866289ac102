import { expect } from 'vitest'
import { start } from '../examples/started-server.ts'

export const headers = { authorization: 'Bearer key-of-alice', 'content-type': 'application/json' }
/** What every project is started with. */
export const env = {
  PORT: '0',
  ALICE_KEY: 'key-of-alice',
  NODE_ENV: 'production',
  NEXT_TELEMETRY_DISABLED: '1',
}
const image = { model: 'procedural-image', prompt: 'a lighthouse at dawn', resolution: '480p' }
/** Takes some 40 s of a core. */
export const filmInput = { prompt: 'the sea at night', resolution: '1080p', duration: 10 }
const film = { model: 'procedural-video', ...filmInput }

/** How a server of a project is started, and where it has mounted the interface. */
export interface ProjectServer {
  readonly command: readonly [program: string, ...args: string[]]
  readonly mount: string
  /** `null` for a host that ends itself by the signal. @default 0 */
  readonly exitCode?: number | null
}

/**
 * Starts a server, has it make an image, and sends it SIGTERM while a request waits for a film.
 * @returns how many milliseconds after the signal the server had ended
 */
export async function liveThrough(
  { command, mount, exitCode = 0 }: ProjectServer,
  cwd: string,
): Promise<number> {
  const server = start(command, env, cwd)
  const [, digits, port = digits] = await server.heard(/port: (\d+)|http:\/\/[^\s/]+:(\d+)/)
  const base = `http://localhost:${port}${mount}`
  await expectImage(base)
  const { answer } = await waitForFilm(base)
  const signalledAt = performance.now()
  server.process.kill('SIGTERM')
  const ended = await server.exited
  const tookMs = performance.now() - signalledAt
  const answered = await answer
  const job = await answered.json()
  expect([answered.status, job.status], server.said()).toEqual([202, 'processing'])
  expect(ended, server.said()).toBe(exitCode)
  return tookMs
}

/** Has a server make an image, and fetches the file. @returns where the job is read */
export async function expectImage(base: string, body: object = image): Promise<string> {
  const created = await fetch(`${base}/v1/generate?wait=true`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  const job = await created.json()
  expect(job).toMatchObject({ status: 'completed', urls: { get: `${base}/v1/jobs/${job.id}` } })
  const file = await fetch(job.data[0].url, { headers })
  expect(file.headers.get('content-type')).toBe('image/png')
  expect(
    Buffer.from(await file.arrayBuffer())
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG')
  return job.urls.get
}

/** Sends a request that waits for a film. @returns its answer to come, once the job is in the store */
export async function waitForFilm(
  base: string,
  body: object = film,
): Promise<{ readonly answer: Promise<Response> }> {
  const create = (query: string) =>
    fetch(`${base}/v1/generate${query}`, {
      method: 'POST',
      headers: { ...headers, 'idempotency-key': 'the film' },
      body: JSON.stringify(body),
    })
  const answer = create('?wait=true')
  while (!(await create('')).headers.has('idempotency-replayed'));
  return { answer }
}
