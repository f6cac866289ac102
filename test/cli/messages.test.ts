import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { emptyFolder, genmount } from './genmount.ts'
import { startServer } from './start-server.ts'

test.each([
  [['jobs', '-n', 'abc'], '--limit'],
  [['get', 'gen_1', '-n', '1.5'], '-n'],
  [['serve', '--port', 'abc'], '--port'],
])('genmount %j names the option whose number is none', async (args, option) => {
  const { code, stderr } = await genmount(args)
  expect(code).toBe(2)
  expect(stderr).toContain(`${option} <`)
  expect(stderr).toContain('must be a whole number')
})

test('a file that the server does not take is named, with its option', async () => {
  const { env } = await startServer()
  const cwd = emptyFolder()
  writeFileSync(join(cwd, 'notes.txt'), 'no picture')
  const args = ['generate', '-m', 'procedural-image', '-p', 'a', '--image', 'notes.txt']
  const { code, stderr } = await genmount(args, { env, cwd })
  expect([code, stderr]).toEqual([5, expect.stringMatching(/^Error: --image notes\.txt: The first bytes/)])
  const json = await genmount([...args, '--json'], { env, cwd })
  expect(JSON.parse(json.stderr).error).toMatchObject({
    code: 'unsupported_media_type',
    message: expect.stringMatching(/^--image notes\.txt: /),
  })
})

test('the list of commands says in its own style what completes them', async () => {
  const { stdout } = await genmount(['--help'])
  expect(stdout.toString().replaceAll(/\s+/g, ' ')).toContain(
    'complete [shell] print the completion for bash, zsh, fish or powershell',
  )
})
