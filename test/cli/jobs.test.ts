import { outputFacts } from '@genmount/output-facts'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../temporary-folder.ts'
import { genmount, genmountHere } from './genmount.ts'
import { startServer } from './start-server.ts'

const make = ['generate', '-m', 'procedural-image', '-f', 'resolution=480p', '-p']

test('genmount jobs, get, cancel and delete list, show, cancel and delete jobs', async () => {
  const { env } = await startServer()
  const cwd = temporaryFolder()
  await genmount([...make, 'first\twith a tab'], { cwd, env })
  const film = ['generate', '-m', 'procedural-video', '-p', 'second', '-f', 'duration=10', '--no-wait']
  const running = await genmountHere(film, { env })
  const second = running.stdout.trim()

  const listed = (await genmountHere(['jobs'], { env })).stdout.trim().split('\n')
  const rows = listed.map((line) => line.split('\t'))
  expect(rows.map(([, status, , , , prompt]) => [status, prompt])).toEqual([
    ['processing', 'second'],
    ['completed', 'first with a tab'],
  ])
  const first = rows[1]?.[0] ?? ''
  const only = await genmountHere(['jobs', '--status', 'completed', '-n', '5', '--json'], { env })
  expect(JSON.parse(only.stdout).map(({ id }: { id: string }) => id)).toEqual([first])
  expect((await genmountHere(['get', first], { env })).stdout).toMatch(
    /^job: +gen_\w+\nstatus: +completed\nmodel: +procedural-image\n/,
  )

  const early = await genmountHere(['delete', second], { env })
  expect([early.exit, early.stderr]).toEqual([5, expect.stringMatching(/processing|finished/)])
  const canceled = await genmountHere(['cancel', second], { env })
  expect([canceled.exit, canceled.stdout]).toEqual([
    0,
    expect.stringMatching(new RegExp(`^${second} is (being )?canceled\n$`)),
  ])
  const gone = await genmountHere(['get', second, '--wait', '--json'], { env })
  expect(JSON.parse(gone.stderr).error.code).toBe('canceled')
  expect((await genmountHere(['cancel', second], { env })).stdout).toBe(`${second} is canceled\n`)
  const deleted = await genmountHere(['delete', first, second], { env })
  expect([deleted.exit, deleted.stdout]).toEqual([0, `${first} is deleted\n${second} is deleted\n`])
  expect((await genmountHere(['jobs'], { env })).stdout).toBe('')
})

test('genmount get says what each output is, and has the facts in its JSON, if the server knows them', async () => {
  const { env } = await startServer({ plugins: [outputFacts()] })
  const cwd = temporaryFolder()
  const { id } = JSON.parse((await genmount([...make, 'a kite', '--json'], { cwd, env })).stdout)
  expect((await genmountHere(['get', id], { env })).stdout).toMatch(
    /\noutput: +http\S+\nfacts: +\d+ × \d+, [\d.]+ [kM]B, PNG\nsha256: +[\da-f]{64}\n/,
  )
  const job = JSON.parse((await genmountHere(['get', id, '--json'], { env })).stdout)
  expect(job.outputs).toMatchObject([{ object: 'output', content_type: 'image/png', has_sound: false }])
})

test('genmount models lists the models with their outputs, and one model with its fields', async () => {
  const { env } = await startServer()
  const all = (await genmountHere(['models'], { env })).stdout
  expect(all).toMatch(/^procedural-image\timage\t.*\nprocedural-video\tvideo\t/)
  const one = (await genmountHere(['models', 'procedural-image'], { env })).stdout.split('\n')
  expect(one).toContain('prompt\trequired\tstring\t')
  expect(one).toContain('format\t\tpng | webp | jpeg\t"png"')
})

test('shell completion offers commands, options and the values of --status, and has a script for each shell', async () => {
  const lines = async (...words: string[]) =>
    (await genmount(['complete', '--', ...words])).stdout.split('\n').map((line) => line.split('\t')[0])
  expect(await lines('')).toEqual(
    expect.arrayContaining(['generate', 'jobs', 'get', 'cancel', 'models', 'serve']),
  )
  expect(await lines('generate', '--m')).toEqual(expect.arrayContaining(['--model', '--mask']))
  expect(await lines('jobs', '--status', '')).toEqual(
    expect.arrayContaining(['processing', 'completed', 'failed']),
  )
  for (const shell of ['bash', 'zsh', 'fish', 'powershell'])
    expect((await genmount(['complete', shell])).stdout).toContain('genmount')
})

test('genmount cancel and delete go on after a job that is refused, and say at the end why, as text and as JSON', async () => {
  const { env } = await startServer()
  const film = ['generate', '-m', 'procedural-video', '-p', 'a kite', '-f', 'duration=10', '--no-wait']
  const first = (await genmount(film, { env })).stdout.trim()
  const refused = expect.stringMatching(/gen_0.*There is no such job/)
  const canceled = await genmount(['cancel', 'gen_0', first], { env })
  expect([canceled.exit, canceled.stdout, canceled.stderr]).toEqual([
    5,
    expect.stringMatching(new RegExp(`^${first} is `)),
    refused,
  ])
  await genmount(['get', first, '--wait'], { env })
  const asJson = await genmount(['delete', 'gen_0', first, 'gen_1', '--json'], { env })
  expect([asJson.exit, JSON.parse(asJson.stdout)]).toEqual([5, { deleted: [first] }])
  expect(JSON.parse(asJson.stderr).error.message).toMatch(/^gen_0: .* gen_1: /)
  expect((await genmount(['get', first], { env })).exit).toBe(5)
})
