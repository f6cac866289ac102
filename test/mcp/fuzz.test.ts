import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { modernRequest } from './modern-request.ts'
import { keys, mcpService } from './servers/mcp-service.ts'

const names = ['generate_image', 'generate_video', 'edit_image', 'get_job', 'cancel_job', 'list_models']
const fields = [
  'model',
  'prompt',
  'image',
  'wait',
  'idempotency_key',
  'job_id',
  'output_kind',
  'num_outputs',
  '__proto__',
]

const value = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(
    'fake-image',
    'fake-video',
    'gen_none',
    'genmount://files/gen_none/0',
    'genmount://files/../0',
    '../x',
  ),
  fc.array(fc.constant('genmount://files/gen_none/0'), { maxLength: 20 }),
)

test('each tool answers random arguments with a result that shows no stack, no internal error and no API key', async () => {
  const { service, handle } = mcpService()
  service.start()
  onTestFinished(async () => void (await service.close()))
  const complaints = vi.spyOn(console, 'error').mockReturnValue()
  // Half of the calls have all that a job needs, and make a job unless another part of the call is wrong.
  const start = fc.constantFrom(
    {},
    { model: 'fake-image', prompt: 'a kite', image: 'https://a.example/b.png' },
  )
  const nonsense = fc.dictionary(fc.constantFrom(...fields), value, { maxKeys: 3 })
  const args = fc.tuple(start, nonsense).map(([first, second]) => ({ ...first, ...second }))
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...names), args, async (name, given) => {
      const request = modernRequest(
        'tools/call',
        { name, arguments: given },
        { authorization: `Bearer ${keys.alice}` },
      )
      const response = await handle(request)
      const text = await response.text()
      // As in /v1, a body with such a field is refused before its message is read.
      const isUnsafe = JSON.stringify(given).includes('"__proto__":')
      expect(response.status).toBe(isUnsafe ? 400 : 200)
      expect(text).toContain(isUnsafe ? '"code":-32600' : '"content":[{"type":"text"')
      expect(text).not.toMatch(/ at .*\.ts|internal_error|key-of-/)
    }),
    { numRuns: 150 },
  )
  expect(complaints).not.toHaveBeenCalled()
})

test('the MCP endpoint refuses malformed requests and other methods, and goes on to answer', async () => {
  const { service, handle } = mcpService()
  onTestFinished(async () => void (await service.close()))
  const headers = { authorization: `Bearer ${keys.alice}`, 'content-type': 'application/json' }
  const deep = '['.repeat(100_000) + ']'.repeat(100_000)
  const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_job","arguments":{"job_id":${deep}}}}`
  const bodies = ['', '{', 'null', '[]', '{"jsonrpc":"2.0"}', deep, call, '\u0000', 'x'.repeat(5_000_000)]
  for (const body of bodies) {
    const response = await handle(new Request('http://app.test/mcp', { method: 'POST', headers, body }))
    expect(await response.text()).not.toMatch(/ at .*\.ts/)
    expect(response.status).toBeLessThan(500)
  }
  for (const method of ['GET', 'DELETE', 'PUT', 'HEAD']) {
    const { status } = await handle(new Request('http://app.test/mcp', { method, headers }))
    expect(status).toBe(405)
  }
  expect((await handle(modernRequest('tools/list', {}, headers))).status).toBe(200)
})
