import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AwsV4Signer } from 'aws4fetch'
import type { S3FilesOptions } from '@genmount/files-s3'

const credentials = { accessKeyId: 'test:tester', secretAccessKey: 'testing' }
const region = 'us-east-1'

/** A server that checks every signature: OpenStack Swift, of Debian's package python3-swift. */
export interface VerifyingServer {
  readonly endpoint: string
  /** Makes an empty bucket. @returns the options for a store in it */
  createBucket(): Promise<S3FilesOptions & { readonly endpoint: string }>
  /** Sends a request of its own, signed. */
  ask(method: string, path: string): Promise<Response>
  /** The names of the objects in a bucket. */
  objectsIn(bucket: string): Promise<string[]>
  /** The names of the objects that are being uploaded in parts. */
  uploadsIn(bucket: string): Promise<string[]>
  /** The objects that hold parts, of uploads under way and of stored objects. */
  partsIn(bucket: string): Promise<string[]>
  stop(): Promise<void>
}

export async function startVerifyingServer(): Promise<VerifyingServer> {
  const folder = await mkdtemp(join(tmpdir(), 'genmount-swift-'))
  const script = join(import.meta.dirname, 'swift_with_s3.py')
  // The system's Python, because the Debian package is for that one.
  const server = spawn('/usr/bin/python3', [script, folder, ...Object.values(credentials)])
  let told = ''
  server.stderr.on('data', (chunk: Buffer) => (told = (told + chunk.toString()).slice(-2000)))
  const ended = once(server, 'close')
  const [port] = (await Promise.race([once(server.stdout, 'data'), ended])) as [Buffer | number | null]
  if (!(port instanceof Buffer))
    throw new Error(`OpenStack Swift does not start. Install Debian's python3-swift.\n${told}`)
  const endpoint = `http://127.0.0.1:${port.toString().trim()}`
  let count = 0

  async function ask(method: string, path: string): Promise<Response> {
    const context = { ...credentials, region, service: 's3' }
    const { url, headers } = await new AwsV4Signer({ ...context, method, url: `${endpoint}${path}` }).sign()
    return fetch(url, { method, headers })
  }
  const namesIn = async (path: string) =>
    [...(await (await ask('GET', path)).text()).matchAll(/<Key>([^<]*)</g)].map(([, name = '']) => name)

  return {
    endpoint,
    ask,
    async createBucket() {
      const bucket = `outputs-${++count}`
      const { status } = await ask('PUT', `/${bucket}`)
      if (status !== 200) throw new Error(`The bucket could not be made: ${status}.`)
      return { bucket, region, endpoint, credentials }
    },
    objectsIn: (bucket) => namesIn(`/${bucket}`),
    uploadsIn: (bucket) => namesIn(`/${bucket}?uploads`),
    partsIn: (bucket) => namesIn(`/${bucket}+segments`),
    async stop() {
      server.stdin.end()
      await ended
      await rm(folder, { recursive: true })
    },
  }
}
