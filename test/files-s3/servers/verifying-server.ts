import { AwsV4Signer } from 'aws4fetch'
import type { S3FilesOptions } from '@genmount/files-s3'
import { sharedServer } from '../../suite/shared-server.ts'
import { swiftCredentials as credentials } from './launch-swift.ts'

const region = 'us-east-1'

/** A server that checks every signature: the OpenStack Swift that all test files of the run share. */
export interface BucketServer {
  readonly endpoint: string
  /** Makes an empty bucket. @returns the options for a store in it */
  createBucket(): Promise<S3FilesOptions & { readonly endpoint: string }>
  /** The names of the objects in a bucket. */
  objectsIn(bucket: string): Promise<string[]>
  /** The names of the objects that are being uploaded in parts. */
  uploadsIn(bucket: string): Promise<string[]>
  /** The objects that hold parts, of uploads under way and of stored objects. */
  partsIn(bucket: string): Promise<string[]>
}

export async function verifyingServer(): Promise<BucketServer> {
  const endpoint = await sharedServer('swift')

  async function ask(method: string, path: string): Promise<Response> {
    const context = { ...credentials, region, service: 's3' }
    const { url, headers } = await new AwsV4Signer({ ...context, method, url: `${endpoint}${path}` }).sign()
    return fetch(url, { method, headers })
  }
  const namesIn = async (path: string) =>
    [...(await (await ask('GET', path)).text()).matchAll(/<Key>([^<]*)</g)].map(([, name = '']) => name)

  return {
    endpoint,
    async createBucket() {
      const bucket = `outputs-${crypto.randomUUID()}`
      const { status } = await ask('PUT', `/${bucket}`)
      if (status !== 200) throw new Error(`The bucket could not be made: ${status}.`)
      return { bucket, region, endpoint, credentials }
    },
    objectsIn: (bucket) => namesIn(`/${bucket}`),
    uploadsIn: (bucket) => namesIn(`/${bucket}?uploads`),
    partsIn: (bucket) => namesIn(`/${bucket}+segments`),
  }
}

export interface VerifyingServer extends BucketServer {
  stop(): Promise<void>
}

/** @deprecated The server is shared and stops with the run: use {@link verifyingServer}. */
export async function startVerifyingServer(): Promise<VerifyingServer> {
  return { ...(await verifyingServer()), stop: async () => {} }
}
