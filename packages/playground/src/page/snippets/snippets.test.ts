import { execFileSync } from 'node:child_process'
import { stripTypeScriptTypes } from 'node:module'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { commandSnippet } from './command-snippet.ts'
import { curlSnippet } from './curl-snippet.ts'
import { typescriptSnippet } from './typescript-snippet.ts'

const input = {
  prompt: `it's "$HOME" \`id\` \\ $(id) !! ü\n${'\u2028'}second line`,
  num_outputs: 2,
  sound: true,
  images: ['upload://up_1.png', 'https://app.example/a b.png'],
  'odd-name': { deep: [null] },
}
const request = { baseUrl: 'https://app.example/media', model: 'a model', input }

/** The arguments that a shell passes to a program for a line. */
function wordsOf(line: string, program: string): string[] {
  const [name = '', ...rest] = program.split(' ')
  const script = `${name}() { for word in "$@"; do printf '%s\\0' "$word"; done; }\nGENMOUNT_API_KEY=secret\n${line}`
  return execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(rest.length, -1)
}

test('the curl command of the playground sends exactly the request, with any characters in it', () => {
  const words = wordsOf(curlSnippet(request), 'curl')
  expect(words.slice(0, 5)).toEqual([
    '-X',
    'POST',
    'https://app.example/media/v1/generate?wait=true',
    '-H',
    'Authorization: Bearer secret',
  ])
  expect(JSON.parse(words.at(-1) ?? '')).toEqual({ model: 'a model', ...input })
})

test('the curl command of the playground sends a picture that is longer than an argument may be', () => {
  const image = `data:image/png;base64,${'A'.repeat(300_000)}`
  const line = curlSnippet({ ...request, input: { image, prompt: "it's" } })
  const sent = execFileSync('sh', ['-s'], { input: `curl() { cat; }\n${line}\n`, encoding: 'utf8' })
  expect(JSON.parse(sent)).toEqual({ model: 'a model', image, prompt: "it's" })
})

test('the TypeScript program of the playground sends exactly the request', () => {
  const code = stripTypeScriptTypes(typescriptSnippet(request))
  const call = /client\.generate\((\{.*?\n\})\)/s.exec(code)?.[1]
  const sent = runInNewContext(`(${call})`) as unknown
  expect(JSON.parse(JSON.stringify(sent))).toEqual({ model: 'a model', ...input })
})

test('the genmount command of the playground has each field of the request', () => {
  const words = wordsOf(commandSnippet(request), 'npx @genmount/cli generate')
  expect(words).toEqual([
    '--url',
    'https://app.example/media',
    '--model',
    'a model',
    '--prompt',
    input.prompt,
    '--field',
    'num_outputs=2',
    '--field',
    'sound=true',
    '--field',
    'images=["upload://up_1.png","https://app.example/a b.png"]',
    '--field',
    'odd-name={"deep":[null]}',
  ])
})
