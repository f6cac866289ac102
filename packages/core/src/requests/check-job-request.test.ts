import { expect, test } from 'vitest'
import { fakeWorld } from '@genmount/testing'

const input = { prompt: 'a fox' }

test.each([
  [undefined, 'create: owner must be the name of an owner, not undefined.'],
  [{ model: 'fake-image', input }, 'create: owner must be the name of an owner, not undefined.'],
  [{ owner: '', model: 'fake-image', input }, 'create: owner must be the name of an owner.'],
  [{ owner: 'alice', input }, 'create: model must be the id of a model, not undefined.'],
  [{ owner: 'alice', model: 'fake-image' }, 'create: input must be an object, not undefined.'],
  [{ owner: 'alice', model: 'fake-image', input: 'a fox' }, 'create: input must be an object, not a text.'],
])(
  'a create by the app with %o throws an error that names the field, and stores nothing',
  async (request, message) => {
    const { service } = fakeWorld()
    const refusal = expect(service.create(request as never)).rejects
    await refusal.toThrow(TypeError)
    await expect(service.create(request as never)).rejects.toThrow(message)
    expect((await service.list({ owner: 'alice' })).jobs).toEqual([])
    await service.close()
  },
)

test('a Date in place of an instant is refused with the accepted type', async () => {
  const { service } = fakeWorld()
  const from = new Date(0) as never
  await expect(service.list({ owner: 'alice', createdFrom: from })).rejects.toThrow(
    'list: createdFrom must be an instant in whole milliseconds since 1970, such as Date.now(), not an object.',
  )
  await service.close()
})
