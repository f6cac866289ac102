import { fakeFile } from '@genmount/testing'
import { expect, test } from 'vitest'
import { openaiWorld } from './openai-world.ts'
import { type ProgramBody, programBodies } from './program-bodies.ts'

const picture = new File([fakeFile('image').bytes], 'a.png', { type: 'image/png' })

function sent({ body, isForm }: ProgramBody): RequestInit {
  const authorization = 'Bearer alice-key'
  if (!isForm) {
    const headers = { authorization, 'content-type': 'application/json' }
    return { method: 'POST', headers, body: JSON.stringify(body) }
  }
  const form = new FormData()
  for (const [name, value] of Object.entries(body))
    for (const each of [value].flat()) form.append(name, each as string | Blob)
  return { method: 'POST', headers: { authorization }, body: form }
}

async function world() {
  const aliases = { 'gpt-image-2': 'painter', 'dall-e-3': 'painter' }
  return openaiWorld({ service: { aliases } })
}

const bodies = programBodies(picture).map((each) => [each.program, each] as const)

test.each(bodies.filter(([, { path }]) => path !== '/videos'))(
  'the body of %s gets its pictures in the form that the program reads',
  async (_, each) => {
    const { origin } = await world()
    const response = await fetch(`${origin}/openai/v1${each.path}`, sent(each))
    const { data } = (await response.json()) as { readonly data: readonly Record<string, string>[] }
    expect(data).toHaveLength(Number(each.body['n'] ?? 1))
    for (const { b64_json, url } of data) {
      const file = each.reads === 'url' ? await (await fetch(url!)).arrayBuffer() : b64_json!
      expect(
        Buffer.from(file as string, 'base64')
          .subarray(1, 4)
          .toString(),
      ).toBe('PNG')
    }
  },
)

test.each(bodies.filter(([, { path }]) => path === '/videos'))(
  'the body of %s gets a film',
  async (_, each) => {
    const { origin } = await world()
    const response = await fetch(`${origin}/openai/v1/videos`, sent(each))
    expect(await response.json()).toMatchObject({ object: 'video', status: 'queued', prompt: 'a kite' })
  },
)
