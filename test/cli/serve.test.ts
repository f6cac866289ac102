import { mkdirSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { emptyFolder, genmount, started } from './genmount.ts'

const picture = ['generate', '-m', 'procedural-image', '-p', 'a', '-f', 'resolution=480p']

function configured(config: unknown): string {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'genmount.json'), typeof config === 'string' ? config : JSON.stringify(config))
  return folder
}

test('serve and generate make a picture with no key, no file and no code', async () => {
  const cwd = emptyFolder()
  const server = started(['serve', '--port', '0'], {}, cwd)
  const [, url = ''] = await server.heard(/listens on (\S+)\n/)
  const { code, stdout } = await genmount([...picture, '--url', url, '-o', 'a.png'], { cwd })
  expect([code, stdout.toString()]).toEqual([0, 'a.png\n'])
  server.process.kill('SIGTERM')
  expect(await server.exited).toBe(0)
})

test('a request for a path that is no address leaves the server running', async () => {
  const server = started(['serve', '--port', '0'], {}, emptyFolder())
  const [, url = ''] = await server.heard(/listens on (\S+)\n/)
  const answers = ['//', '//?a', 'http://[', '/healthz'].map(
    (path) =>
      new Promise((resolve, reject) => {
        get(url, { path }, (answer) => resolve(answer.resume().statusCode)).on('error', reject)
      }),
  )
  expect(await Promise.all(answers)).toEqual([404, 404, 404, 200])
  server.process.kill('SIGTERM')
  expect(await server.exited).toBe(0)
})

test('a configuration file names keys, folder, retention, limits and providers', async () => {
  const cwd = configured({
    port: 0,
    apiKeys: { alice: '${KEY_OF_ALICE}' },
    dataDir: 'kept',
    retentionDays: 3,
    limits: { requestsPerMinute: 1000 },
    providers: { procedural: { allowSimulation: true } },
  })
  mkdirSync(join(cwd, 'elsewhere'))
  const server = started(
    ['serve', '-c', '../genmount.json'],
    { KEY_OF_ALICE: 'of-alice', FAL_KEY: 'a:b' },
    join(cwd, 'elsewhere'),
  )
  const [, url = ''] = await server.heard(/listens on (\S+)\n/)
  await server.heard(/curl/)
  expect(server.said()).toContain('Models: procedural-image, procedural-video\n')
  expect(server.said()).toContain(`Jobs and files are kept in ${join(cwd, 'kept')}\n`)
  expect(server.said()).not.toContain('of-alice')
  const env = { GENMOUNT_URL: url, GENMOUNT_API_KEY: 'of-alice' }
  const { code, stdout } = await genmount([...picture, '-f', 'simulate_latency_ms=1', '--json'], { cwd, env })
  expect(code).toBe(0)
  expect(JSON.parse(stdout.toString()).retention_days).toBe(3)
  expect((await genmount(['jobs'], { env: { ...env, GENMOUNT_API_KEY: 'dev-key' } })).code).toBe(4)
})

test.each([
  [
    'no JSON',
    '{\n  "port": 3,\n}',
    /genmount\.json must be JSON: line 3, column 1: a name in double quotes is/,
  ],
  ['a byte order mark and a misspelt field', '\ufeff{ "prot": 3 }', /unknown field prot\. Did you mean port/],
  ['a list', [], /must be a JSON object/],
  ['an unknown field', { tokens: 3 }, /unknown field tokens\. It may have: port/],
  ['a misspelt field', { prot: 3 }, /unknown field prot\. Did you mean port\?/],
  ['a port that is none', { port: 'eighty' }, /^port in genmount\.json must be a whole number/],
  ['keys that are none', { apiKeys: { alice: 'a b' } }, /^apiKeys in genmount\.json must/],
  [
    'a variable that is not set',
    { apiKeys: { a: '${NO_SUCH}' } },
    /apiKeys\.a in .* NO_SUCH, which is not set/,
  ],
  ['retention of no length', { retentionDays: 0 }, /retentionDays/],
  ['an unknown limit', { limits: { perMinute: 3 } }, /limits.*perMinute|perMinute/],
  ['no provider', { providers: {} }, /providers in genmount\.json must name at least one/],
  [
    'a provider that is not installed',
    { providers: { midsummer: true } },
    /needs the package @genmount\/provider-midsummer/,
  ],
  ['a misspelt provider', { providers: { fall: true } }, /^providers\.fall in .* Did you mean fal\?/],
  [
    'options of a provider that are wrong',
    { providers: { fal: {} } },
    /^providers\.fal in genmount\.json can't be used: /,
  ],
])('a configuration file with %s is one clear line and exit code 1', async (_name, config, message) => {
  const { code, stderr } = await genmount(['serve', '--config', join(configured(config), 'genmount.json')])
  expect([code, stderr.trim().split('\n')]).toEqual([1, [expect.stringMatching(message)]])
})

test('paid providers and a key that everybody knows do not go together on an open address', async () => {
  const cwd = configured({
    host: '0.0.0.0',
    port: 0,
    providers: { fal: { token: 'a:b', models: { m: { endpoint: 'fal-ai/m', outputKind: 'image' } } } },
  })
  const { code, stderr } = await genmount(['serve', '-c', 'genmount.json'], { cwd })
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^API_KEYS must be set where providers\.fal is/)])
})
