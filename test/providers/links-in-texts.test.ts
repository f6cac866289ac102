import { expect, test } from 'vitest'
import type { FileFetch, ProviderReport } from '@genmount/core'
import { googleProvider } from '@genmount/provider-google'
import { openaiCompatible } from '@genmount/provider-openai/compatible'
import { openaiResponsesProvider } from '@genmount/provider-openai/responses'
import { media } from '../answers/answer-file.ts'

/*
 * Gateways of chat models, such as grok2api and LinkAPI's, answer with a text that has the link of the picture in it: as
 * Markdown, as HTML or bare. Models also invent links, and refer to pages. So a link counts if a picture is behind it.
 */

const { signal } = new AbortController()
const task = {
  jobId: 'job',
  model: 'it',
  input: { prompt: 'a fox', style: 'as https://cdn.example.com/given/a.png' },
  clientToken: 'token',
}
const token = 'sk-test'
const page = '<!doctype html><html><head><title>Our policies</title></head></html>'

/** What is behind the links, by the ends of their paths. */
const behind: Readonly<Record<string, () => BodyInit>> = {
  'a.png': () => media.png,
  'b.png': () => media.png,
  fox: () => media.png,
  'view/123': () => media.png,
  'film.mp4': () => media.mp4,
  'lying.png': () => page,
  'error.png': () => '{"error":"not found"}',
  'empty.png': () => '',
  terms: () => page,
}

const asked: string[] = []
const fetchFile: FileFetch = async (url) => {
  asked.push(url)
  const { pathname, search } = new URL(url)
  const [, body] = Object.entries(behind).find(([end]) => pathname.endsWith(end)) ?? []
  if (!body || search === '?sig=1&amp;x=2') throw Object.assign(new Error('404'), { retryable: false })
  return { body: new Response(body()).body!, contentType: 'image/png' }
}

const models = { it: { model: 'painter', price: 0.01 } }
const answering = (json: unknown) => async () => Response.json(json)

/** What becomes of a task whose model answers with this text. */
const vendors: Readonly<Record<string, (text: string) => Promise<ProviderReport>>> = {
  'openai-compatible': (content) =>
    openaiCompatible({
      baseUrl: 'https://gateway.example/v1',
      models,
      fetchFile,
      fetch: answering({ choices: [{ message: { role: 'assistant', content } }] }),
    }).submit(task, { signal }),
  'openai-compatible, in parts': (text) =>
    openaiCompatible({
      baseUrl: 'https://gateway.example/v1',
      models,
      fetchFile,
      fetch: answering({ choices: [{ message: { content: [{ type: 'text', text }] } }] }),
    }).submit(task, { signal }),
  google: (text) =>
    googleProvider({
      token,
      models,
      fetchFile: fetchFile as never,
      fetch: answering({ candidates: [{ content: { parts: [{ text }] } }] }),
    }).submit(task, { signal }),
  'openai-responses': (text) =>
    openaiResponsesProvider({
      token,
      models: { it: { model: 'gpt-image-2', caller: { model: 'gpt-5.6-luna' } } },
      fetchFile,
      fetch: answering({
        id: 'resp_1',
        status: 'completed',
        output: [{ type: 'message', content: [{ type: 'output_text', text }] }],
      }),
    }).poll({ ...task, handle: 'resp_1' }, { signal }),
}

const cdn = 'https://cdn.example.com'

test.each(Object.keys(vendors))('%s: a link in a text is an output, however it is written', async (name) => {
  const one = `${cdn}/a.png`
  const texts: readonly (readonly [string, ...string[]])[] = [
    [one, one],
    [`  ${one}\n`, one],
    [`${cdn}/fox`, `${cdn}/fox`],
    [`Here is your picture: ${one}`, one],
    [`Here is your picture: ${one}.`, one],
    [`(${one})`, one],
    [`**${one}**`, one],
    [`"${one}", as you wished!`, one],
    [`图片：${one}。`, one],
    [`See ${cdn}/a.png?sig=1&x=2 and enjoy`, `${cdn}/a.png?sig=1&x=2`],
    [`<img alt="a" src="${cdn}/a.png?sig=1&amp;x=2">`, `${cdn}/a.png?sig=1&x=2`],
    [`Here: ${cdn}/view/123`, `${cdn}/view/123`],
    [`![fox](${cdn}/view/123)`, `${cdn}/view/123`],
    [`![fox](<${one}>)`, one],
    [`![fox](${one} "A fox")`, one],
    [`![fox](${cdn}/fox_(1)/a.png)`, `${cdn}/fox_(1)/a.png`],
    [`[Download](${one})`, one],
    [`[${one}](${one})`, one],
    [`<${one}>`, one],
    [`![fox][1]\n\n[1]: ${one}`, one],
    ['```\n' + one + '\n```', one],
    [`1. ${one}\n2. ${cdn}/b.png`, one, `${cdn}/b.png`],
    [`![a](${one}) ![b](${cdn}/b.png) ![a](${one})`, one, `${cdn}/b.png`],
    [`By our terms (${cdn}/terms): ${one}`, one],
    [`${cdn}/lying.png ${cdn}/error.png ${cdn}/empty.png ${cdn}/gone.png ${cdn}/film.mp4 ${one}`, one],
  ]
  for (const [text, ...outputs] of texts) {
    const report = await vendors[name]!(text)
    expect([text, report]).toMatchObject([
      text,
      { state: 'succeeded', outputs: outputs.map((url) => ({ url })) },
    ])
  }
})

test.each(Object.keys(vendors))(
  '%s: a link in a text that leads to no picture is told in words',
  async (name) => {
    for (const text of [
      `${cdn}/terms`,
      `${cdn}/gone.png`,
      `I can't draw that. See ${cdn}/terms.`,
      `Here it is: ${cdn}/lying.png`,
      `![fox](${cdn}/error.png)`,
      `![fox](${cdn}/empty.png)`,
      `![fox](${cdn}/gone.png)`,
      `![fox](${cdn}/film.mp4)`,
      `I cannot edit ${cdn}/given/a.png because it shows a person.`,
      `![yours](${cdn}/given/a.png)`,
      `[fox](attachment://a.png)`,
      `![fox](/mnt/data/a.png)`,
    ]) {
      const report = await vendors[name]!(text)
      expect([text, report]).toMatchObject([text, { state: 'failed', code: 'output_invalid' }])
      expect(report).toMatchObject({
        message: expect.stringContaining(text.trim()),
        costUsd: name === 'openai-responses' ? undefined : 0,
      })
    }
  },
)

test.each(Object.keys(vendors))(
  '%s: pictures in the text itself need no request, and there is an end of links',
  async (name) => {
    const base64 = Buffer.from(media.png).toString('base64')
    asked.length = 0
    for (const text of [`data:image/png;base64,${base64}`, `Here: ![fox](data:image/png;base64,${base64})`])
      expect(await vendors[name]!(text)).toMatchObject({ outputs: [{ bytes: media.png }] })
    expect(asked).toEqual([])
    const many = Array.from({ length: 500 }, (_, index) => `${cdn}/${index}/gone`)
    expect(await vendors[name]!(many.join(' '))).toMatchObject({ state: 'failed' })
    expect(asked.length).toBeLessThanOrEqual(20)
  },
)
