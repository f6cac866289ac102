import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../temporary-folder.ts'
import { genmount } from './genmount.ts'
import { startServer } from './start-server.ts'

test.each([
  [['jobs', '-n', 'abc'], '--limit'],
  [['get', 'gen_1', '-n', '1.5'], '-n'],
  [['serve', '--port', 'abc'], '--port'],
])('genmount %j names the option whose value must be a whole number', async (args, option) => {
  const { exit, stderr } = await genmount(args)
  expect(exit).toBe(2)
  expect(stderr).toContain(`${option} <`)
  expect(stderr).toContain('must be a whole number')
})

test('genmount generate names the file and its option when the server refuses the file', async () => {
  const { env } = await startServer()
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'notes.txt'), 'no picture')
  const args = ['generate', '-m', 'procedural-image', '-p', 'a', '--image', 'notes.txt']
  const { exit, stderr } = await genmount(args, { env, cwd })
  expect([exit, stderr]).toEqual([5, expect.stringMatching(/^Error: --image notes\.txt: The first bytes/)])
  const json = await genmount([...args, '--json'], { env, cwd })
  expect(JSON.parse(json.stderr).error).toMatchObject({
    code: 'unsupported_media_type',
    message: expect.stringMatching(/^--image notes\.txt: /),
  })
})

test('genmount --help describes the command for shell completion', async () => {
  const { stdout } = await genmount(['--help'])
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    'complete [shell] print the completion for bash, zsh, fish or powershell',
  )
})

test('--url, --key-file and --json may stand in front of the command, and the same option behind it wins', async () => {
  const { url, env } = await startServer()
  const keyFile = join(temporaryFolder(), 'key')
  writeFileSync(keyFile, env.GENMOUNT_API_KEY)
  for (const args of [
    ['--url', url, '--key-file', keyFile, '--json', 'models'],
    [`--url=${url}`, 'models', '--json', '--key-file', keyFile],
    ['--url', 'http://127.0.0.1:9', 'models', '--json', '--key-file', keyFile, '--url', url],
  ]) {
    const { exit, stdout } = await genmount(args)
    expect([exit, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ length: 2 })])
  }
})

test.each([
  [['--url', 'http://127.0.0.1:9', 'serve'], /^error: genmount serve has no option --url\n/],
  [['-m', 'any', 'generate'], /^error: unknown option '-m'\n.*Most options follow the command\.\n$/],
])('genmount %j says what is wrong with an option in front of the command', async (args, message) => {
  const { exit, stderr } = await genmount(args)
  expect([exit, stderr]).toEqual([2, expect.stringMatching(message)])
})
