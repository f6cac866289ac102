import { expect, test } from 'vitest'
import { filmer } from './models.ts'
import { openaiWorld } from './openai-world.ts'

test.each(['constructor', 'toString', '__proto__[a]', 'hasOwnProperty'])(
  'a field named %s is one that no model takes, in JSON and in a form',
  async (name) => {
    const { origin, studio } = await openaiWorld({ openai: { unknownFields: 'refuse' } })
    const form = new FormData()
    const fields = { model: 'painter', prompt: 'a fox', [name]: '1' }
    for (const [field, value] of Object.entries(fields)) form.append(field, value)
    for (const body of [form, JSON.stringify(fields)]) {
      const headers = { authorization: 'Bearer alice-key' }
      const reply = await fetch(`${origin}/openai/v1/images/generations`, {
        method: 'POST',
        body,
        headers: typeof body === 'string' ? { ...headers, 'content-type': 'application/json' } : headers,
      })
      expect([reply.status, ((await reply.json()) as { error: object }).error]).toEqual([
        400,
        expect.objectContaining({ message: expect.stringContaining('Unknown parameter: ') }),
      ])
    }
    expect(studio.submits).toHaveLength(0)
  },
)

test.each(['Infinity', '1e999', 'NaN', '-1', '', true])(
  'a film of %o seconds is refused, also by a model without a longest duration',
  async (seconds) => {
    const { sdk } = await openaiWorld({ studio: { models: [filmer] } })
    const film = { model: 'filmer', prompt: 'a fox', seconds: seconds as never }
    await expect(sdk.videos.create(film)).rejects.toMatchObject({ status: 400, param: 'seconds' })
  },
)
