import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../loopback.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { genmount } from './genmount.ts'

/** A server that shows two models to those who have the key, and the requests that it got. */
async function startModelServer() {
  const requests: string[] = []
  const { origin, stop } = await listen(({ url = '', headers }, response) => {
    requests.push(url)
    const isKnown = headers.authorization === 'Bearer the-key'
    const data = ['flux', 'film/fast'].map((id) => ({ id, output_kind: 'image' }))
    response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify(
        isKnown ? { object: 'list', data } : { error: { code: 'invalid_api_key', message: 'No.' } },
      ),
    )
  })
  onTestFinished(stop)
  const env = { GENMOUNT_URL: origin, GENMOUNT_API_KEY: 'the-key', XDG_CACHE_HOME: temporaryFolder() }
  return { requests, env, stop }
}

/** What the shell offers while the last of these words is typed. */
async function completions(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string[]> {
  const { stdout, stderr, exit } = await genmount(['complete', '--', ...words], { env })
  expect([exit, stderr]).toEqual([0, ''])
  return stdout
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith(':'))
    .map((line) => line.split('\t')[0]!)
}

test('shell completion offers the models of the server for --model and for genmount models', async () => {
  const { env } = await startModelServer()
  for (const words of [
    ['generate', '-m', ''],
    ['generate', '--model', ''],
    ['jobs', '--model', ''],
    ['models', ''],
  ])
    expect(await completions(words, env), words.join(' ')).toEqual(['flux', 'film/fast'])
  expect(await completions(['generate', '-p', 'a kite', '--model=fi'], env)).toEqual(['film/fast'])
  expect(await completions(['models', 'fl'], env)).toEqual(['flux'])
})

test('shell completion asks the server for its models once a minute, only where a model is typed, and caches no API key', async () => {
  const { requests, env, stop } = await startModelServer()
  await completions(['generate', '--'], env)
  await completions(['jobs', '--status', ''], env)
  expect(requests).toEqual([])
  for (let typed = 0; typed < 2; typed++) await completions(['generate', '-m', ''], env)
  expect(requests).toEqual(['/v1/models'])
  const folder = join(env.XDG_CACHE_HOME, 'genmount')
  const [file = '', ...others] = readdirSync(folder)
  expect([file + readFileSync(join(folder, file), 'utf8'), others]).toEqual([
    expect.not.stringContaining('the-key'),
    [],
  ])
  await stop()
  expect(await completions(['generate', '-m', ''], env)).toEqual(['flux', 'film/fast'])
  expect(await completions(['generate', '-m', ''], { ...env, GENMOUNT_API_KEY: 'another' })).toEqual([])
})

test('shell completion offers the models of the server when it can write no cache folder', async () => {
  const { env } = await startModelServer()
  expect(await completions(['generate', '-m', ''], { ...env, XDG_CACHE_HOME: '/proc/genmount' })).toEqual([
    'flux',
    'film/fast',
  ])
})

test('shell completion offers no models and prints no error when the server is away or hangs, or the API key is wrong', async () => {
  const { env } = await startModelServer()
  const silent = await listen(() => {})
  onTestFinished(silent.stop)
  for (const wrong of [
    { GENMOUNT_API_KEY: 'wrong' },
    { GENMOUNT_URL: 'http://127.0.0.1:9' },
    { GENMOUNT_URL: 'no address' },
    { GENMOUNT_URL: silent.origin },
  ])
    expect(await completions(['generate', '-m', ''], { ...env, ...wrong })).toEqual([])
  expect(await completions(['models', '--key-file', '/does/not/exist', ''], env)).toEqual([])
})
