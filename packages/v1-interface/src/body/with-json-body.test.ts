import { expect, test } from 'vitest'
import { jsonBodies } from './with-json-body.ts'

const read = jsonBodies({ maxBodyBytes: 100_000, maxBodiesBytes: 100_000 })

/** Reads a body that arrives in one piece. */
function valueOf(text: string): Promise<unknown> {
  const bytes = new TextEncoder().encode(text)
  const pieces = [{ value: bytes }, { done: true }]
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'content-length': String(bytes.length),
  }
  const request = {
    header: (name: string) => headers[name],
    body: () => ({ read: () => pieces.shift()!, cancel() {} }),
  }
  return read('alice', request, async (value) => value)
}

const padding = `"prompt":"${'x'.repeat(20_000)}"`

test('a body that names two models is refused, whether it is short or long, and however the name is spelled', async () => {
  for (const more of ['"n":1', padding])
    for (const second of ['"model"', '"mod\\u0065l"', '"\\u006d\\u006f\\u0064\\u0065\\u006c"', '"model"\n']) {
      const refusal = expect(valueOf(`{"model":"a",${more},${second}:"b"}`)).rejects
      await refusal.toMatchObject({ code: 'invalid_request', param: 'model' })
    }
})

test('the word model may be in a body as often as you like where it does not name the model', async () => {
  for (const text of [
    '{"model":"model","a":{"model":"model"},"b":["model","model"]}',
    '{"prompt":"\\"model\\"","model":"a"}',
  ])
    expect(await valueOf(text)).toEqual(JSON.parse(text))
})

test('short bodies are held to the same limits as long ones', async () => {
  const deep = '['.repeat(65) + ']'.repeat(65)
  for (const text of [deep, '{"a":1e999}', '{"__proto__":{}}'])
    await expect(valueOf(text)).rejects.toMatchObject({ code: 'invalid_request' })
  for (const text of ['', '{', '{"a":1}}', '\u0000'])
    await expect(valueOf(text)).rejects.toMatchObject({ code: 'invalid_json' })
})
