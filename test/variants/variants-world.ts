import type { Job } from '@genmount/core'
import { memoryFileStore } from '@genmount/core'
import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { fakeWorld, type ProcessChanges } from '@genmount/testing'
import { openapiDocument } from '@genmount/v1-interface/openapi'
import { variants } from '@genmount/variants'
import sharp from 'sharp'
import { onTestFinished } from 'vitest'

/** A red picture of this size. */
export const red = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: 'red' } })

/** A picture of this size with fine detail: bands of colour with noise. */
export function noise(width: number, height: number) {
  const noisy = { type: 'gaussian', mean: 128, sigma: 30 } as const
  return sharp({ create: { width, height, channels: 3, background: 'red', noise: noisy } })
}

/** What a client gets. */
export interface Got {
  readonly status: number
  readonly type: string | null
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly headers: Headers
  /** The error of a refusal. */
  readonly error:
    | { readonly code: string; readonly message: string; readonly param: string | null }
    | undefined
}

/** A service with the plugin `variants` and the /v1 interface, whose jobs have this file as their output. */
export function variantsWorld(bytes: Uint8Array, options: ProcessChanges = {}) {
  const files = options.files ?? memoryFileStore()
  const world = fakeWorld(
    { behave: () => ({ outputs: [{ bytes }] }) },
    { files, plugins: [variants()], ...options },
  )
  const handler = toFetchHandler(world.service, {
    authenticate: apiKeys({ alice: 'alice-key', bob: 'bob-key' }),
    openapi: openapiDocument(),
  })
  onTestFinished(() => void world.service.close())

  async function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Got> {
    const send = (url: string) =>
      handler(
        new Request(url, {
          method,
          headers: { authorization: 'Bearer alice-key', ...headers },
          redirect: 'manual',
        }),
      )
    let response = await send(new URL(path, 'https://media.test').href)
    const location = response.headers.get('location')
    if (response.status === 302 && location) response = await send(location)
    const got = new Uint8Array(await response.arrayBuffer())
    const type = response.headers.get('content-type')
    const error = response.status >= 400 ? JSON.parse(new TextDecoder().decode(got)).error : undefined
    return { status: response.status, type, bytes: got, headers: response.headers, error }
  }

  /** Makes a job, and lets it complete. */
  async function finished(owner = 'alice'): Promise<Job> {
    const { id } = await world.create({}, { owner })
    await world.clock.advance(5000)
    return world.service.get(id, owner)
  }

  /** The keys of all variants in the file store. */
  async function kept(): Promise<readonly string[]> {
    const keys: string[] = []
    for await (const key of files.list!('variants/')) keys.push(key)
    return keys
  }

  return { ...world, files, ask, finished, kept }
}
