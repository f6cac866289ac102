import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../loopback.ts'
import { runProgram } from '../processes/run-program.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { command, genmount } from './genmount.ts'

/** A server that shows its models to those who have the key, and the requests that it got. */
async function startModelServer(ids = ['flux', 'film/fast', 'vendor:model:2']) {
  const requests: string[] = []
  const { origin, stop } = await listen(({ url = '', headers }, response) => {
    requests.push(url)
    const isKnown = headers.authorization === 'Bearer the-key'
    const data = ids.map((id) => ({ id, output_kind: 'image' }))
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
    ['--json', '--url', env.GENMOUNT_URL, 'models', ''],
  ])
    expect(await completions(words, env), words.join(' ')).toEqual(['flux', 'film/fast', 'vendor:model:2'])
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
  expect(await completions(['generate', '-m', ''], env)).toContain('film/fast')
  expect(await completions(['generate', '-m', ''], { ...env, GENMOUNT_API_KEY: 'another' })).toEqual([])
})

test('shell completion offers the models of the server when it can write no cache folder', async () => {
  const { env } = await startModelServer()
  expect(await completions(['generate', '-m', ''], { ...env, XDG_CACHE_HOME: '/proc/genmount' })).toContain(
    'film/fast',
  )
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

/** What bash has on its command line after these keys, in a shell without the package bash-completion. */
async function typedInBash(keys: string, env: Readonly<Record<string, string>>): Promise<string> {
  const folder = temporaryFolder()
  const line = (await command()).map((word) => `'${word}'`).join(' ')
  writeFileSync(
    join(folder, 'rc'),
    [
      `genmount() { if [[ $1 == complete ]]; then ${line} "$@"; else printf 'RUN<%s>\\n' "$*"; fi; }`,
      // A file for interactive shells is often read again.
      'source <(genmount complete bash)',
      'source <(genmount complete bash)',
    ].join('\n'),
  )
  const bash = `bash --noprofile --rcfile ${join(folder, 'rc')} -i`
  const script = ['script', '--quiet', '--return', '--command', bash, '/dev/null'] as const
  const { stdout } = await runProgram(script, {
    cwd: folder,
    env: { TERM: 'dumb', HOME: folder, ...env },
    input: `${keys}\nexit\n`,
  })
  return /RUN<(.*)>/.exec(stdout)?.[1] ?? stdout
}

test(
  'the completion for bash works without the package bash-completion, and when it is sourced twice',
  { tags: ['needs/script'] },
  async () => {
    const { env } = await startModelServer()
    expect(await typedInBash('genmount gen\t-m fi\t-p "a kite"', env)).toBe('generate -m film/fast -p a kite')
    expect(await typedInBash("genmount --url 'http://127.0.0.1:9' models fi\t", env)).toMatch(/ models fi$/)
    expect(await typedInBash('genmount generate --model=fl\t', env)).toBe('generate --model=flux')
    expect(await typedInBash('genmount generate -m vendor:m\t', env)).toBe('generate -m vendor:model:2')
  },
)

test.each(['$(touch ran)x', '`touch ran`', 'x;touch ran', "x';touch ran;'", 'x y', '-x', '~x', 'x*'])(
  'a model that a server calls %j is not offered, because a shell could take it for a command',
  async (id) => {
    const { env } = await startModelServer([id, 'xy'])
    expect(await completions(['generate', '-m', ''], env)).toEqual(['xy'])
  },
)
