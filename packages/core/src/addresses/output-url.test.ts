import { expect, test } from 'vitest'
import { fakeWorld } from '@genmount/testing'
import { hostileAddresses, loopbackSpellings } from '../../../../test/guarded-fetch/hostile-addresses.ts'
import type { FileStore } from '../contracts/storage/file-store.ts'
import { memoryFileStore } from '../defaults/memory-file-store.ts'
import { outputUrlFault, redirectTarget } from './output-url.ts'

const longUrl = `https://cdn.test/1.png?signature=${'a'.repeat(9000)}`
const inUrl = (address: string) => (address.includes(':') ? `[${address}]` : address)

/** Runs a job whose provider reports this output. */
async function jobWith(url: string, files: FileStore = memoryFileStore()) {
  const { service, create, jobAfter } = fakeWorld(
    { behave: [{ outputs: [{ url }], costUsd: 0.07 }] },
    { files },
  )
  const after = await jobAfter(0, (await create()).id)
  await service.close()
  return after
}

test.each([...hostileAddresses.map(inUrl), ...loopbackSpellings, 'localhost', 'LocalHost.', 'app.localhost'])(
  '%s is no public address: no client is redirected to it, and nothing is copied from it',
  (host) => {
    for (const url of [`https://${host}/1.png`, `https://${host}:8443`]) {
      expect(outputUrlFault(url)).toMatch(/private network|URL/)
      expect(redirectTarget(url)).toBeUndefined()
    }
  },
)

test.each([
  '1.1.1.1',
  '9.255.255.255',
  '100.63.255.255',
  '100.128.0.0',
  '128.0.0.1',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '198.17.255.255',
  '223.255.255.255',
  '134744072',
  '[2606:4700:4700::1111]',
  '[2a00:1450:4001:80e::200e]',
  '[2001:4860:4860:0:0:0:0:8888]',
  '[::ffff:8.8.8.8]',
  '[64:ff9b::808:808]',
  'cdn.example',
  'localhost.example',
  '10.0.0.1.example',
])('%s is on the public internet', (host) => {
  expect(outputUrlFault(`https://${host}/1.png`)).toBeUndefined()
  expect(redirectTarget(`https://${host}/1.png`)).toBe(new URL(`https://${host}/1.png`).href)
})

test('an output URL of more than 8 KiB can be copied from and not redirected to', () => {
  const fitting = longUrl.slice(0, 8192)
  expect(redirectTarget(fitting)).toBe(fitting)
  expect(redirectTarget(`${fitting}a`)).toBeUndefined()
  // The limit counts the bytes of the header that is sent, and not the characters of the given URL.
  expect(redirectTarget(`https://cdn.test/${'é'.repeat(2000)}`)).toBeUndefined()
  expect(outputUrlFault(longUrl)).toBeUndefined()
})

test('a job whose output is at a private address fails as output_invalid and keeps its cost', async () => {
  const files = { ...memoryFileStore(), fetch: () => Promise.reject(new Error('nobody asks')) }
  for (const url of ['https://169.254.169.254/latest', 'https://[::ffff:10.0.0.1]/', 'https://0x7f.1/']) {
    const job = await jobWith(url, files)
    expect(job).toMatchObject({ phase: 'failed', error: { code: 'output_invalid' }, costUsd: 0.07 })
    expect(job.error?.message).toBe(
      'The provider has finished, but an output is at an address of a private network.',
    )
  }
})

test('an output whose URL is too long for a redirect is copied, and without a file store its job fails', async () => {
  const fetch = () => Promise.reject(new Error('not there yet'))
  expect(await jobWith(longUrl, { ...memoryFileStore(), fetch })).toMatchObject({
    phase: 'completed',
    outputs: [{ url: longUrl }],
  })
  expect(await jobWith(longUrl)).toMatchObject({
    phase: 'failed',
    error: {
      code: 'output_invalid',
      message: 'The provider has finished, but an output has a URL of more than 8192 bytes.',
    },
    costUsd: 0.07,
  })
})
