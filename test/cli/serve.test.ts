import { mkdirSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { serve } from '@genmount/cli'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../temporary-folder.ts'
import { genmount, startServe } from './genmount.ts'

const picture = ['generate', '-m', 'procedural-image', '-p', 'a', '-f', 'resolution=480p']

function configured(config: unknown): string {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'genmount.json'), typeof config === 'string' ? config : JSON.stringify(config))
  return folder
}

test('genmount serve and genmount generate make a picture without a key or a configuration file', async () => {
  const cwd = temporaryFolder()
  const { server, url } = await startServe(['--port', '0'], { cwd })
  const { exit, stdout } = await genmount([...picture, '--url', url, '-o', 'a.png'], { cwd })
  expect([exit, stdout]).toEqual([0, 'a.png\n'])
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)
})

test('genmount serve answers requests whose path is no valid address with 404 and goes on', async () => {
  const { server, url } = await startServe(['--port', '0'], { cwd: temporaryFolder() })
  const answers = ['//', '//?a', 'http://[', '/healthz'].map(
    (path) =>
      new Promise((resolve, reject) => {
        get(url, { path }, (answer) => resolve(answer.resume().statusCode)).on('error', reject)
      }),
  )
  expect(await Promise.all(answers)).toEqual([404, 404, 404, 200])
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)
})

test('genmount serve takes keys, folder, retention, limits and providers from its configuration file', async () => {
  const cwd = configured({
    port: 0,
    apiKeys: { alice: '${KEY_OF_ALICE}' },
    dataDir: 'kept',
    retentionDays: 3,
    limits: { requestsPerMinute: 1000 },
    providers: { procedural: { allowSimulation: true } },
  })
  mkdirSync(join(cwd, 'elsewhere'))
  const { server, url } = await startServe(['-c', '../genmount.json'], {
    env: { KEY_OF_ALICE: 'of-alice', FAL_KEY: 'a:b' },
    cwd: join(cwd, 'elsewhere'),
  })
  await server.heard(/curl/)
  expect(server.output).toContain('Models: procedural-image, procedural-video\n')
  expect(server.output).toContain(`Jobs and files are kept in ${join(cwd, 'kept')}\n`)
  expect(server.output).not.toContain('of-alice')
  const env = { GENMOUNT_URL: url, GENMOUNT_API_KEY: 'of-alice' }
  const { exit, stdout } = await genmount([...picture, '-f', 'simulate_latency_ms=1', '--json'], { cwd, env })
  expect(exit).toBe(0)
  expect(JSON.parse(stdout).retention_days).toBe(3)
  expect((await genmount(['jobs'], { env: { ...env, GENMOUNT_API_KEY: 'dev-key' } })).exit).toBe(4)
})

const faults: readonly (readonly [name: string, config: unknown, message: RegExp])[] = [
  [
    'a syntax error in JSON',
    '{\n  "port": 3,\n}',
    /genmount\.json must be JSON: line 3, column 1: a name in double quotes is/,
  ],
  ['a byte order mark and a misspelt field', '\ufeff{ "prot": 3 }', /unknown field prot\. Did you mean port/],
  ['a list in place of an object', [], /must be a JSON object/],
  ['an unknown field', { tokens: 3 }, /unknown field tokens\. It may have: port/],
  ['a misspelt field', { prot: 3 }, /unknown field prot\. Did you mean port\?/],
  ['a port that is no number', { port: 'eighty' }, /^port in genmount\.json must be a whole number/],
  ['API keys that are not valid', { apiKeys: { alice: 'a b' } }, /^apiKeys in genmount\.json must/],
  [
    'a variable that is not set',
    { apiKeys: { a: '${NO_SUCH}' } },
    /apiKeys\.a in .* NO_SUCH, which is not set/,
  ],
  ['a retention of 0 days', { retentionDays: 0 }, /retentionDays/],
  ['an unknown limit', { limits: { perMinute: 3 } }, /limits.*perMinute|perMinute/],
  [
    'an origin with a path',
    { cors: { origins: ['https://app.example/'] } },
    /^cors in genmount\.json can't be used: .*origins/,
  ],
  [
    'an access log in a file',
    { accessLog: 'access.log' },
    /^accessLog in genmount\.json must be true or false/,
  ],
  [
    'a port of metrics that is no number',
    { metrics: { port: 'any' } },
    /^metrics in genmount\.json must be an/,
  ],
  [
    'webhooks without a public address',
    { webhooks: { secrets: { alice: `whsec_${'a'.repeat(44)}` } } },
    /^webhooks in genmount\.json needs baseUrl/,
  ],
  [
    'a secret of webhooks that is too short',
    { webhooks: { secrets: { alice: 'whsec_abc' } } },
    /^webhooks\.secrets\.alice in genmount\.json must/,
  ],
  ['webhooks without secrets', { webhooks: {} }, /^webhooks\.secrets in genmount\.json must/],
  ['webhooks as a list', { webhooks: [] }, /^webhooks in genmount\.json must be an object/],
  [
    'an unknown field of webhooks',
    { webhooks: { secret: 'whsec_abc' } },
    /^webhooks in genmount\.json has the unknown field secret/,
  ],
  ['no provider', { providers: {} }, /providers in genmount\.json must name at least one/],
  [
    'a provider that is not installed',
    { providers: { midsummer: true } },
    /needs the package @genmount\/provider-midsummer/,
  ],
  ['a misspelt provider', { providers: { fall: true } }, /^providers\.fall in .* Did you mean fal\?/],
  [
    'wrong options of a provider',
    { providers: { fal: {} } },
    /^providers\.fal in genmount\.json can't be used: /,
  ],
]

test.each(faults)(
  'serve throws an Error of one line that says what is wrong when its configuration file has %s',
  async (_name, config, message) => {
    const configFile = join(configured(config), 'genmount.json')
    const { message: line } = await serve({ env: {}, configFile }).then(
      () => new Error('It has started.'),
      (error: Error) => error,
    )
    expect(line.split('\n')).toEqual([expect.stringMatching(message)])
  },
)

test('genmount serve ends with exit code 1 and prints only the line that says what is wrong with its configuration file', async () => {
  const [, config, message] = faults[0]!
  const { exit, stderr } = await genmount(['serve', '--config', join(configured(config), 'genmount.json')])
  expect([exit, stderr.trim().split('\n')]).toEqual([1, [expect.stringMatching(message)]])
})

test('genmount serve refuses paid providers with the default API key on an address that others can reach', async () => {
  const cwd = configured({
    host: '0.0.0.0',
    port: 0,
    providers: { fal: { token: 'a:b', models: { m: { endpoint: 'fal-ai/m', outputKind: 'image' } } } },
  })
  const { exit, stderr } = await genmount(['serve', '-c', 'genmount.json'], { cwd })
  expect([exit, stderr]).toEqual([1, expect.stringMatching(/^API_KEYS must be set where providers\.fal is/)])
})
