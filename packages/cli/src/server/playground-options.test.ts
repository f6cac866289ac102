import { memoryFileStore } from '@genmount/core'
import { s3Files } from '@genmount/files-s3'
import { guardedFetch } from '@genmount/guarded-fetch'
import { toPlaygroundHandler } from '@genmount/playground'
import { expect, test } from 'vitest'
import { playgroundOptions } from './playground-options.ts'

const own = { ownKey: undefined, apiKeys: { alice: 's3cret' } }

test('the playground of genmount serve contains the published API key and no other', async () => {
  const files = memoryFileStore()
  const known = { ownKey: 'published', apiKeys: { dev: 'dev-key' } } as const
  expect(await playgroundOptions(known, files)).toEqual({ publicKey: 'dev-key', outputFacts: true })
  expect(await playgroundOptions(own, files)).toEqual({ publicKey: undefined, outputFacts: true })
  const random = { ownKey: 'random', apiKeys: { dev: 's3cret' } } as const
  expect(await playgroundOptions(random, files)).toEqual({ publicKey: undefined, outputFacts: true })
})

test('the playground of genmount serve loads outputs only from the bucket of the service', async () => {
  const files = s3Files({
    bucket: 'outputs',
    region: 'eu-central-1',
    credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
    fetch: guardedFetch,
  })
  const page = toPlaygroundHandler(await playgroundOptions(own, files))(new Request('http://app.example/'))
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(policy.match(/https?:\/\/[^ ;]+/g)).toEqual(
    Array(3).fill('https://outputs.s3.eu-central-1.amazonaws.com'),
  )
})
