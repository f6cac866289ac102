import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../loopback.ts'
import { emptyFolder, genmount } from './genmount.ts'

/** A server with two models for those who have the key, and how often it was asked. */
async function withModels() {
  const asked: string[] = []
  const { origin, stop } = await listen(({ url = '', headers }, response) => {
    asked.push(url)
    const isKnown = headers.authorization === 'Bearer the-key'
    const data = ['flux', 'film/fast'].map((id) => ({ id, output_kind: 'image' }))
    response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isKnown ? { data } : { error: { code: 'invalid_api_key', message: 'No.' } }))
  })
  onTestFinished(stop)
  const env = { GENMOUNT_URL: origin, GENMOUNT_API_KEY: 'the-key', XDG_CACHE_HOME: emptyFolder() }
  return { asked, env, stop }
}

/** What the shell is offered while the last of these words is typed. */
async function offered(words: readonly string[], env: Readonly<Record<string, string>>): Promise<string[]> {
  const { stdout, stderr, code } = await genmount(['complete', '--', ...words], { env })
  expect([code, stderr]).toEqual([0, ''])
  return stdout
    .toString()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith(':'))
    .map((line) => line.split('\t')[0]!)
}

test('the shell offers the models of the server wherever a model is wanted', async () => {
  const { env } = await withModels()
  for (const words of [
    ['generate', '-m', ''],
    ['generate', '--model', ''],
    ['jobs', '--model', ''],
    ['models', ''],
  ])
    expect(await offered(words, env), words.join(' ')).toEqual(['flux', 'film/fast'])
  expect(await offered(['generate', '-p', 'a kite', '--model=fi'], env)).toEqual(['film/fast'])
  expect(await offered(['models', 'fl'], env)).toEqual(['flux'])
})

test('the shell asks the server once a minute, only where a model is wanted, and keeps no key', async () => {
  const { asked, env, stop } = await withModels()
  await offered(['generate', '--'], env)
  await offered(['jobs', '--status', ''], env)
  expect(asked).toEqual([])
  for (let typed = 0; typed < 2; typed++) await offered(['generate', '-m', ''], env)
  expect(asked).toEqual(['/v1/models'])
  const folder = join(env.XDG_CACHE_HOME, 'genmount')
  const [file = '', ...others] = readdirSync(folder)
  expect([file + readFileSync(join(folder, file), 'utf8'), others]).toEqual([
    expect.not.stringContaining('the-key'),
    [],
  ])
  await stop()
  expect(await offered(['generate', '-m', ''], env)).toEqual(['flux', 'film/fast'])
  expect(await offered(['generate', '-m', ''], { ...env, GENMOUNT_API_KEY: 'another' })).toEqual([])
})

test('the shell is offered the models also where nothing can be cached', async () => {
  const { env } = await withModels()
  expect(await offered(['generate', '-m', ''], { ...env, XDG_CACHE_HOME: '/proc/genmount' })).toEqual([
    'flux',
    'film/fast',
  ])
})

test('the shell is offered nothing, and sees no error, without a server, with a wrong key and with one that hangs', async () => {
  const { env } = await withModels()
  const silent = await listen(() => {})
  onTestFinished(silent.stop)
  for (const wrong of [
    { GENMOUNT_API_KEY: 'wrong' },
    { GENMOUNT_URL: 'http://127.0.0.1:9' },
    { GENMOUNT_URL: 'no address' },
    { GENMOUNT_URL: silent.origin },
  ])
    expect(await offered(['generate', '-m', ''], { ...env, ...wrong })).toEqual([])
  expect(await offered(['models', '--key-file', '/does/not/exist', ''], env)).toEqual([])
})
