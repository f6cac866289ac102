import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, onTestFinished, test } from 'vitest'
import { served } from '../served.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { command, genmount, genmountHere } from './genmount.ts'

/** Sets the title of a terminal and clears it, in the long and the short form, forges a line, and turns the line around. */
const evil = 'a\x1b]0;b\x07\x9b2J\x85c\x7f\u2028d\u202e\u2066\u200f\u061c\r\nforged'
/** What a terminal obeys, but for tabs and line ends. */
const control = /(?![\t\n])[\p{Cc}\u2028\u2029\p{Bidi_Control}]/u

const job = {
  id: `gen_${evil}`,
  object: evil,
  model: evil,
  output_kind: evil,
  status: evil,
  created_at: evil,
  started_at: evil,
  completed_at: evil,
  expires_at: evil,
  retention_days: evil,
  error: null as string | null,
  cost_usd: evil,
  input: { prompt: evil, [evil]: evil },
  timings: { inference_ms: evil },
  urls: { get: evil },
  data: [{ url: evil }, { url: evil }],
  metadata: { [evil]: evil },
}
const field = { type: evil, title: evil, description: evil, default: evil, enum: [evil, 1], const: evil }
const model = {
  id: evil,
  object: evil,
  owned_by: evil,
  output_kind: evil,
  input_schema: {
    title: evil,
    description: evil,
    properties: { [evil]: field, prompt: { type: 'string', description: evil } },
    required: ['prompt'],
  },
  price: { text: evil, per: evil, usd: evil, usd_by: { field: evil, usd: { [evil]: evil } } },
  retention_days: evil,
  typical_seconds: evil,
  ends: { on: evil, replacement: evil },
}
const error = { message: evil, type: evil, param: evil, code: evil, request_id: evil }
const progress = { progress: evil, queue_position: evil }
const events = `id: 1\nevent: progress\ndata: ${JSON.stringify(progress)}\n\nevent: done\ndata: `

/**
 * The options that lead to a server whose every text is hostile.
 * @param ended what is different in its jobs
 * @param more what is different in its models
 */
async function hostileServer(
  ended: Readonly<Record<string, unknown>> = {},
  more: Readonly<Record<string, unknown>> = {},
): Promise<readonly string[]> {
  const origin = await served(({ method, url = '' }, response) => {
    const end = (body: unknown, type = 'application/json') =>
      response
        .writeHead(200, { 'content-type': type })
        .end(typeof body === 'string' ? body : JSON.stringify(body))
    if (url.endsWith('/events'))
      end(`${events}${JSON.stringify({ ...job, ...ended })}\n\n`, 'text/event-stream')
    else if (url.startsWith('/v1/files/')) end('some bytes', 'constructor')
    else if (url === '/v1/models') end({ object: 'list', data: [{ ...model, ...more }] })
    else if (url.startsWith('/v1/models/')) end({ ...model, ...more })
    else if (url.startsWith('/v1/jobs?'))
      end({ object: 'list', data: [{ ...job, ...ended }], next_cursor: null })
    else end(method === 'DELETE' ? '' : { ...job, ...ended })
  })
  return ['--url', origin]
}

function expectHarmless(printed: string): void {
  expect(printed).not.toMatch(control)
  expect(printed).not.toMatch(/^forged/m)
  expect(printed).not.toContain('[native code]')
}

const commands: readonly (readonly string[])[] = [
  ['models'],
  ['models', 'any'],
  ['types'],
  ['jobs'],
  ['get', 'gen_1'],
  ['get', 'gen_1', '--wait'],
  ['get', 'gen_1', '--wait', '-o', '.'],
  ['cancel', 'gen_1'],
  ['delete', 'gen_1'],
  ['generate', '-m', 'any', '-p', 'a', '--no-wait'],
  ['generate', '-m', 'any', '-p', 'a', '--force'],
]

test('no text of a hostile server controls the terminal or forges a line, whichever command prints it', async () => {
  const server = await hostileServer()
  const cwd = temporaryFolder()
  for (const words of commands) {
    const writes = words.includes('-o') || words.includes('--force')
    const all = [...words, ...server]
    const { exit, stdout, stderr } = await (writes ? genmount(all, { cwd }) : genmountHere(all))
    expectHarmless(stdout + stderr)
    expect([words, exit]).toEqual([words, 0])
  }
  for (const file of readdirSync(cwd)) expect(file).toMatch(/^gen_[\w-]+\.bin$/)
  const twice = await genmount(['get', 'gen_1', '-o', '-', ...server])
  expect([twice.stdout, twice.exit]).toEqual(['some bytes', 0])
  expectHarmless(twice.stderr)
})

test('the JSON of a job or a model of a hostile server controls no terminal, and means what the server has sent', async () => {
  const server = await hostileServer()
  for (const [words, expected] of [
    [['models'], [model]],
    [['models', 'any'], model],
    [['jobs'], [job]],
    [['get', 'gen_1'], job],
    [['generate', '-m', 'any', '-p', 'a', '--no-wait'], job],
  ] as const) {
    const { stdout, stderr } = await genmountHere([...words, '--json', ...server])
    expectHarmless(stdout + stderr)
    expect(JSON.parse(stdout)).toEqual(expected)
  }
})

test('the types of the models of a hostile server have its control characters as escapes, in a file too', async () => {
  const server = await hostileServer()
  const cwd = temporaryFolder()
  await genmount(['types', '-o', 'models.d.ts', ...server], { cwd })
  const text = readFileSync(join(cwd, 'models.d.ts'), 'utf8')
  expectHarmless(text)
  expect(text).toContain('\\u009b2J')
})

test.each([400, 501])(
  'no error of a hostile server with the status %i controls the terminal',
  async (status) => {
    const refusing = await served(
      (_request, response) => void response.writeHead(status).end(JSON.stringify({ error })),
    )
    for (const words of [['models'], ['get', 'gen_1', '--json'], ['generate', '-m', 'any', '-p', 'a']]) {
      const { exit, stdout, stderr } = await genmountHere([...words, '--url', refusing])
      expect(exit).toBeGreaterThan(0)
      expect(stderr).toContain('forged')
      expectHarmless(stdout + stderr)
    }
  },
)

test('the failure of a job of a hostile server controls no terminal', async () => {
  const server = await hostileServer({ status: 'failed', error: `bad: ${evil}` })
  for (const words of [
    ['jobs'],
    ['get', 'gen_1'],
    ['get', 'gen_1', '--wait'],
    ['generate', '-m', 'any', '-p', 'a'],
  ]) {
    const { stdout, stderr } = await genmountHere([...words, ...server])
    expect(stdout + stderr).toContain('forged')
    expectHarmless(stdout + stderr)
  }
})

/** A value that JavaScript cannot turn into a text. */
const wrong = { toString: 1, valueOf: 1 }

test.each<[wrongPart: Readonly<Record<string, unknown>>, printed: string]>([
  [{ id: 5 }, 'no text in "id"'],
  [{ status: wrong }, 'no text in "status"'],
  [{ model: 5 }, 'no text in "model"'],
  [{ created_at: wrong }, 'no text in "created_at"'],
  [{ status: 'failed', error: wrong }, 'no text in "error"'],
  [{ cost_usd: wrong }, 'no number in "cost_usd"'],
  [{ input: [] }, 'no object in "input"'],
  [{ data: 5 }, 'no list in "data"'],
  [{ data: [null] }, 'no object in "data[0]"'],
  [{ data: [{ url: wrong }] }, 'no text in "data[0].url"'],
])('genmount names the field of a job that has the wrong type, as in %j', async (wrongPart, printed) => {
  const server = await hostileServer(wrongPart)
  for (const words of [
    ['get', 'gen_1', '--wait'],
    ['get', 'gen_1', '-o', temporaryFolder()],
    ['cancel', 'gen_1'],
    ['generate', '-m', 'any', '-p', 'a'],
  ]) {
    const { exit, stderr } = await genmountHere([...words, ...server])
    expect([words, exit, stderr]).toEqual([
      words,
      3,
      expect.stringContaining(`The server's answer has ${printed}.`),
    ])
  }
  const { exit, stderr } = await genmountHere(['jobs', ...server])
  expect([exit, stderr]).toEqual([3, expect.stringContaining(printed.replace(' in "', ' in "data[0].'))])
})

test.each<[wrongPart: Readonly<Record<string, unknown>>, printed: string]>([
  [{ id: wrong }, 'no text in "id"'],
  [{ output_kind: 5 }, 'no text in "output_kind"'],
  [{ typical_seconds: wrong }, 'no number in "typical_seconds"'],
  [{ price: 'free' }, 'no object in "price"'],
  [{ price: { text: 5 } }, 'no text in "price.text"'],
  [{ input_schema: 'any' }, 'no object in "input_schema"'],
  [{ ends: { on: 5 } }, 'no text in "ends.on"'],
])('genmount names the field of a model that has the wrong type, as in %j', async (wrongPart, printed) => {
  const server = await hostileServer({}, wrongPart)
  for (const words of [
    ['models', 'any'],
    ['generate', '-m', 'any', '-p', 'a'],
  ]) {
    const { exit, stderr } = await genmountHere([...words, ...server])
    expect([words, exit, stderr]).toEqual([
      words,
      3,
      expect.stringContaining(`The server's answer has ${printed}.`),
    ])
  }
  for (const words of [['models'], ['types']]) {
    const { exit, stderr } = await genmountHere([...words, ...server])
    expect([words, exit, stderr]).toEqual([
      words,
      3,
      expect.stringContaining(printed.replace(' in "', ' in "data[0].')),
    ])
  }
})

test('genmount models says when a model ends and what to use instead', async () => {
  const ends = { on: '2026-12-01', replacement: 'newer' }
  const server = await hostileServer(
    {},
    { id: 'older', output_kind: 'image', typical_seconds: null, price: { text: '1 USD' }, ends },
  )
  const { stdout } = await genmountHere(['models', ...server])
  expect(stdout).toBe('older\timage\t\t1 USD; ends on 2026-12-01, use newer\n')
})

test('genmount models shows a model whose schema has values of the wrong type', async () => {
  const properties = { prompt: { type: [wrong, 'string'], enum: wrong, minimum: wrong, maximum: wrong } }
  const server = await hostileServer({}, { id: 'any', input_schema: { properties, required: 5 } })
  const { exit, stdout } = await genmountHere(['models', 'any', ...server])
  expect([exit, stdout]).toEqual([0, 'prompt\t\tstring\t\n'])
})

test('genmount reports a refusal whose message, param and request id are no texts', async () => {
  const refusal = JSON.stringify({ error: { message: wrong, param: wrong, code: 'any', request_id: wrong } })
  const url = await served((_request, response) => void response.writeHead(400).end(refusal))
  for (const more of [[], ['--json']]) {
    const { exit, stderr } = await genmountHere(['models', '--url', url, ...more])
    expect([exit, stderr]).toEqual([3, expect.stringContaining('status 400')])
  }
})

test('genmount generate sends a field that has the name of a method of objects, or __proto__, like any other', async () => {
  const bodies: unknown[] = []
  const url = await served(async (request, response) => {
    if (request.method === 'POST') bodies.push(await json(request))
    response.writeHead(200).end(JSON.stringify(request.method === 'POST' ? job : model))
  })
  const fields = ['-f', 'constructor={"a":1}', '-f', '__proto__={"a":1}']
  await genmountHere(['generate', '-m', 'any', '-p', 'a', ...fields, '--no-wait', '--url', url])
  expect(JSON.stringify(bodies)).toContain('"constructor":{"a":1},"__proto__":{"a":1}')
})

test('shell completion offers no model of a hostile server whose id could control the terminal', async () => {
  const [, url = ''] = await hostileServer()
  const env = { GENMOUNT_URL: url, XDG_CACHE_HOME: temporaryFolder() }
  const { stdout, stderr } = await genmount(['complete', '--', 'generate', '-m', ''], { env })
  expect([stdout.replace(/^:\d+\n/m, ''), stderr]).toEqual(['', ''])
})

test('genmount mcp logs the error of a hostile server without control characters', async () => {
  const body = JSON.stringify({ error: { ...error, code: 'internal_error' } })
  const url = await served((_request, response) => void response.writeHead(500).end(body))
  const [program, ...args] = await command('mcp', '--url', url)
  const transport = new StdioClientTransport({ command: program, args, stderr: 'pipe' })
  let log = ''
  transport.stderr?.on('data', (chunk) => (log += String(chunk)))
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(transport)
  onTestFinished(() => client.close())
  expect((await client.callTool({ name: 'list_models', arguments: {} })).isError).toBe(true)
  await expect.poll(() => log).toContain('forged')
  expect(log).not.toMatch(control)
})
