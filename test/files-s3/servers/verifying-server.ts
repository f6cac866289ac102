import { AwsV4Signer } from 'aws4fetch'
import { sharedServer } from '../../suite/shared-server.ts'
import { swiftCredentials as credentials } from './launch-swift.ts'

const region = 'us-east-1'

export type BucketServer = Awaited<ReturnType<typeof verifyingServer>>

/** A server that checks every signature: the OpenStack Swift that all test files of the run share. */
export async function verifyingServer() {
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
    /** Makes an empty bucket. @returns the options for a store in it */
    async createBucket() {
      const bucket = `outputs-${crypto.randomUUID()}`
      const { status } = await ask('PUT', `/${bucket}`)
      if (status !== 200) throw new Error(`The bucket could not be made: ${status}.`)
      return { bucket, region, endpoint, credentials }
    },
    objectsIn: (bucket: string) => namesIn(`/${bucket}`),
    /** The names of the objects that are being uploaded in parts. */
    uploadsIn: (bucket: string) => namesIn(`/${bucket}?uploads`),
    /** The objects that hold parts, of uploads under way and of stored objects. */
    partsIn: (bucket: string) => namesIn(`/${bucket}+segments`),
  }
}
