import { expect, test } from 'vitest'
import { webhooks } from '@genmount/core/webhooks'
import { fakeWorld } from '@genmount/testing'

test('1,000 webhooks of one owner to hosts that never answer do not delay other owners', async () => {
  const arrived: string[] = []
  const { service, clock } = fakeWorld(
    { behave: () => ({}) },
    {
      plugins: [
        webhooks({
          refusal: () => undefined,
          send: ({ job, url }) => {
            if (url.includes('slow')) return new Promise(() => {})
            arrived.push(job.owner)
            return Promise.resolve({ status: 200 })
          },
        }),
      ],
    },
  )
  const create = (owner: string, url: string) =>
    service.create({ owner, model: 'fake-image', input: { prompt: 'a fox', webhook_url: url } })
  for (let index = 0; index < 1000; index++) await create('alice', `https://slow-${index}.test/`)
  await clock.advance(100)
  await create('bob', 'https://bob.test/')
  await clock.advance(1000)
  expect(arrived).toEqual(['bob'])
  await service.close()
})
