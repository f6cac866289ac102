import { expect } from 'vitest'
import { start } from '../examples/started-server.ts'

export const headers = { authorization: 'Bearer key-of-alice', 'content-type': 'application/json' }
/** The environment variables of every project. */
export const env = {
  PORT: '0',
  ALICE_KEY: 'key-of-alice',
  NODE_ENV: 'production',
  NEXT_TELEMETRY_DISABLED: '1',
}
const image = { model: 'procedural-image', prompt: 'a lighthouse at dawn', resolution: '480p' }
/** A film that takes about 40 s of CPU time. */
export const filmInput = { prompt: 'the sea at night', resolution: '1080p', duration: 10 }
const film = { model: 'procedural-video', ...filmInput }

/** How to start the server of a project, and the path under which it serves `/v1`. */
export interface ProjectServer {
  readonly command: readonly [program: string, ...args: string[]]
  readonly mount: string
  /** The exit code after SIGTERM; `null` if the host ends itself by that signal. @default 0 */
  readonly exitCode?: number | null
}

/**
 * Starts a server, creates an image with it, and sends it SIGTERM while a request waits for a film.
 * @returns how many milliseconds the server needed to end after the signal
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

/** Creates an image with a server and fetches the file. @returns the URL of the job */
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

/** Sends a request that waits for a film. @returns the promise of its answer, as soon as the job is in the store */
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
