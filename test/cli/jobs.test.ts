import { expect, test } from 'vitest'
import { emptyFolder, genmount } from './genmount.ts'
import { startServer } from './start-server.ts'

const make = ['generate', '-m', 'procedural-image', '-f', 'resolution=480p', '-p']

test('jobs are listed, shown, cancelled and deleted', async () => {
  const { env } = await startServer()
  const cwd = emptyFolder()
  await genmount([...make, 'first\twith a tab'], { cwd, env })
  const film = ['generate', '-m', 'procedural-video', '-p', 'second', '-f', 'duration=10', '--no-wait']
  const running = await genmount(film, { env })
  const second = running.stdout.toString().trim()

  const listed = (await genmount(['jobs'], { env })).stdout.toString().trim().split('\n')
  const rows = listed.map((line) => line.split('\t'))
  expect(rows.map(([, status, , , , prompt]) => [status, prompt])).toEqual([
    ['processing', 'second'],
    ['completed', 'first with a tab'],
  ])
  const first = rows[1]?.[0] ?? ''
  const only = await genmount(['jobs', '--status', 'completed', '-n', '5', '--json'], { env })
  expect(JSON.parse(only.stdout.toString()).map(({ id }: { id: string }) => id)).toEqual([first])
  expect((await genmount(['get', first], { env })).stdout.toString()).toMatch(
    /^job: +gen_\w+\nstatus: +completed\nmodel: +procedural-image\n/,
  )

  const early = await genmount(['delete', second], { env })
  expect([early.code, early.stderr]).toEqual([5, expect.stringMatching(/processing|finished/)])
  const cancelled = await genmount(['cancel', second], { env })
  expect([cancelled.code, cancelled.stdout.toString()]).toEqual([0, expect.stringContaining(second)])
  const gone = await genmount(['get', second, '--wait', '--json'], { env })
  expect(JSON.parse(gone.stderr).error.code).toBe('canceled')
  const deleted = await genmount(['delete', first, second], { env })
  expect([deleted.code, deleted.stdout.toString()]).toEqual([
    0,
    `${first} is deleted\n${second} is deleted\n`,
  ])
  expect((await genmount(['jobs'], { env })).stdout.toString()).toBe('')
})

test('models are listed with what they make, and a model with its fields', async () => {
  const { env } = await startServer()
  const all = (await genmount(['models'], { env })).stdout.toString()
  expect(all).toMatch(/^procedural-image\timage\t.*\nprocedural-video\tvideo\t/)
  const one = (await genmount(['models', 'procedural-image'], { env })).stdout.toString().split('\n')
  expect(one).toContain('prompt\trequired\tstring\t')
  expect(one).toContain('format\t\tpng | webp | jpeg\t"png"')
})

test('the shell completes commands and options', async () => {
  const lines = async (...words: string[]) =>
    (await genmount(['complete', '--', ...words])).stdout
      .toString()
      .split('\n')
      .map((line) => line.split('\t')[0])
  expect(await lines('')).toEqual(
    expect.arrayContaining(['generate', 'jobs', 'get', 'cancel', 'models', 'serve']),
  )
  expect(await lines('generate', '--m')).toEqual(expect.arrayContaining(['--model', '--mask']))
  expect(await lines('jobs', '--status', '')).toEqual(
    expect.arrayContaining(['processing', 'completed', 'failed']),
  )
  for (const shell of ['bash', 'zsh', 'fish', 'powershell'])
    expect((await genmount(['complete', shell])).stdout.toString()).toContain('genmount')
})
