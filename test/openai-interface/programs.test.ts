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
  for (const [name, value] of Object.entries(body)) form.append(name, value as string | Blob)
  return { method: 'POST', headers: { authorization }, body: form }
}

test.each(programBodies(picture).map((each) => [each.program, each] as const))(
  'the body of %s gets its pictures as base64',
  async (_, each) => {
    const { origin } = await openaiWorld({ openai: { aliases: { 'gpt-image-2': 'painter' } } })
    const response = await fetch(`${origin}/openai/v1${each.path}`, sent(each))
    const { data } = (await response.json()) as { readonly data: readonly { readonly b64_json: string }[] }
    expect(data).toHaveLength(Number(each.body['n'] ?? 1))
    for (const { b64_json } of data)
      expect(Buffer.from(b64_json, 'base64').subarray(1, 4).toString()).toBe('PNG')
  },
)
