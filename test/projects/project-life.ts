import { expect } from 'vitest'
import type { Command, Exit } from '../processes/launch.ts'
import { startProcess } from '../processes/start-process.ts'

export const headers = { authorization: 'Bearer key-of-alice', 'content-type': 'application/json' }
/** The environment variables of every project. */
export const env = {
  PORT: '0',
  ALICE_KEY: 'key-of-alice',
  NODE_ENV: 'production',
  NEXT_TELEMETRY_DISABLED: '1',
}
/** A picture of the embedded model. */
export const image = { model: 'procedural-image', prompt: 'a lighthouse at dawn', resolution: '480p' }
/** A film that takes about 40 s of CPU time. */
export const filmInput = { prompt: 'the sea at night', resolution: '1080p', duration: 10 }
const film = { model: 'procedural-video', ...filmInput }

/** The permissions that the README names for Deno. */
export const denoRights = ['--allow-env', '--allow-sys', '--allow-ffi']

/** The command that runs Next.js in its project. */
export function nextCommand(name: 'build' | 'dev' | 'start'): Command {
  const host = name === 'build' ? [] : ['--hostname=127.0.0.1']
  return [process.execPath, 'node_modules/next/dist/bin/next', name, ...host]
}

/** How to start the server of a project, and the path under which it serves `/v1`. */
export interface ProjectServer {
  readonly command: Command
  readonly mount: string
  /** How the server ends after SIGTERM. @default 0 */
  readonly exit?: Exit
  /** What is checked beside. @param origin where the server is, without the mount path */
  check?(origin: string): Promise<void>
}

/** The port that a server has printed. */
export async function portOf(server: { heard(pattern: RegExp): Promise<RegExpExecArray> }): Promise<string> {
  const [, digits, port = digits] = await server.heard(/port: (\d+)|http:\/\/[^\s/]+:(\d+)/)
  return port ?? ''
}

/**
 * Starts a server, creates an image with it, and sends it SIGTERM while a request waits for a film. The request must be
 * answered, and the server must end within the time that Docker gives it.
 */
export async function liveThrough(
  { command, mount, exit = 0, check }: ProjectServer,
  cwd?: string,
): Promise<void> {
  const server = startProcess(command, { env, ...(cwd !== undefined && { cwd }) })
  const origin = `http://localhost:${await portOf(server)}`
  const base = `${origin}${mount}`
  await expectImage(base)
  await check?.(origin)
  const { answer } = await waitForFilm(base)
  const signalledAt = performance.now()
  server.child.kill('SIGTERM')
  const ended = await server.ended
  expect(performance.now() - signalledAt).toBeLessThan(10_000)
  const answered = await answer
  const job = await answered.json()
  expect([answered.status, job.status], server.output).toEqual([202, 'processing'])
  expect(ended, server.output).toBe(exit)
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
  expect(isPng(await file.bytes())).toBe(true)
  return job.urls.get
}

/** Whether a file begins as https://www.w3.org/TR/png-3/#5PNG-file-signature says. */
export const isPng = (file: Uint8Array) => Buffer.from(file.subarray(1, 4)).toString() === 'PNG'

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
